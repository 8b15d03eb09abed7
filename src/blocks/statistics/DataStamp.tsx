import { Text } from '@mantine/core';
import { stamp } from '#ui/display/RelativeTime.tsx';

/** 数据截至: the time of the oldest of these reads, so that no figure is older than it says. */
export function DataStamp({ reads }: { reads: readonly { dataUpdatedAt: number; data: unknown }[] }) {
  const times = reads.filter(({ data }) => data !== undefined).map(({ dataUpdatedAt }) => dataUpdatedAt);
  return (
    <Text size="sm" c="dimmed" role="status">
      {times.length === reads.length && times.length > 0 ? `数据截至 ${stamp(Math.min(...times))}` : '正在统计…'}
    </Text>
  );
}
