import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { newUuid } from '#domain/base/uuid.ts';
import { ApiError } from '#contract/apiError.ts';
import type { ResponseOf } from '#contract/action.ts';
import { call } from '#ui/api/call.ts';
import { invalidateActions, useActionQuery } from '#ui/api/useAction.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { EntryResult } from '#blocks/staffexam/EntryResult.tsx';
import { SheetFields } from '#blocks/staffexam/SheetFields.tsx';
import * as state from '#blocks/staffexam/entryState.ts';
import { getStaffExam, insertStaffExam, submitStaffExam, type EntryWay } from '#features/staffexam/staffexam.contract.ts';

export interface EntryTarget {
  cuserid: string;
  way: EntryWay;
  formcode?: string;
  plancode?: string;
  taskcode?: string;
  stagecode?: string | null;
  name: string;
  testdate: string;
}
interface Props {
  target: EntryTarget;
  /** something was typed in that would be lost */
  onTyped: (isTyped: boolean) => void;
  onBack: () => void;
  onClose: () => void;
}

/** The form of one entry. Everything typed stays after a refusal and after signing in again. */
export function EntryForm(props: Props) {
  const { name: _name, testdate: _testdate, ...target } = props.target;
  const read = useActionQuery(getStaffExam, target, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Form />}>
      {(given) => <Sheets given={given} {...props} />}
    </Loaded>
  );
}

type Result = ResponseOf<typeof submitStaffExam>;
type Faults = Readonly<Record<string, Readonly<Record<string, string>>>>;
const faultOf = (formcode: string, c: string, message: string, faults: Faults = {}): Faults => ({
  ...faults,
  [formcode]: { ...faults[formcode], [c]: message },
});

function Sheets({ given, target, onTyped, onBack, onClose }: Props & { given: ResponseOf<typeof getStaffExam> }) {
  const { sheets, person } = given;
  const [first, setFirst] = useState<state.TypedSheets>({});
  const [second, setSecond] = useState<state.TypedSheets>();
  const [differences, setDifferences] = useState<state.Difference[]>([]);
  const [faults, setFaults] = useState<Faults>({});
  const [canMiss, setCanMiss] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();
  const submitkey = useRef('');
  const place = useRef<HTMLDivElement>(null);
  const client = useQueryClient();
  const typed = second ?? first;
  const isSecond = second !== undefined;
  // Digits answer from the first key on, also when the sheet is typed a second time.
  useEffect(() => place.current?.querySelector<HTMLElement>('input, textarea')?.focus(), [isSecond]);
  const change = (formcode: string, next: state.Typed) => {
    (second ? setSecond : setFirst)({ ...typed, [formcode]: next });
    setFaults({});
    onTyped(true);
  };
  const showFaults = (next: Faults) => {
    setFaults(next);
    requestAnimationFrame(() => place.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' }));
  };

  const send = async (one: state.TypedSheets, two: state.TypedSheets | undefined) => {
    setBusy(true);
    try {
      const { name: _name, testdate, ...opened } = target;
      const { examcode } = await call(insertStaffExam, opened);
      submitkey.current ||= newUuid();
      const answer = await call(submitStaffExam, {
        examcode,
        submitkey: submitkey.current,
        testdate,
        sheets: state.toRequest(sheets, one, person),
        ...(two && { second: state.toRequest(sheets, two, person) }),
        ...(canMiss && { allowmissing: 1 }),
      });
      if (answer.done === 0) {
        setIsMissing(target.way === '03');
        showFaults(answer.missing.reduce((all, { formcode, c }) => faultOf(formcode, c, '这道题还没有录入', all), {} as Faults));
        return;
      }
      onTyped(false);
      setResult(answer);
      void invalidateActions(client);
    } catch (error) {
      const list =
        error instanceof ApiError ? (error.data as { faults?: { c: string; message: string }[] } | undefined)?.faults : [];
      const [sheet] = sheets;
      if (list?.length && sheet)
        showFaults(list.reduce((all, { c, message }) => faultOf(sheet.formcode, c, message, all), {} as Faults));
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };

  const finish = () => {
    if (!second) return void send(first, undefined);
    const found = state.findDifferences(sheets, first, second);
    setDifferences(found);
    if (found.length === 0) void send(first, second);
    else place.current?.scrollIntoView({ block: 'start' });
  };
  const settle = (difference: state.Difference, keeps: 'first' | 'second') => {
    if (!second) return;
    const one = keeps === 'first' ? first : state.withValueOf(first, second, difference);
    const two = keeps === 'second' ? second : state.withValueOf(second, first, difference);
    setFirst(one);
    setSecond(two);
    setDifferences(state.findDifferences(sheets, one, two));
  };

  if (result) return <EntryResult result={result} onClose={onClose} />;
  return (
    <Stack gap="md" ref={place} data-entry>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{second ? `第二次录入：${target.name}` : target.name}</Text>
        <Text size="sm" c="dimmed">
          {target.testdate}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {target.way === '02'
          ? '请按纸质量表录入分数。涉及安全的题目也要录入，总分看不出这些题的回答。'
          : '可以用数字键选择选项，选好后自动到下一题。'}
      </Text>
      {differences.length > 0 && (
        <Alert
          color="orange"
          role="status"
          title={`两次录入有 ${differences.length} 处不一致，请对照纸质答卷`}
          styles={{ title: { color: 'var(--ink)' } }}
        >
          <Stack gap="xs">
            {differences.map((difference) => (
              <Group key={`${difference.formcode} ${difference.c}`} gap="xs">
                <Text size="sm" style={{ flex: '1 1 200px' }}>
                  {difference.title}
                </Text>
                <Button size="compact-sm" variant="default" onClick={() => settle(difference, 'first')}>
                  第一次：{difference.first}
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => settle(difference, 'second')}>
                  第二次：{difference.second}
                </Button>
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
      {sheets.map((sheet) => (
        <SheetFields
          key={`${sheet.formcode} ${second ? 2 : 1}`}
          sheet={sheet}
          person={person}
          typed={typed[sheet.formcode] ?? state.nothingTyped}
          onChange={(next) => change(sheet.formcode, next)}
          faults={faults[sheet.formcode] ?? {}}
          hasTitle={sheets.length > 1}
        />
      ))}
      {isMissing && (
        <Checkbox
          label="纸质答卷上确实没有作答这些题"
          description="缺答较多时不计算得分"
          checked={canMiss}
          onChange={(event) => setCanMiss(event.currentTarget.checked)}
        />
      )}
      <Group justify="space-between">
        <Button variant="subtle" onClick={second ? () => (setSecond(undefined), setDifferences([])) : onBack}>
          {second ? '放弃第二次录入' : '重新选择'}
        </Button>
        <Group gap="xs">
          {!second && target.way !== '01' && (
            <Button
              variant="default"
              disabled={!state.isTyped(first)}
              onClick={() => (setSecond({}), place.current?.scrollIntoView({ block: 'start' }))}
            >
              再录一遍核对
            </Button>
          )}
          <Button loading={busy} disabled={!state.isTyped(typed)} onClick={finish}>
            {second ? '核对并提交' : '提交'}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
