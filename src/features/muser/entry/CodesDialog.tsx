import { Alert, Button, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { findFaults } from '#contract/fieldTitles.ts';
import { formatAssessCode } from '#domain/exam/assessCode.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { save } from '#ui/api/transfer.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { numberOf } from '#ui/form/fields.tsx';
import { askAboutPast, isPast } from '#ui/form/askAboutPast.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { EntryPlan } from '#features/muser/entry/EntryPanel.tsx';
import { getAssessCodeBatches, insertCUserAssessCode, voidAssessCodes } from '#features/muser/entry/entry.contract.ts';
import { getMUserPageList, type MUserRow } from '#features/muser/muser.contract.ts';
import classes from '#features/muser/muser.module.css';

/** The assessment codes of an institution: creates a batch and lists the earlier batches. */
export function CodesDialog({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const apps = row.apps.filter((app) => app.appid !== Appid.custom);
  const [appid, setAppid] = useState<string | null>(apps[0]?.appid ?? null);
  const [plancode, setPlancode] = useState<string | null>(null);
  const [qty, setQty] = useState<number | string | undefined>(50);
  const [expiredate, setExpiredate] = useState<string | null>(null);
  const affected = [getAssessCodeBatches, getMUserPageList];
  const batches = useActionQuery(getAssessCodeBatches, { musercode: row.musercode });
  const issue = useActionMutation(insertCUserAssessCode, { invalidates: affected });
  const revoke = useActionMutation(voidAssessCodes, {
    invalidates: affected,
    onDone: ({ released }) => notify.done(`已作废 ${released} 个，次数已退回`),
  });
  const qtyFault = findFaults(insertCUserAssessCode, { appid: '', plancode: '', qty })['qty'];
  const create = async () => {
    if (expiredate && isPast(expiredate) && !(await askAboutPast('有效期至', expiredate, '这批测评码生成后不能使用'))) return;
    issue.mutate({
      musercode: row.musercode,
      appid: appid ?? '',
      plancode: plancode ?? '',
      qty: Number(qty),
      expiredate,
    });
  };
  const newBatch = issue.data;
  // The server shows the codes only once: ask before the dialog closes without a download.
  const [downloadedBatchno, setDownloadedBatchno] = useState<string>();
  const leave = useLeave(
    newBatch !== undefined && downloadedBatchno !== newBatch.batchno,
    onClose,
    '这批测评码还没有下载，关闭后不再显示，确定离开吗？',
  );
  const downloadCodes = (batchno: string, codes: readonly string[]) =>
    save(
      new Blob(['\ufeff测评码\r\n', ...codes.map((code) => `${formatAssessCode(code)}\r\n`)], { type: 'text/csv;charset=utf-8' }),
      `${row.insname}_测评码_${batchno}.csv`,
    );
  return (
    <Modal opened onClose={leave} title={`测评码：${row.insname}`} size={640}>
      <Stack gap="md">
        {row.loginmode !== '01' && (
          <Alert color="yellow">该机构的二维码目前不用测评码核对身份，请先在“二维码”中把身份核对方式改为“测评码”。</Alert>
        )}
        {newBatch ? (
          <>
            <Alert color="green">
              已生成 {newBatch.codes.length} 个测评码（批次 {newBatch.batchno}）。测评码只在此处完整显示，请立即下载。
            </Alert>
            <div className={classes['codes']}>
              {newBatch.codes.map((code) => (
                <span key={code}>{formatAssessCode(code)}</span>
              ))}
            </div>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => issue.reset()}>
                再生成一批
              </Button>
              <Button
                onClick={() => {
                  downloadCodes(newBatch.batchno, newBatch.codes);
                  setDownloadedBatchno(newBatch.batchno);
                }}
              >
                下载
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Group grow align="flex-start" preventGrowOverflow={false}>
              <Select
                label="人群"
                required
                data={apps.map((app) => ({ value: app.appid, label: app.appname }))}
                value={appid}
                onChange={(next) => (setAppid(next), setPlancode(null))}
              />
              <EntryPlan musercode={row.musercode} value={plancode} {...(appid ? { appid } : {})} onChange={setPlancode} />
            </Group>
            <Group grow align="flex-start" preventGrowOverflow={false}>
              <NumberInput
                label="数量"
                required
                min={1}
                max={2000}
                value={qty ?? ''}
                error={qtyFault}
                onChange={(next) => setQty(numberOf(next))}
                description={`剩余次数 ${row.free}`}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
              />
              <DateInput label="有效期至" clearable placeholder="不限" value={expiredate} onChange={setExpiredate} />
            </Group>
            <Group justify="flex-end">
              <Button
                disabled={!appid || !plancode || qtyFault !== undefined}
                loading={issue.isPending}
                onClick={() => void create()}
              >
                生成
              </Button>
            </Group>
          </>
        )}
        <Loaded read={batches}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="还没有测评码" hint="每个测评码供一人作答一次，生成时冻结相应次数" />
            ) : (
              <Stack gap={8} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                {rows.map((batch) => (
                  <Group key={batch.batchno} component="li" justify="space-between" gap="xs">
                    <div>
                      <Text size="sm">{batch.planname}</Text>
                      <Text size="xs" c="dimmed">
                        {batch.createtime.slice(0, 16)} · 共 {batch.total}，未用 {batch.unused}，已用 {batch.bound}
                        {batch.void ? `，作废 ${batch.void}` : ''}
                        {batch.expiredate ? ` · 至 ${batch.expiredate}` : ''}
                      </Text>
                    </div>
                    {batch.unused > 0 && (
                      <ConfirmButton
                        color="red"
                        question={`将作废这一批未使用的 ${batch.unused} 个测评码，次数退回机构。是否作废？`}
                        onConfirm={() => revoke.mutateAsync({ batchno: batch.batchno })}
                      >
                        作废未用
                      </ConfirmButton>
                    )}
                  </Group>
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Stack>
    </Modal>
  );
}
