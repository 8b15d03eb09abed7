import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { call } from '#ui/call.ts';
import { say } from '#ui/say.ts';

/** Reads with an action: cached, refreshed when the window comes back. `undefined` as request waits until there is one. */
export function useRead<A extends Action>(
  action: A,
  request: RequestOf<A> | undefined,
  more: { every?: number; quiet?: boolean } = {},
) {
  return useQuery({
    queryKey: [action.name, request],
    queryFn: ({ signal }) => call(action, request as RequestOf<A>, signal),
    enabled: request !== undefined,
    meta: { quiet: more.quiet ?? false },
    ...(more.every ? { refetchInterval: more.every } : {}),
  });
}

/**
 * Does something with an action. Afterwards the reads of `touches` are read again (every read when not given);
 * `said` is told on success. Refusals are told for five seconds by themselves.
 */
export function useDo<A extends Action>(
  action: A,
  more: { touches?: readonly Action[]; said?: string; onDone?: (result: ResponseOf<A>) => void } = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: RequestOf<A>) => call(action, request),
    onSuccess: async (result) => {
      if (more.said) say.done(more.said);
      more.onDone?.(result);
      await refreshed(client, more.touches);
    },
  });
}

/** Marks reads as outdated, so that what is on the screen is read again. */
export function refreshed(client: ReturnType<typeof useQueryClient>, touches?: readonly Action[]): Promise<unknown> {
  if (!touches) return client.invalidateQueries();
  return Promise.all(touches.map((one) => client.invalidateQueries({ queryKey: [one.name] })));
}
