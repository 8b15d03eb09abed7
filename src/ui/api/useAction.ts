import { keepPreviousData, useMutation, useQuery, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { needsStepUp, type Action, type RequestOf, type ResponseOf } from '#contract/action.ts';
import { call, callWithoutRecovery } from '#ui/api/call.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { conflictOf } from '#ui/api/conflict.ts';

/**
 * Reads with an action: cached, and read again when the window gets the focus. `undefined` as request waits until there is one.
 * A call that shows one person's sensitive data (`reveal`) is recorded and may need a step-up, so only a person's own action starts
 * it. `every` renews it silently while no step-up is needed.
 * `keepPrevious`: the previous data stays visible while the next data loads.
 */
export function useActionQuery<A extends Action>(
  action: A,
  request: RequestOf<A> | undefined,
  more: { every?: number; quiet?: boolean; keepPrevious?: boolean } = {},
) {
  const revealing = action.kind === 'reveal';
  // Each call of these is recorded, so it is sent only when the person asks.
  const isRecorded = action.kind !== 'read';
  useFreshened(action, revealing ? request : undefined, more.every);
  return useQuery({
    queryKey: [action.name, request],
    queryFn: ({ signal }) => call(action, request as RequestOf<A>, signal),
    enabled: request !== undefined,
    meta: {
      quiet: more.quiet ?? false,
      ...(request && needsStepUp(action, request) ? { renew: () => callWithoutRecovery(action, request) } : {}),
    },
    ...(more.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(isRecorded ? { refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
    ...(more.every && !revealing ? { refetchInterval: more.every } : {}),
  });
}

/** Renews revealed data from time to time. After a refusal the old data stays. */
function useFreshened<A extends Action>(action: A, request: RequestOf<A> | undefined, every: number | undefined) {
  const client = useQueryClient();
  const requestKey = request === undefined ? undefined : JSON.stringify(request);
  useEffect(() => {
    if (requestKey === undefined || !every) return;
    const request = JSON.parse(requestKey) as RequestOf<A>;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      const key = [action.name, request];
      const readTime = () => client.getQueryState(key)?.dataUpdatedAt;
      const before = readTime();
      callWithoutRecovery(action, request).then(
        // The person may have read the data again in the meantime; that answer is newer.
        (answer) => readTime() === before && client.setQueryData(key, answer),
        () => undefined,
      );
    }, every);
    return () => clearInterval(timer);
  }, [client, action, requestKey, every]);
}

/**
 * Writes with an action. Then it reads the actions of `invalidates` again (every read when absent). `successMessage` is shown on
 * success; refusals are shown for five seconds.
 */
export function useActionMutation<A extends Action>(
  action: A,
  more: {
    invalidates?: readonly Action[];
    successMessage?: string;
    onDone?: (result: ResponseOf<A>) => void;
    /** The user takes the version of another person; the screen forgets what was typed and shows it. */
    onAdopt?: () => void;
    /** The caller shows the refusal itself, at its field. */
    quiet?: boolean;
  } = {},
) {
  const client = useQueryClient();
  // After a conflict the user has seen the newer version: saving again is deliberate.
  const seen = useRef<number>(undefined);
  const send = async (request: RequestOf<A>): Promise<ResponseOf<A>> => {
    try {
      const version = seen.current === undefined ? {} : { version: seen.current };
      const result = await call(action, { ...(request as object), ...version } as RequestOf<A>);
      seen.current = undefined;
      return result;
    } catch (error) {
      const conflict = more.onAdopt && conflictOf(error);
      if (!conflict) throw error;
      const text = `${(error as Error).message}。您的选择还在：可以采用对方的，也可以保留您的并再次保存。`;
      const isAdopted = await confirm({ title: '内容已被他人修改', text, yes: '采用对方的', no: '保留我的' });
      seen.current = isAdopted ? undefined : conflict.version;
      if (isAdopted) {
        await invalidateActions(client, more.invalidates);
        more.onAdopt?.();
      }
      throw new DOMException('the user has chosen', 'AbortError');
    }
  };
  return useMutation({
    mutationFn: send,
    meta: { quiet: more.quiet ?? false },
    onSuccess: async (result) => {
      if (more.successMessage) notify.done(more.successMessage);
      more.onDone?.(result);
      await invalidateActions(client, more.invalidates);
    },
  });
}

/**
 * Marks reads as outdated, so that visible data is read again. Data that may need a step-up is read again silently: if the server
 * refuses, the old data stays until the person opens it again.
 */
export async function invalidateActions(client: QueryClient, actions?: readonly Action[]): Promise<void> {
  const isConcerned = ({ queryKey }: Query) => !actions || actions.some((action) => action.name === queryKey[0]);
  const plain = client.invalidateQueries({ predicate: (query) => isConcerned(query) && !query.meta?.renew });
  await client.invalidateQueries({ predicate: (query) => isConcerned(query) && Boolean(query.meta?.renew), refetchType: 'none' });
  const renewals = client
    .getQueryCache()
    .findAll({ type: 'active', predicate: isConcerned })
    .map(({ meta, queryKey }) =>
      meta?.renew?.().then(
        (answer) => client.setQueryData(queryKey, answer),
        () => undefined,
      ),
    );
  await Promise.all([plain, ...renewals]);
}
