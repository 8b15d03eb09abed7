import { Button, Group, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { Badge } from '#ui/display/badges.tsx';
import { call } from '#ui/api/call.ts';
import { Can } from '#ui/api/Can.tsx';
import { Section } from '#ui/display/Section.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { can } from '#ui/api/session.ts';
import {
  attachCaseFile,
  caseFileKinds,
  deleteCaseFile,
  insertReturnAssess,
  openCaseFile,
  returnConclusions,
  type CaseFileKind,
} from '#features/warning/files/casefile.contract.ts';
import { mayReturn } from '#features/warning/files/fileDrawers.tsx';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import { returnWord } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

interface Props {
  detail: WarningDetail;
  full: FullCase;
  take: (step: Step) => void;
}
const kilobytes = (size: number) =>
  size >= 1024 ** 2 ? `${(size / 1024 ** 2).toFixed(1)} MB` : `${Math.max(1, Math.round(size / 1024))} KB`;

/** Opens a paper for a reader whose looking is recorded: the link is asked for at that moment and lasts ten minutes. */
function Paper({
  warningcode,
  paper,
  onRemove,
}: {
  warningcode: string;
  paper: FullCase['files'][number];
  onRemove: (() => void) | undefined;
}) {
  const [busy, setBusy] = useState(false);
  const open = () => {
    setBusy(true);
    call(openCaseFile, { warningcode, fileid: paper.fileid })
      .then(({ url, filename }) => {
        const link = document.createElement('a');
        link.href = url;
        link.download = filename;
        link.click();
      }, notifyError)
      .finally(() => setBusy(false));
  };
  return (
    <Group justify="space-between" wrap="nowrap" align="start">
      <div className={classes['paper']}>
        <IconFileText size={18} aria-hidden />
        <div>
          <div className={classes['papername']}>{paper.filename}</div>
          <div className={classes['quiet']}>
            {caseFileKinds[paper.kind as CaseFileKind]} · {kilobytes(paper.size)} · {paper.createbyname} ·{' '}
            {paper.createtime.slice(0, 16)}
          </div>
        </div>
      </div>
      <Group gap={4} wrap="nowrap" data-noprint>
        <Can call={openCaseFile}>
          <Button variant="subtle" size="compact-sm" loading={busy} onClick={open} title="查看将留下记录">
            查看
          </Button>
        </Can>
        {onRemove && (
          <Can call={deleteCaseFile}>
            <Button variant="subtle" color="red" size="compact-sm" onClick={onRemove}>
              删除
            </Button>
          </Can>
        )}
      </Group>
    </Group>
  );
}

/** Papers of a case, and what was decided on them about coming back. */
export function Papers({ detail, full, take }: Props) {
  const open = detail.state !== '07' && detail.state !== '08';
  const word = returnWord(full.sector);
  const bound = new Set(full.returns.flatMap((returnItem) => returnItem.fileids));
  const returnable = open && mayReturn(detail.state) && can(insertReturnAssess);
  return (
    <>
      {(full.returns.length > 0 || returnable) && (
        <Section
          title={`${word}评估`}
          right={
            returnable && (
              <Button size="compact-sm" variant="light" data-noprint onClick={() => take({ kind: 'return' })}>
                登记{word}评估
              </Button>
            )
          }
        >
          {full.returns.length === 0 ? (
            <Text size="sm" c="dimmed">
              因病离校、住院后返回前登记，须上传医院出具的资料
            </Text>
          ) : (
            <ul className={classes['list']}>
              {full.returns.map((returnItem) => (
                <li key={returnItem.returnid}>
                  <Group gap="xs">
                    <Badge tone={returnItem.conclusion === '01' ? 'green' : returnItem.conclusion === '02' ? 'amber' : 'red'}>
                      {returnConclusions[returnItem.conclusion as '01'].replace('复学', word)}
                    </Badge>
                    <span className={classes['quiet']}>
                      {returnItem.assessdate} · {returnItem.operatorname}
                      {returnItem.hospital && ` · ${returnItem.hospital}`}
                    </span>
                  </Group>
                  {returnItem.returndate && (
                    <div>
                      返回日期：{returnItem.returndate}
                      {returnItem.guardianagreed === 1 && '，监护人已同意'}
                    </div>
                  )}
                  {returnItem.conditions && <div>条件：{returnItem.conditions}</div>}
                  {returnItem.supportplan && <div style={{ whiteSpace: 'pre-line' }}>支持计划：{returnItem.supportplan}</div>}
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
      <Section
        title="附件"
        right={
          open &&
          can(attachCaseFile) && (
            <Button size="compact-sm" variant="light" data-noprint onClick={() => take({ kind: 'attach' })}>
              上传附件
            </Button>
          )
        }
      >
        {full.files.length === 0 ? (
          <Text size="sm" c="dimmed">
            告知回执、转介单、就诊资料等可上传存档，仅处置人员可查看，每次查看留痕
          </Text>
        ) : (
          <ul className={classes['list']}>
            {full.files.map((paper) => (
              <li key={paper.fileid}>
                <Paper
                  warningcode={detail.warningcode}
                  paper={paper}
                  onRemove={open && !bound.has(paper.fileid) ? () => take({ kind: 'unattach', key: paper.fileid }) : undefined}
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
