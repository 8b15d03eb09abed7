import { useQueryClient } from '@tanstack/react-query';
import type { Action, RequestOf } from '#contract/action.ts';
import { call } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';

/**
 * Returns a function that deletes something on which nothing depends, without a question. The message offers to undo it: `again` adds
 * the same thing with the ordinary action. A refusal is shown, and nothing is deleted.
 */
export function useDeletion<A extends Action>(action: A) {
  const client = useQueryClient();
  return async (request: RequestOf<A>, message: string, again: () => Promise<unknown>): Promise<void> => {
    try {
      await call(action, request);
    } catch (error) {
      return notifyError(error);
    }
    notifyWithUndo(message, again);
    await invalidateActions(client);
  };
}
