import { DEFAULT_LOCAL_DUTIES } from '#domain/warning/clock/caseduty.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findSettingVersion, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import * as contract from '#features/warning/special/localDuties.contract.ts';
import { saveLocalDuties } from '#features/warning/special/special.queries.ts';

const getLocalDuties = handle(contract.getLocalDuties, async (_, { scope, caller }) => {
  const { trigger } = await findWarningSettings(scope, caller.musercode);
  const { authorityhours, abusehours, injuryhours, caseyears } = trigger.local ?? DEFAULT_LOCAL_DUTIES;
  return {
    version: await findSettingVersion(scope, caller.musercode, 'localduties'),
    authority: authorityhours === null ? 0 : 1,
    authorityhours: authorityhours ?? DEFAULT_LOCAL_DUTIES.authorityhours ?? 24,
    abusehours,
    injuryhours,
    caseyears,
  };
});

const updateLocalDuties = handle(
  contract.updateLocalDuties,
  async ({ authority, authorityhours, abusehours, injuryhours, caseyears }, { scope, caller, audit }) => {
    const { trigger } = await findWarningSettings(scope, caller.musercode);
    const before = (trigger.local ?? DEFAULT_LOCAL_DUTIES).authorityhours;
    const hours = authorityhours ?? before ?? DEFAULT_LOCAL_DUTIES.authorityhours;
    const isReported = (authority ?? (before === null ? 0 : 1)) === 1;
    const local = {
      ...(abusehours !== undefined && { abusehours }),
      ...(injuryhours !== undefined && { injuryhours }),
      ...(caseyears !== undefined && { caseyears }),
      ...((authority !== undefined || authorityhours !== undefined) && { authorityhours: isReported ? hours : null }),
    };
    await saveLocalDuties(scope, caller.musercode, local);
    audit({ detail: local });
    return {};
  },
);

export const localDutiesHandlers = [getLocalDuties, updateLocalDuties];
