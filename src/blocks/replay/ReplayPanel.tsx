import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { levelName } from '#domain/warning/levels.ts';
import { call } from '#ui/api/call.ts';
import { useUser } from '#ui/api/session.ts';
import { SelectField } from '#ui/form/fields.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { replayChange } from '#features/warning/replay/replay.contract.ts';
import classes from '#blocks/replay/replay.module.css';

const SPANS = [30, 90, 180, 366].map((value) => ({ value, label: value === 366 ? '近一年' : `近 ${value} 天` }));

type Replay = ResponseOf<typeof replayChange>;
type Request = RequestOf<typeof replayChange>;

interface Props {
  kind: Request['kind'];
  content: Request['content'];
}

/**
 * Replays the past with a change, before it is switched on: who would be flagged, who no longer, cases and hours a week. It opens no case
 * and notifies nobody. The result is shown only while the form still says what was replayed.
 */
export function ReplayPanel({ kind, content }: Props) {
  const [days, setDays] = useState(180);
  const [isBusy, setIsBusy] = useState(false);
  const [replay, setReplay] = useState<{ requestKey: string; result: Replay }>();
  const requestKey = JSON.stringify([content, days]);
  const run = () => {
    setIsBusy(true);
    call(replayChange, { kind, content, days })
      .then((result) => setReplay({ requestKey, result }), notifyError)
      .finally(() => setIsBusy(false));
  };
  const result = replay?.requestKey === requestKey ? replay.result : undefined;
  return (
    <section className={classes['panel']} aria-label="回放既往答卷">
      <Group justify="space-between" align="end">
        <div style={{ width: 140 }}>
          <SelectField
            label="用既往答卷回放"
            options={SPANS}
            value={days}
            clearable={false}
            onChange={((next: number) => setDays(next)) as never}
          />
        </div>
        <Button variant="default" loading={isBusy} onClick={run}>
          回放
        </Button>
      </Group>
      <div aria-live="polite" className={classes['result']}>
        {result ? (
          <Figures result={result} />
        ) : (
          <Text size="sm" c="dimmed">
            {replay ? '内容已修改，请重新回放' : '不会产生预警，也不会通知任何人。启用前须在 24 小时内回放过'}
          </Text>
        )}
      </div>
    </section>
  );
}

/** A hidden cell has fewer than five persons of several institutions. */
const cellText = (count: number | null) => (count === null ? '少于 5' : String(count));

function Figures({ result }: { result: Replay }) {
  const { sector } = useUser();
  const { sittings, unjudged, iscut, casesperweek, hoursperweek, persons } = result;
  if (sittings === 0)
    return (
      <Text size="sm" c="dimmed">
        这段时间没有可以回放的答卷，可以直接启用
      </Text>
    );
  const changes: readonly (readonly [string, number | null])[] = [
    ['新增', result.added],
    ['不再提示', result.removed],
    ['升级', result.raised],
    ['降级', result.lowered],
  ];
  const words = (level: number) => (level === 0 ? '未预警' : levelName(level as 1, sector));
  return (
    <>
      <Text size="sm">
        回放 {sittings} 份答卷{iscut ? '（最近的 20,000 份）' : ''}，提示人数 {cellText(result.before)} →{' '}
        <b>{cellText(result.after)}</b>。{unjudged > 0 && `其中 ${unjudged} 份缺少新版本需要的题目，无法判断。`}
      </Text>
      <dl className={classes['changes']}>
        {changes.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{cellText(count)} 人</dd>
          </div>
        ))}
      </dl>
      {casesperweek && hoursperweek && (
        <Text size="sm">
          每周约 {casesperweek.before} → {casesperweek.after} 个个案，处理用时约 {hoursperweek.before} → {hoursperweek.after}{' '}
          小时（按等级从低到高，每例 0.5、1、2、4 小时估算）。
        </Text>
      )}
      <Table verticalSpacing={4} fz={13} mt={8} aria-label="各等级人数" style={{ maxWidth: 320 }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>等级</Table.Th>
            <Table.Th>现在</Table.Th>
            <Table.Th>改动后</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {result.levels.map((level, index) => (
            <Table.Tr key={index}>
              <Table.Td>{words(index + 1)}</Table.Td>
              <Table.Td>{cellText(level.before)}</Table.Td>
              <Table.Td>{cellText(level.after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {persons.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table verticalSpacing={4} fz={13} mt={8} aria-label="有变化的人">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>姓名</Table.Th>
                <Table.Th>交卷时间</Table.Th>
                <Table.Th>现在</Table.Th>
                <Table.Th>改动后</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {persons.map((person) => (
                <Table.Tr key={person.cuserid}>
                  <Table.Td>
                    {person.username} <span className={classes['quiet']}>{person.belongs}</span>
                  </Table.Td>
                  <Table.Td>{person.submittime.slice(0, 10)}</Table.Td>
                  <Table.Td>{words(person.before)}</Table.Td>
                  <Table.Td>{words(person.after)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
