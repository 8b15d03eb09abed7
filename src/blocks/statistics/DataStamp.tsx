import { Text } from '@mantine/core';
import { fromShanghai } from '#domain/base/calendar.ts';
import { useUser } from '#ui/api/session.ts';
import { stamp } from '#ui/display/RelativeTime.tsx';
import classes from './statistics.module.css';

interface Props {
  reads: readonly { dataUpdatedAt: number; data: unknown }[];
  /** `getStatisticTime`: figures over several institutions were counted some minutes ago. */
  counted: string | undefined;
}

/** 数据截至: the time of the oldest of these reads or of their count, so that no figure is older than it says. */
export function DataStamp({ reads, counted }: Props) {
  const times = reads.filter(({ data }) => data !== undefined).map(({ dataUpdatedAt }) => dataUpdatedAt);
  const isComplete = counted !== undefined && times.length === reads.length && times.length > 0;
  return (
    <Text size="sm" c="dimmed" role="status">
      {isComplete ? `数据截至 ${stamp(Math.min(fromShanghai(counted).getTime(), ...times))}` : '正在统计…'}
    </Text>
  );
}

/** The head of a page of statistics on paper: whose figures these are. */
export function PrintHead({ title }: { title: string }) {
  const { insname } = useUser();
  return (
    <Text className={classes['printHead'] ?? ''} fz={20} fw={600} mb="xs">
      {insname} {title}
    </Text>
  );
}
