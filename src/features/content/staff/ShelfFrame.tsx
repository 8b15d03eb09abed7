import { Stack, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { call } from '#ui/api/call.ts';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';

/** The problem of a content that is no longer visible. */
const NOT_FOUND = 130001;

/**
 * Opens a content once. Each call counts an opening, so a window that gets the focus reads nothing again. Nothing is cached, so that a
 * learner comes back to the newest second.
 */
export function useOpened<A extends Action>(action: A, request: RequestOf<A> | undefined) {
  const client = useQueryClient();
  const queryKey = [action.name, request];
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(action, request as RequestOf<A>, signal),
    enabled: request !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  });
  return {
    ...read,
    change: (next: (before: ResponseOf<A>) => ResponseOf<A>) =>
      client.setQueryData<ResponseOf<A>>(queryKey, (before) => before && next(before)),
  };
}

/** Reads the number of a content from the address; undefined when it is none. */
export const idFrom = (text: string | null): number | undefined =>
  text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

/** A number that no content has. An address without a number opens it, so that the reader gets the same friendly answer. */
export const NO_CONTENT = 2_147_483_647;

/** The way back to a tab of the shelf. */
export const BackToShelf = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} style={{ fontSize: 14 }}>
    ‹ {children}
  </Link>
);

/** What a page of one content shows while it has none: grey shapes, a friendly word when it is gone, or the error. */
export function NotOpened({
  read,
  what,
  back,
}: {
  read: { error: unknown; refetch: () => unknown };
  what: string;
  back: ReactNode;
}) {
  const isGone = read.error instanceof ApiError && read.error.code === NOT_FOUND;
  if (!read.error) return <Skeletons.Page />;
  return (
    <Section>
      {isGone ? (
        <Stack align="center" gap={6} py={44} role="status">
          <IconCloudOff size={36} stroke={1.2} color="var(--ink-2)" aria-hidden />
          <Text fw={500}>{what}已下线</Text>
          <Text size="sm" c="dimmed" ta="center">
            可能已过期或已被发布者收回，可以看看别的内容
          </Text>
          {back}
        </Stack>
      ) : (
        <ErrorState error={read.error} retry={() => void read.refetch()} />
      )}
    </Section>
  );
}
