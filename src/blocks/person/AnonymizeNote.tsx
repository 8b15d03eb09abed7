import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Action, ResponseOf } from '#contract/action.ts';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { answerAnonymization, getAnonymization, withdrawAnonymization } from '#features/anonymize/anonymize.contract.ts';

type Read = ResponseOf<typeof getAnonymization>;
type Waiting = NonNullable<Read['waiting']>;

/** The request for 匿名化 that waits, on the person's page: a second person answers it, and the asker may withdraw it. */
export function AnonymizeNote({ cuserid, invalidates }: { cuserid: string; invalidates: readonly Action[] }) {
  const read = useActionQuery(getAnonymization, can(getAnonymization) ? { cuserid } : undefined, { quiet: true });
  const [isAnswering, setIsAnswering] = useState(false);
  const withdraw = useActionMutation(withdrawAnonymization, {
    invalidates: [getAnonymization],
    successMessage: '已撤回，资料没有改动',
  });
  const waiting = read.data?.waiting;
  if (!waiting) return null;
  const { anonymizationid, askname, asktime, duetime, reason, cananswer, canwithdraw } = waiting;
  return (
    <>
      <Alert color="orange" role="status">
        <Group justify="space-between" gap="sm">
          <div>
            <Text size="sm">
              {askname} 于 {asktime.slice(0, 16)} 申请匿名化，等待另一位同事在 {duetime.slice(0, 16)} 前复核。在此之前资料不变。
            </Text>
            <Text size="sm">原因：{reason}</Text>
          </div>
          {cananswer === 1 && (
            <Button size="compact-sm" variant="default" onClick={() => setIsAnswering(true)}>
              复核
            </Button>
          )}
          {canwithdraw === 1 && (
            <Button
              size="compact-sm"
              variant="default"
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate({ anonymizationid })}
            >
              撤回申请
            </Button>
          )}
        </Group>
      </Alert>
      {isAnswering && read.data && (
        <AnswerDrawer read={read.data} waiting={waiting} invalidates={invalidates} onClose={() => setIsAnswering(false)} />
      )}
    </>
  );
}

/** The second person agrees, and the person is erased at once, or returns the request. */
function AnswerDrawer({
  read: { receipt, refusal },
  waiting: { anonymizationid, askname, asktime, reason },
  invalidates,
  onClose,
}: {
  read: Read;
  waiting: Waiting;
  invalidates: readonly Action[];
  onClose: () => void;
}) {
  const form = useActionForm(answerAnonymization, {
    initial: { anonymizationid, content: '' },
    onDone: ({ status }) => {
      notify.done(status === '02' ? '已匿名化' : '已退回，资料没有改动');
      onClose();
    },
    invalidates: [getAnonymization, ...invalidates],
    successMessage: '',
  });
  return (
    <FormDrawer title="复核匿名化" onClose={onClose} form={form} width={560} save="提交复核结论">
      <Text size="sm">
        {askname} 于 {asktime.slice(0, 16)} 申请。原因：{reason}
      </Text>
      <Text size="sm">同意后立即办理，不能恢复；并入的旧档案也一并删除。</Text>
      <ReceiptLists receipt={receipt} />
      {refusal && (
        <Alert color="orange" role="alert" title="现在还不能同意" styles={{ title: { color: 'var(--ink)' } }}>
          {refusal}
        </Alert>
      )}
      <Radio.Group
        label="结论"
        required
        value={form.values.agreed === undefined ? null : String(form.values.agreed)}
        onChange={(value) => form.set('agreed', Number(value))}
        error={form.error('agreed')}
        data-path="agreed"
      >
        <Stack gap="xs" mt={6}>
          <Radio value="1" disabled={refusal !== ''} label="同意：依据充分，立即匿名化" />
          <Radio value="0" label="退回：依据不足，或不应删除" />
        </Stack>
      </Radio.Group>
      <LongTextField {...form.field('content')} maxLength={200} />
    </FormDrawer>
  );
}

/** What an erasure erases, and what stays until when by which ground. */
export function ReceiptLists({ receipt: { erased, kept } }: { receipt: Read['receipt'] }) {
  return (
    <>
      <div>
        <Text size="sm" fw={600}>
          删除，不能恢复
        </Text>
        <List size="sm" spacing={4}>
          {erased.map(({ name, count }) => (
            <List.Item key={name}>
              {name}：{count} 项
            </List.Item>
          ))}
        </List>
      </div>
      <div>
        <Text size="sm" fw={600}>
          依法或按规定保留，不再显示姓名
        </Text>
        <List size="sm" spacing={4}>
          {kept.map(({ name, count, until, ground }) => (
            <List.Item key={name}>
              {name}：{count} 项，{until ? `保存至 ${until}` : '系统不删除'}（{ground}）
            </List.Item>
          ))}
        </List>
      </div>
    </>
  );
}
