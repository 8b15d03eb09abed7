import { useState } from 'react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { NO_CHOICES, toWork, type WorkChoices } from '#blocks/handover/workChoices.ts';
import { handOver } from '#features/handover/handOver.contract.ts';

/** The open work of an account, without `userid` the caller's, and what the choices would do with it. */
export function useWorkPreview(userid?: string) {
  const [choices, setChoices] = useState<WorkChoices>(NO_CHOICES);
  const work = toWork(choices);
  const read = useActionQuery(
    handOver,
    { ...(userid === undefined ? {} : { fromuserid: userid }), ...work, preview: 1 },
    { keepPrevious: true },
  );
  return { read, choices, setChoices, work };
}
