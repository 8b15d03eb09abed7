import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Action, ResponseOf } from '#contract/action.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { answerMergeCUser, getMergeList, undoMergeCUser } from '#features/merge/merge.contract.ts';

type Merge = ResponseOf<typeof getMergeList>[number];

/** The merges that concern the person of a page: one that waits for a second person, and those that can be undone. */
export function MergeNotes({ cuserid, invalidates }: { cuserid: string; invalidates: readonly Action[] }) {
  const list = useActionQuery(getMergeList, can(getMergeList) ? { cuserid } : undefined, { quiet: true });
  const [undoing, setUndoing] = useState<number>();
  const [answering, setAnswering] = useState<Merge>();
  const waiting = list.data?.filter(({ status }) => status === '01') ?? [];
  const undoable = list.data?.filter((merge) => merge.canundo === 1 && merge.tocuserid === cuserid) ?? [];
  return (
    <>
      {waiting.map((merge) => (
        <Alert key={merge.mergeid} color="orange" role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              {merge.askname} 于 {merge.asktime.slice(0, 16)} 申请把两份档案合并，等待另一位同事复核。在此之前档案和个案都不变。
            </Text>
            {merge.cananswer === 1 && (
              <Button size="compact-sm" variant="default" onClick={() => setAnswering(merge)}>
                复核
              </Button>
            )}
          </Group>
        </Alert>
      ))}
      {undoable.map((merge) => (
        <Alert key={merge.mergeid} color="blue" role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              {merge.fromname}
              {merge.archiveno && ` 的档案 ${merge.archiveno}`} 已并入本档案（{merge.mergetime?.slice(0, 10)}），{merge.undountil}{' '}
              之前可以撤销。
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => setUndoing(merge.mergeid)}>
              撤销合并
            </Button>
          </Group>
        </Alert>
      ))}
      {undoing !== undefined && (
        <UndoMergeDrawer mergeid={undoing} invalidates={invalidates} onClose={() => setUndoing(undefined)} />
      )}
      {answering && <AnswerDrawer merge={answering} invalidates={invalidates} onClose={() => setAnswering(undefined)} />}
    </>
  );
}

/** 撤销合并: asks for the reason and undoes. */
export function UndoMergeDrawer({
  mergeid,
  invalidates,
  onClose,
}: {
  mergeid: number;
  invalidates: readonly Action[];
  onClose: () => void;
}) {
  const form = useActionForm(undoMergeCUser, {
    initial: { mergeid, reason: '' },
    onDone: onClose,
    invalidates: [getMergeList, ...invalidates],
    successMessage: '已撤销，两份档案各自恢复',
  });
  return (
    <FormDrawer title="撤销合并" onClose={onClose} form={form} width={560} save="撤销合并">
      <Text size="sm">
        两份档案恢复原样，答卷、报告和授权各归各处。合并时以“并案”结案的个案会重新打开，时限从现在起算。合并之后的新答卷留在保留的档案里。
      </Text>
      <LongTextField {...form.field('reason')} maxLength={200} />
    </FormDrawer>
  );
}

/** The second person agrees to a merge or returns it. */
function AnswerDrawer({ merge, invalidates, onClose }: { merge: Merge; invalidates: readonly Action[]; onClose: () => void }) {
  const form = useActionForm(answerMergeCUser, {
    initial: { mergeid: merge.mergeid, content: '' },
    onDone: ({ status }) => {
      notify.done(status === '02' ? '两份档案已合并' : '已退回');
      onClose();
    },
    invalidates: [getMergeList, ...invalidates],
    successMessage: '',
  });
  return (
    <FormDrawer title="复核合并档案" onClose={onClose} form={form} width={560} save="提交复核结论">
      <Text size="sm">
        {merge.askname} 于 {merge.asktime.slice(0, 16)} 申请把{merge.fromname}
        {merge.archiveno && `（档案号 ${merge.archiveno}）`}并入{merge.toname}的档案，其中有进行中的预警。
      </Text>
      <Text size="sm">合并依据：{merge.reason}</Text>
      <Radio.Group
        label="结论"
        required
        value={form.values.agreed === undefined ? null : String(form.values.agreed)}
        onChange={(value) => form.set('agreed', Number(value))}
        error={form.error('agreed')}
        data-path="agreed"
      >
        <Stack gap="xs" mt={6}>
          <Radio value="1" label="同意：两份档案是同一个人，立即合并" />
          <Radio value="0" label="退回：不是同一个人，或依据不足" />
        </Stack>
      </Radio.Group>
      <LongTextField {...form.field('content')} maxLength={200} />
    </FormDrawer>
  );
}
