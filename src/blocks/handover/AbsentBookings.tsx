import { Text } from '@mantine/core';
import { describe, RowLink } from '#blocks/handover/WorkFields.tsx';
import { handOver } from '#features/handover/handOver.contract.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import classes from './handover.module.css';

/** The bookings of a member of staff before the end of an absence, with links to move them. Shows nothing without one. */
export function AbsentBookings({ until, userid }: { until: string; userid: string | undefined }) {
  const read = useActionQuery(handOver, { ...(userid ? { fromuserid: userid } : {}), preview: 1 }, { quiet: true });
  if (read.isError) return <Text size="sm">没有读到外出期间的预约，请在登记表管理中核对。</Text>;
  const rows =
    read.data?.bookings.rows.filter(({ status, slotbegin }) => status === '02' && slotbegin && slotbegin < until) ?? [];
  if (rows.length === 0) return null;
  return (
    <section aria-label="外出期间的咨询预约">
      <Text size="sm" fw={600}>
        外出期间有 {rows.length} 个咨询预约
      </Text>
      <Text size="sm">登记外出不会改动预约，请逐个改约，或用“移交工作”转给同事。</Text>
      <ul className={classes['absent']} aria-label="外出期间的预约">
        {rows.map((row) => {
          const { title, text } = describe('bookings', row);
          return (
            <li key={row.id}>
              <RowLink kind="bookings" id={row.id} title={title} /> {text}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
