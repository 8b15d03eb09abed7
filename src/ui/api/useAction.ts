import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { call, callWithoutRecovery } from '#ui/api/call.ts';
import { notify } from '#ui/feedback/notify.ts';

/**
 * Reads with an action: cached, refreshed when the window comes back. `undefined` as request waits until there is one.
 * One person's sensitive data (`reveal`) is only asked for by a person's own step, because the server may want a proof: it is not
 * refreshed when the window comes back, and `every` freshens it as long as that needs no proof, without ever asking for one.
 * `keepPrevious`: while the next is read, e.g. another page, what was there before is still shown.
 */
export function useActionQuery<A extends Action>(
  action: A,
  request: RequestOf<A> | undefined,
  more: { every?: number; quiet?: boolean; keepPrevious?: boolean } = {},
) {
  const revealing = action.kind === 'reveal';
  useFreshened(action, revealing ? request : undefined, more.every);
  return useQuery({
    queryKey: [action.name, request],
    queryFn: ({ signal }) => call(action, request as RequestOf<A>, signal),
    enabled: request !== undefined,
    meta: { quiet: more.quiet ?? false },
    ...(more.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(revealing ? { refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
    ...(more.every && !revealing ? { refetchInterval: more.every } : {}),
  });
}

/** Renews what is shown of a reveal from time to time; a refusal leaves it as it stands. */
function useFreshened<A extends Action>(action: A, request: RequestOf<A> | undefined, every: number | undefined) {
  const client = useQueryClient();
  const requestKey = request === undefined ? undefined : JSON.stringify(request);
  useEffect(() => {
    if (requestKey === undefined || !every) return;
    const request = JSON.parse(requestKey) as RequestOf<A>;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      const key = [action.name, request];
      const shown = () => client.getQueryState(key)?.dataUpdatedAt;
      const before = shown();
      callWithoutRecovery(action, request).then(
        // What was read again meanwhile, after a step of the person, is newer than this answer.
        (answer) => shown() === before && client.setQueryData(key, answer),
        () => undefined,
      );
    }, every);
    return () => clearInterval(timer);
  }, [client, action, requestKey, every]);
}

/**
 * Does something with an action. Afterwards the reads of `invalidates` are read again (every read when not given);
 * `successMessage` is shown on success. Refusals are told for five seconds by themselves.
 */
export function useActionMutation<A extends Action>(
  action: A,
  more: { invalidates?: readonly Action[]; successMessage?: string; onDone?: (result: ResponseOf<A>) => void } = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: RequestOf<A>) => call(action, request),
    onSuccess: async (result) => {
      if (more.successMessage) notify.done(more.successMessage);
      more.onDone?.(result);
      await invalidateActions(client, more.invalidates);
    },
  });
}

/** Marks reads as outdated, so that what is on the screen is read again. */
export function invalidateActions(client: ReturnType<typeof useQueryClient>, actions?: readonly Action[]): Promise<unknown> {
  if (!actions) return client.invalidateQueries();
  return Promise.all(actions.map((action) => client.invalidateQueries({ queryKey: [action.name] })));
}
