import { useRef } from 'react';
import { call } from '#ui/api/call.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';
import { acceptWarning, withdrawAcceptance } from '#features/warning/handling/handling.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';

type Accepted = Pick<WarningRow, 'warningcode' | 'owneruserid' | 'state'>;

/** Whether the acceptance of a case in this state can be taken back. After the first talk, an acceptance is one of news and stands. */
export const canWithdraw = ({ state }: Pick<WarningRow, 'state'>): boolean => state === '01' || state === '02';

/** Accepts a case; the message offers to take it back. `onDone` runs after the acceptance. */
export function useAcceptance(onDone?: (warningcode: string) => void) {
  const before = useRef<Accepted>(undefined);
  const accept = useActionMutation(acceptWarning, {
    onDone: ({ warningcode, version }) => {
      const row = before.current;
      if (row && canWithdraw(row))
        notifyWithUndo('已受理', () => call(withdrawAcceptance, { warningcode, version, owneruserid: row.owneruserid }));
      else notify.done('已受理');
      onDone?.(warningcode);
    },
  });
  return {
    /** the case whose acceptance is on its way */
    pending: accept.isPending ? accept.variables.warningcode : undefined,
    accept: (row: Accepted) => {
      before.current = row;
      accept.mutate({ warningcode: row.warningcode });
    },
  };
}
