import { Table, Text } from '@mantine/core';
import { WarningState } from '#domain/base/enums.ts';
import { formatCount, PROTECTED_NOTE } from '#domain/base/suppression.ts';
import { levelName } from '#domain/warning/levels.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getWarningCount } from '#features/warning/warning.contract.ts';
import classes from './authority.module.css';

/** 危机预警 for an authority: the numbers of cases in its region by level and by state. */
export function AuthorityWarnings() {
  const { sector } = useUser();
  const read = useActionQuery(getWarningCount, {}, { every: 60_000 });
  return (
    <PageStack>
      <Loaded read={read} skeleton={<Skeletons.Page />}>
        {({ open, overdue, today, levels, states, rounded }) => (
          <>
            <StatTiles
              label="辖区预警"
              tiles={[
                { name: '在办预警', value: formatCount(open, rounded), definition: '辖区内尚未结案的预警' },
                { name: '待受理', value: formatCount(states['01'] ?? null, rounded), definition: '尚无人受理' },
                { name: '超时', value: formatCount(overdue, rounded), definition: '下一步已超过时限' },
                { name: '今日新增', value: formatCount(today, rounded), definition: '今天零点以来触发' },
              ]}
            />
            <div className={classes['numbers']}>
              <Section title="在办预警按等级">
                <Numbers
                  isRounded={rounded}
                  label="在办预警按等级"
                  rows={([4, 3, 2, 1] as const).map((level) => [levelName(level, sector), levels[level] ?? null])}
                />
              </Section>
              <Section title="全部预警按状态">
                <Numbers
                  isRounded={rounded}
                  label="全部预警按状态"
                  rows={WarningState.codes.map((state) => [WarningState.label(state), states[state] ?? null])}
                />
              </Section>
            </div>
            <Text size="sm" c="dimmed">
              {rounded && PROTECTED_NOTE}不显示姓名。个案由学校等机构处置，需要了解时请联系机构。
            </Text>
          </>
        )}
      </Loaded>
    </PageStack>
  );
}

function Numbers({
  label,
  rows,
  isRounded,
}: {
  label: string;
  rows: readonly (readonly [string, number | null])[];
  isRounded: boolean;
}) {
  return (
    <Table aria-label={label}>
      <Table.Tbody>
        {rows.map(([name, count]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {name}
            </Table.Th>
            <Table.Td ta="right">{count === null ? '不显示' : formatCount(count, isRounded)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
