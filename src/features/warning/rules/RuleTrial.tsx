import { useUser } from '#ui/api/session.ts';
import { levelName } from '#domain/warning/levels.ts';
import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import type { CustomCond } from '#domain/warning/customRule.ts';
import { call } from '#ui/api/call.ts';
import { SelectField } from '#ui/form/fields.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { testWarningRule } from '#features/warning/rules/rule.contract.ts';
import classes from '#features/warning/warning.module.css';

const SPANS = [30, 90, 180, 366].map((value) => ({ value, label: value === 366 ? '近一年' : `近 ${value} 天` }));

/** Tries the rule of the form on past exams. The trial opens no case and notifies nobody. */
export function RuleTrial({ cond, warninglevel, appid }: { cond: CustomCond; warninglevel: number; appid: string | null }) {
  const { sector } = useUser();
  const [days, setDays] = useState(180);
  const [isBusy, setIsBusy] = useState(false);
  const [trial, setTrial] = useState<{ requestKey: string; result: ResponseOf<typeof testWarningRule> }>();
  const requestKey = JSON.stringify([cond, warninglevel, appid, days]);
  const run = () => {
    setIsBusy(true);
    call(testWarningRule, { cond: cond as never, warninglevel, appid, days })
      .then((result) => setTrial({ requestKey, result }), notifyError)
      .finally(() => setIsBusy(false));
  };
  // The result is shown only while the form still says what was tried.
  const result = trial?.requestKey === requestKey ? trial.result : undefined;
  return (
    <section className={classes['suggest']} aria-label="试运行">
      <Group justify="space-between" align="end">
        <div style={{ width: 140 }}>
          <SelectField
            label="用既往答卷试运行"
            options={SPANS}
            value={days}
            clearable={false}
            onChange={((next: number) => setDays(next)) as never}
          />
        </div>
        <Button variant="default" loading={isBusy} onClick={run}>
          试运行
        </Button>
      </Group>
      <div aria-live="polite" style={{ marginTop: 10 }}>
        {result ? (
          <>
            <Text size="sm">
              核对 {result.checked} 份答卷，命中 <b>{result.hits}</b> 份（{result.persons} 人），比现有规则多发现{' '}
              <b>{result.more}</b> 人。
            </Text>
            {result.samples.length > 0 && (
              <Table.ScrollContainer minWidth={420}>
                <Table verticalSpacing={4} fz={13} mt={8} aria-label="命中的答卷">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>姓名</Table.Th>
                      <Table.Th>交卷时间</Table.Th>
                      <Table.Th>得分</Table.Th>
                      <Table.Th>现有规则</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {result.samples.map((sample) => (
                      <Table.Tr key={sample.examcode}>
                        <Table.Td>
                          {sample.username} <span className={classes['quiet']}>{sample.belongs}</span>
                        </Table.Td>
                        <Table.Td>{sample.submittime.slice(0, 10)}</Table.Td>
                        <Table.Td>{sample.scores}</Table.Td>
                        <Table.Td>{sample.before === 0 ? '未预警' : levelName(sample.before, sector)}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {trial ? '条件已修改，请重新试运行' : '不会产生预警，也不会通知任何人'}
          </Text>
        )}
      </div>
    </section>
  );
}
