import { Text } from '@mantine/core';
import { useUser } from '#ui/api/session.ts';
import { stamp } from '#ui/display/RelativeTime.tsx';
import classes from './statistics.module.css';

/** 数据截至: the time of the oldest of these reads, so that no figure is older than it says. */
export function DataStamp({ reads }: { reads: readonly { dataUpdatedAt: number; data: unknown }[] }) {
  const times = reads.filter(({ data }) => data !== undefined).map(({ dataUpdatedAt }) => dataUpdatedAt);
  return (
    <Text size="sm" c="dimmed" role="status">
      {times.length === reads.length && times.length > 0 ? `数据截至 ${stamp(Math.min(...times))}` : '正在统计…'}
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
