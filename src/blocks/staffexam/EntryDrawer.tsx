import { Alert, Drawer, Group, Radio, Stack, Text, Button } from '@mantine/core';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import type { ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { SelectField } from '#ui/form/fields.tsx';
import { useLeave } from '#ui/form/useLeave.ts';
import { EntryForm, type EntryTarget } from '#blocks/staffexam/EntryForm.tsx';
import { PersonLine } from '#blocks/person/PersonLine.tsx';
import { useStageOptions } from '#blocks/person/archiveColumns.tsx';
import { getStaffExamOptions, type EntryWay } from '#features/staffexam/staffexam.contract.ts';

const WAYS: readonly { value: EntryWay; label: string; hint: string }[] = [
  { value: '01', label: '他评', hint: '由您按平时的观察填写' },
  { value: '03', label: '纸质录入', hint: '把纸质答卷逐题录入' },
  { value: '02', label: '分数录入', hint: '只录入已获授权的纸质量表的总分和因子分' },
];
interface Entered {
  cuserid: string;
  username: string;
  appid: string;
  /** the stage proposed for today; '' without one */
  stagecode?: string;
}
type Options = ResponseOf<typeof getStaffExamOptions>;
type Option = Options['options'][number];
const keyOf = ({ formcode, plancode, taskcode }: Option) => [formcode, plancode, taskcode].join('|');

/** 录入结果: chooses the way, the questionnaire and the day of the test; then staff type in what they saw or read. */
export function EntryDrawer({ row, onClose }: { row: Entered; onClose: () => void }) {
  const options = useActionQuery(getStaffExamOptions, { cuserid: row.cuserid }, { quiet: true });
  const [target, setTarget] = useState<EntryTarget>();
  const [isTyped, setIsTyped] = useState(false);
  const leave = useLeave(isTyped, onClose);
  return (
    <Drawer
      opened
      onClose={leave}
      position="right"
      title={`录入结果：${row.username}`}
      size={target ? 'min(760px, 100vw)' : 'min(520px, 100vw)'}
    >
      <Loaded read={options} skeleton={<Skeletons.Form />}>
        {(given) => (
          <Stack gap="md">
            <PersonLine person={given.person} number={[given.person.numbername, given.person.number]} />
            {target ? (
              <EntryForm target={target} onTyped={setIsTyped} onBack={() => setTarget(undefined)} onClose={onClose} />
            ) : given.refusal ? (
              <EmptyState title="不能录入" hint={given.refusal} />
            ) : given.options.length === 0 ? (
              <EmptyState title="没有可以录入的量表" hint="请在方案库中为这个人群准备方案" />
            ) : (
              <Choice row={row} given={given} onChoose={setTarget} onClose={leave} />
            )}
          </Stack>
        )}
      </Loaded>
    </Drawer>
  );
}

function Choice({
  row,
  given,
  onChoose,
  onClose,
}: {
  row: Entered;
  given: Options;
  onChoose: (target: EntryTarget) => void;
  onClose: () => void;
}) {
  const ways = WAYS.filter(({ value }) => given.options.some((option) => option.way === value));
  const [way, setWay] = useState<EntryWay>(ways[0]?.value ?? '01');
  const offered = given.options.filter((option) => option.way === way);
  const [chosenKey, setChosenKey] = useState<string>();
  const option = offered.find((item) => keyOf(item) === chosenKey) ?? (offered.length === 1 ? offered[0] : undefined);
  const today = shanghaiDate(new Date());
  const [testdate, setTestdate] = useState<string | undefined>(today);
  const all = useStageOptions(row.appid);
  const own = (option?.stages ?? []).map((stage) => ({ value: stage.stagecode, label: stage.stagename }));
  const stages = own.length > 0 ? own : all;
  const [stagecode, setStagecode] = useState<string | null>(row.stagecode || null);
  const stage = stages.some(({ value }) => value === stagecode) ? stagecode : null;
  const begin = () => {
    if (!option || !testdate) return;
    const { formcode, plancode, taskcode, name } = option;
    onChoose({
      cuserid: row.cuserid,
      way,
      name,
      testdate,
      ...(formcode && { formcode }),
      ...(plancode && { plancode }),
      ...(taskcode ? { taskcode } : { stagecode: stage }),
    });
  };
  return (
    <Stack gap="md">
      {given.waits === 1 && (
        <Alert color="blue" variant="light">
          本人或监护人还没有同意：得分和报告会在同意后显示；涉及安全的情况仍会立即预警。
        </Alert>
      )}
      {ways.length > 1 && (
        <Radio.Group label="录入方式" value={way} onChange={(next) => (setWay(next as EntryWay), setChosenKey(undefined))}>
          <Stack gap="xs" mt={6}>
            {ways.map(({ value, label, hint }) => (
              <Radio key={value} value={value} label={label} description={hint} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <SelectField
        label={way === '03' ? '方案或量表' : '量表'}
        required
        clearable={false}
        value={option ? keyOf(option) : null}
        options={offered.map((item) => ({ value: keyOf(item), label: item.name }))}
        onChange={((next: string) => setChosenKey(next)) as never}
      />
      {!option?.taskcode && way !== '01' && (
        <SelectField
          label="阶段"
          clearable
          placeholder="不分阶段"
          value={stage}
          options={stages}
          onChange={((next: string | null | undefined) => setStagecode(next ?? null)) as never}
        />
      )}
      <DayField
        label={way === '01' ? '观察日期' : '测评日期'}
        required
        max={today}
        value={testdate}
        onChange={((next: string | undefined) => setTestdate(next)) as never}
      />
      <Text size="xs" c="dimmed">
        提交后与本人作答一样计分、生成报告和预警；没有授权的，提交时使用 1 次。
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          取消
        </Button>
        <Button disabled={!option || !testdate} onClick={begin}>
          开始录入
        </Button>
      </Group>
    </Stack>
  );
}
