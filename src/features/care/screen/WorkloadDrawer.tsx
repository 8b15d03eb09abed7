import { Drawer, Text } from '@mantine/core';
import { shanghaiDate, shiftDate } from '#domain/base/calendar.ts';
import { formatNumber } from '#domain/base/number.ts';
import { levelName } from '#domain/warning/levels.ts';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf, type ScreenKey } from '#contract/menu.ts';
import { hasPermission, isHiddenField, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { getWorkload } from '#features/care/followup/work.contract.ts';
import classes from './followup.module.css';

type Member = ResponseOf<typeof getWorkload>[number];
interface Figure {
  head: string;
  value: (row: Member) => number;
  /** the list that the number counts; undefined where the reader has no such screen */
  to: (row: Member) => string | undefined;
  red?: boolean;
}

/** The list of a screen, or nothing without the right to open it. */
const listOf = (screen: ScreenKey, query: string) => (hasPermission(screen) ? `${pathOf(screen)}?${query}` : undefined);
const ownerQuery = ({ userid }: Member) => (userid === null ? 'noowner=1' : `owneruserid=${userid}`);

/** 工作量: what each colleague has open. Each number leads to the list that it counts. */
export function WorkloadDrawer({ onClose }: { onClose: () => void }) {
  const { sector } = useUser();
  const read = useActionQuery(getWorkload, {}, { quiet: true });
  const from = shanghaiDate(new Date());
  const until = shiftDate(from, 6);
  const levels = isHiddenField(getWorkload, 'cases') ? [] : [4, 3, 2, 1];
  const figures: Figure[] = [
    ...levels.map((level) => ({
      head: levelName(level, sector),
      value: ({ cases }: Member) => cases[level - 1] ?? 0,
      to: ({ userid }: Member) =>
        userid === null
          ? undefined
          : listOf(
              'warning.crisis',
              `owneruserid=${userid}&levels=${level}&${['01', '02', '03', '04', '05', '06'].map((state) => `states=${state}`).join('&')}`,
            ),
      red: level === 4,
    })),
    { head: '今日随访', value: ({ today }) => today, to: (row) => listOf('consult.followups', `view=today&${ownerQuery(row)}`) },
    {
      head: '逾期',
      value: ({ overdue }) => overdue,
      to: (row) => listOf('consult.followups', `view=overdue&${ownerQuery(row)}`),
      red: true,
    },
    { head: '待随访', value: ({ waiting }) => waiting, to: (row) => listOf('consult.followups', `status=01&${ownerQuery(row)}`) },
    {
      head: '7 天预约',
      value: ({ bookings }) => bookings,
      to: ({ userid }) =>
        userid === null
          ? undefined
          : listOf('consult.forms', `view=all&status=02&counsellor=${userid}&bookedfrom=${from}&bookedto=${until}`),
    },
    {
      head: '负责人数',
      value: ({ persons }) => persons,
      to: ({ userid }) => (userid === null ? undefined : listOf('archives.all', `owneruserid=${userid}`)),
    },
  ];
  return (
    <Drawer opened onClose={onClose} position="right" title="工作量" size="min(920px, 100vw)">
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="还没有可以负责随访的人员" hint="请先在权限管理中为人员授予随访管理" />
          ) : (
            <div className={classes['work']} tabIndex={0} role="region" aria-label="每位同事的工作量">
              <table>
                <thead>
                  <tr>
                    <th scope="col">人员</th>
                    {figures.map(({ head }) => (
                      <th key={head} scope="col">
                        {head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.userid ?? ''}>
                      <th scope="row">
                        {row.realname}
                        {row.isself === 1 && '（本人）'}
                        {row.absentuntil && (
                          <Text component="span" size="xs" c="dimmed" ml={6}>
                            请假至 {row.absentuntil.slice(5, 10)}
                          </Text>
                        )}
                      </th>
                      {figures.map((figure) => (
                        <td key={figure.head} data-head={figure.head}>
                          <FigureLink row={row} figure={figure} onClose={onClose} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      <Text size="xs" c="dimmed" mt="md">
        今日随访含已逾期的；预约为今天起 7 天内。数字可以点开，与列表一致。移交全部工作请在
        {hasPermission('organization.users') ? <Link to={pathOf('organization.users')}>用户管理</Link> : '用户管理'}
        中办理；自己的工作可在个人中心移交。
      </Text>
    </Drawer>
  );
}

function FigureLink({ row, figure: { head, value, to, red }, onClose }: { row: Member; figure: Figure; onClose: () => void }) {
  const number = value(row);
  if (number === 0) return <span className={classes['none']}>0</span>;
  const path = to(row);
  const style = red ? { color: 'var(--level-4-ink)', fontWeight: 600 } : undefined;
  if (!path) return <span style={style}>{formatNumber(number)}</span>;
  return (
    <Link to={path} onClick={onClose} style={style} aria-label={`${row.realname} ${head} ${number}`}>
      {formatNumber(number)}
    </Link>
  );
}
