import { Button, Text } from '@mantine/core';
import { ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import { pathOf } from '#contract/menu.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { can } from '#ui/api/session.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import { formatDay } from '#blocks/consult/TimePick.tsx';
import { appointConsult } from '#features/consult/booking/booking.contract.ts';
import { getConsultPageList, type ConsultRow } from '#features/consult/register/register.contract.ts';
import classes from './consult.module.css';

const TONES = { '01': 'amber', '02': 'lime', '03': 'green', '04': 'gray', '05': 'orange' } as const;
/** The most registrations that a case shows. The link below leads to all of them. */
const SHOWN = 10;

/** The registration with a way back to the case after it is finished. */
const linkOf = (consultid: number): string => `${pathOf('consult.forms')}?view=all&open=${consultid}&from=case`;

/** 咨询 of a case: its bookings, the next one on top, each with a link to its registration. Nothing for readers without 登记表管理. */
export function CaseConsults({ warningcode, onBook }: { warningcode: string; onBook: (() => void) | false }) {
  const isReader = can(getConsultPageList);
  const read = useActionQuery(
    getConsultPageList,
    isReader ? { warningcode, view: 'all', pageSize: SHOWN, orderby: 'slotbegin', isasc: '0' } : undefined,
    { quiet: true },
  );
  if (!isReader || !read.data) return null;
  const { rows, total } = read.data;
  if (rows.length === 0 && !onBook) return null;
  return (
    <Section
      title="咨询"
      right={
        onBook &&
        can(appointConsult) && (
          <Button size="compact-sm" variant="light" data-noprint onClick={onBook}>
            预约咨询
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          尚未预约
        </Text>
      ) : (
        <ul className={classes['list']} aria-label="咨询">
          {inOrder(rows).map((row) => (
            <li key={row.consultid} className={classes['row']}>
              <div>
                <Link to={linkOf(row.consultid)}>
                  {row.slotbegin
                    ? `${formatDay(row.slotbegin)} ${row.slotbegin.slice(11, 16)}–${row.slotend?.slice(11, 16)}`
                    : '待安排时间'}
                </Link>
                <div className={classes['quiet']}>
                  {[ConsultType.label(row.consulttype), row.counsellorname, row.room].filter(Boolean).join(' · ')}
                </div>
              </div>
              <EnumBadge of={ConsultStatus} code={row.status} tones={TONES} />
            </li>
          ))}
        </ul>
      )}
      {total > rows.length && (
        <Text size="sm" c="dimmed" mt="xs">
          共 {total} 次，这里显示最近 {rows.length} 次
        </Text>
      )}
    </Section>
  );
}

/** What waits and the coming bookings first, the next one on top; then the past ones, the latest on top. */
const inOrder = (rows: readonly ConsultRow[]): ConsultRow[] => {
  const isAhead = ({ status }: ConsultRow) => status === '01' || status === '02';
  const timeOf = ({ slotbegin }: ConsultRow) => slotbegin ?? '';
  return [
    ...rows.filter(isAhead).sort((a, b) => timeOf(a).localeCompare(timeOf(b))),
    ...rows.filter((row) => !isAhead(row)).sort((a, b) => timeOf(b).localeCompare(timeOf(a))),
  ];
};
