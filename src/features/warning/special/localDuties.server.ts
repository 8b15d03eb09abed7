import { DEFAULT_LOCAL_DUTIES } from '#domain/warning/clock/caseduty.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import * as contract from '#features/warning/special/localDuties.contract.ts';
import { saveLocalDuties } from '#features/warning/special/special.queries.ts';

const getLocalDuties = handle(contract.getLocalDuties, async (_, { scope, caller }) => {
  const { trigger } = await findWarningSettings(scope, caller.musercode);
  const { authorityhours, abusehours, injuryhours } = trigger.local ?? DEFAULT_LOCAL_DUTIES;
  return {
    authority: authorityhours === null ? 0 : 1,
    authorityhours: authorityhours ?? DEFAULT_LOCAL_DUTIES.authorityhours ?? 24,
    abusehours,
    injuryhours,
  };
});

const updateLocalDuties = handle(
  contract.updateLocalDuties,
  async ({ authority, authorityhours, ...hours }, { scope, caller, audit }) => {
    const local = { ...hours, authorityhours: authority === 1 ? authorityhours : null };
    await saveLocalDuties(scope, caller.musercode, local);
    audit({ detail: local });
    return {};
  },
);

export const localDutiesHandlers = [getLocalDuties, updateLocalDuties];
