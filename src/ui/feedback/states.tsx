import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  title?: string;
  /** The next thing to do, in one sentence. */
  hint?: ReactNode;
  /** The button that does it. */
  children?: ReactNode;
  /** Filters are set: the state offers to clear them. */
  filtered?: boolean;
  reset?: () => void;
}

/** An empty state with the next thing to do. Errors never use it. */
export function EmptyState({ title, hint, children, filtered = false, reset }: EmptyProps) {
  return (
    <Stack align="center" gap={6} py={44} px="md" data-state="empty">
      <IconInbox size={36} stroke={1.2} color="var(--mantine-color-gray-5)" aria-hidden />
      <Text fw={500}>{title ?? (filtered ? '没有符合条件的记录' : '暂无数据')}</Text>
      {(hint ?? (filtered && '可以放宽条件再查询')) && (
        <Text size="sm" c="dimmed" ta="center">
          {hint ?? '可以放宽条件再查询'}
        </Text>
      )}
      {filtered && reset && (
        <Button variant="default" size="xs" mt={6} onClick={reset}>
          清空条件
        </Button>
      )}
      {children && <Group mt={6}>{children}</Group>}
    </Stack>
  );
}

/** An error state. It never looks like an empty list. */
export function ErrorState({ error, retry }: { error?: unknown; retry?: () => void }) {
  const reason = error instanceof Error ? error.message : '';
  return (
    <Stack align="center" gap={6} py={44} px="md" role="alert">
      <IconAlertTriangle size={36} stroke={1.2} color="var(--level-3)" aria-hidden />
      {retry ? (
        <Button variant="subtle" leftSection={<IconRefresh size={16} aria-hidden />} onClick={retry}>
          加载失败，点击重试
        </Button>
      ) : (
        <Text fw={500}>加载失败</Text>
      )}
      {reason && (
        <Text size="sm" c="dimmed" ta="center">
          {reason}
        </Text>
      )}
    </Stack>
  );
}

/** Grey shapes in the form of the coming content. */
export const Skeletons = {
  Lines: ({ count = 4 }: { count?: number }) => (
    <Stack gap="sm" aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={14} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  ),
  Tiles: ({ count = 4 }: { count?: number }) => (
    <Group grow aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={92} />
      ))}
    </Group>
  ),
  Form: ({ count = 5 }: { count?: number }) => (
    <Stack gap="md" aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <Stack key={index} gap={6}>
          <Skeleton height={12} width={80} />
          <Skeleton height={36} />
        </Stack>
      ))}
    </Stack>
  ),
  Chart: ({ height = 240 }: { height?: number }) => <Skeleton height={height} aria-hidden />,
  Page: () => (
    <Stack gap="md" aria-hidden>
      <Skeleton height={68} />
      <Skeleton height={420} />
    </Stack>
  ),
};

/** Shows a query: first a skeleton, then the data, or the error with a retry button. */
export function Loaded<T>({
  read,
  skeleton: bones,
  children,
}: {
  read: { data: T | undefined; error: unknown; refetch: () => unknown };
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (read.data !== undefined) return children(read.data);
  if (read.error) return <ErrorState error={read.error} retry={() => void read.refetch()} />;
  return bones ?? <Skeletons.Lines />;
}
