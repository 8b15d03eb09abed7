import { Input, MultiSelect, Text } from '@mantine/core';
import type { RequestSubject } from '#domain/warning/decision/secondRequest.ts';
import type { Field } from '#ui/form/fields.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getSecondList } from '#features/warning/second/second.contract.ts';
import classes from '#features/warning/warning.module.css';

/** Chooses the second persons of a step. Nobody chosen means all who may answer. */
export function SecondField({
  warningcode,
  subject,
  onPick,
  ...field
}: Field & { warningcode: string; subject: RequestSubject; onPick: (userids: string[]) => void }) {
  const { data } = useActionQuery(getSecondList, { warningcode, subject });
  const persons = data ?? [];
  const names = persons.map(({ realname }) => realname).join('、');
  if (data && persons.length === 0)
    return (
      <Input.Wrapper label="复核人" error={field.error}>
        <Text size="sm" c="dimmed">
          现在没有可以复核的人员。提交后个案仍由您负责，24 小时内没有结果会逐级提醒。
        </Text>
      </Input.Wrapper>
    );
  return (
    <>
      <MultiSelect
        label="复核人"
        placeholder={(field.value as string[] | undefined)?.length ? '' : persons.length > 0 ? `全部：${names}` : '全部'}
        error={field.error}
        data-path={field['data-path']}
        data={persons.map(({ userid, realname }) => ({ value: userid, label: realname }))}
        value={[...((field.value as string[] | undefined) ?? [])]}
        onChange={onPick}
        clearable
      />
      <p className={classes['script']}>
        {'提交后会通知复核人，显示在对方的“待我复核”里。对方同意后自动办理，退回会告诉您原因；24 小时内须有结果。'}
      </p>
    </>
  );
}
