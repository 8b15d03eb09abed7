import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#contract/apiError.ts';
import { notifyError } from '#ui/feedback/notify.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `quiet`: the caller shows the error itself. `renew` reads data again that may need a step-up, without asking for one: after a
     * saved act nobody is asked a second question.
     */
    queryMeta: { quiet?: boolean; renew?: () => Promise<unknown> };
    mutationMeta: { quiet?: boolean };
  }
}

const tell = (error: unknown, meta: { quiet?: boolean } | undefined) => {
  if (!meta?.quiet) notifyError(error);
};

/** The cache of server data of the signed-in account. It is cleared when the account changes. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => tell(error, query.meta) }),
  mutationCache: new MutationCache({ onError: (error, _variables, _context, mutation) => tell(error, mutation.meta) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      // Repeats after a network failure only. The server would refuse the same request again.
      retry: (count, error) => count < 2 && error instanceof ApiError && error.code === 0,
    },
  },
});
