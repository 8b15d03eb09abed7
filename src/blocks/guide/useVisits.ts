import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { callWithoutRecovery } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { getChecklist, visitStep } from '#features/guide/guide.contract.ts';

/**
 * Ticks the steps of the checklist whose page the user opens. It knows the list from the workbench, the first page of a session; without
 * it nothing is sent.
 */
export function useVisits(pathname: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const list = client.getQueryData<ResponseOf<typeof getChecklist>>([getChecklist.name, {}]);
    const steps = list?.steps.filter((step) => step.isvisit && !step.isdone && step.path === pathname) ?? [];
    if (steps.length === 0) return;
    void Promise.all(steps.map(({ key }) => callWithoutRecovery(visitStep, { key })))
      .then(() => invalidateActions(client, [getChecklist]))
      // The step stays open and the next visit tries again.
      .catch(() => undefined);
  }, [client, pathname]);
}
