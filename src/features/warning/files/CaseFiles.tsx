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
import { canReturn } from '#features/warning/files/fileDrawers.tsx';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import { returnLabel } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

interface Props {
  detail: WarningDetail;
  full: FullCase;
  startStep: (step: Step) => void;
}
const formatSize = (size: number) =>
  size >= 1024 ** 2 ? `${(size / 1024 ** 2).toFixed(1)} MB` : `${Math.max(1, Math.round(size / 1024))} KB`;

/** One attachment. 查看 asks the server for a link, which lasts ten minutes; the server audits the call. */
function CaseFile({
  warningcode,
  attachment,
  onRemove,
}: {
  warningcode: string;
  attachment: FullCase['files'][number];
  onRemove: (() => void) | undefined;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const openFile = () => {
    setIsBusy(true);
    call(openCaseFile, { warningcode, fileid: attachment.fileid })
      .then(({ url, filename }) => {
        const link = document.createElement('a');
        link.href = url;
        link.download = filename;
        link.click();
      }, notifyError)
      .finally(() => setIsBusy(false));
  };
  return (
    <Group justify="space-between" wrap="nowrap" align="start">
      <div className={classes['paper']}>
        <IconFileText size={18} aria-hidden />
        <div>
          <div className={classes['papername']}>{attachment.filename}</div>
          <div className={classes['quiet']}>
            {caseFileKinds[attachment.kind as CaseFileKind]} · {formatSize(attachment.size)} · {attachment.createbyname} ·{' '}
            {attachment.createtime.slice(0, 16)}
          </div>
        </div>
      </div>
      <Group gap={4} wrap="nowrap" data-noprint>
        <Can call={openCaseFile}>
          <Button variant="subtle" size="compact-sm" loading={isBusy} onClick={openFile} title="查看将留下记录">
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

/** The return assessments and the attachments of a case. */
export function CaseFiles({ detail, full, startStep }: Props) {
  const isOpen = detail.state !== '07' && detail.state !== '08';
  const label = returnLabel(full.sector);
  const usedFileids = new Set(full.returns.flatMap((returnItem) => returnItem.fileids));
  const canAssessReturn = isOpen && canReturn(detail.state) && can(insertReturnAssess);
  return (
    <>
      {(full.returns.length > 0 || canAssessReturn) && (
        <Section
          title={`${label}评估`}
          right={
            canAssessReturn && (
              <Button size="compact-sm" variant="light" data-noprint onClick={() => startStep({ kind: 'return' })}>
                登记{label}评估
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
                      {returnConclusions[returnItem.conclusion as '01'].replace('复学', label)}
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
          isOpen &&
          can(attachCaseFile) && (
            <Button size="compact-sm" variant="light" data-noprint onClick={() => startStep({ kind: 'attach' })}>
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
            {full.files.map((attachment) => (
              <li key={attachment.fileid}>
                <CaseFile
                  warningcode={detail.warningcode}
                  attachment={attachment}
                  onRemove={
                    isOpen && !usedFileids.has(attachment.fileid)
                      ? () => startStep({ kind: 'detach', fileid: attachment.fileid })
                      : undefined
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
