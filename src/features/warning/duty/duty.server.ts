import { chooseHotlines } from '#domain/exam/hotline.ts';
import type { Scope } from '#server/db/scope.ts';
import { handle } from '#server/dispatch/handle.ts';
import { CARE_TYPES, isPermitted } from '#contract/action.ts';
import { findInstitutionHotlines } from '#features/hotline/hotline.queries.ts';
import * as contract from '#features/warning/duty/duty.contract.ts';
import { getCallList } from '#features/warning/duty/calllist.contract.ts';
import { countCalls } from '#features/warning/duty/calllist.queries.ts';
import {
  findAbleOnceBack,
  findDutyGaps,
  findProviderName,
  findSettingVersion,
  findStaff,
  findWarningSettings,
  markDuty,
  saveRoster,
  type DutyRoster,
  type WarningStaff,
} from '#features/warning/duty/duty.queries.ts';
import { findEntry } from '#features/warning/cases/caseDetail.queries.ts';
import { findReconcileState } from '#features/warning/reconcile/reconcileState.ts';
import { canReadCases } from '#features/warning/warningrow.ts';
import { findWarning } from '#features/warning/warning.queries.ts';
import { problems } from '#contract/problem.ts';

const OWNER_ROLES = ['psychologist', 'warningduty', 'insadmin'];
const toMember = ({ userid, realname, phonenumber, post, duty, onduty, opencases }: WarningStaff) => ({
  userid,
  realname,
  phonenumber: phonenumber ?? '',
  post: post ?? '',
  duty: duty ? 1 : 0,
  onduty: onduty ? 1 : 0,
  opencases,
});

const getWarningStaffList = handle(contract.getWarningStaffList, async ({ warningcode }, { scope, caller, now }) => {
  const row = warningcode ? await findWarning(scope, warningcode) : undefined;
  const musercode = row?.musercode ?? caller.musercode;
  const { roster } = await findWarningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, now);
  return staff
    .filter((item) => item.isAble && item.roles.some((role) => OWNER_ROLES.includes(role)))
    .filter((item) => !row?.suspectuserids.includes(item.userid))
    .sort((a, b) => Number(b.onduty) - Number(a.onduty) || a.opencases - b.opencases)
    .map(toMember);
});

const getDutyList = handle(contract.getDutyList, async (_, { scope, caller, now }) => {
  const { roster } = await findWarningSettings(scope, caller.musercode);
  const staff = await findStaff(scope, caller.musercode, roster, now);
  const isCovered = staff.some((item) => item.onduty);
  const mayCall = isPermitted(getCallList.allow, caller.codes, caller.musertype);
  const entry = await findEntry(scope, caller.musercode);
  const weekdays = Object.fromEntries(Object.entries(roster.weekdays ?? {}).map(([day, ids]) => [day, [...ids]]));
  const dates = Object.fromEntries(Object.entries(roster.dates ?? {}).map(([day, ids]) => [day, [...ids]]));
  return {
    today: staff
      .filter((item) => item.onduty)
      .map(({ userid, realname, phonenumber }) => ({ userid, realname, phonenumber: phonenumber ?? '' })),
    standin: isCovered ? '' : ((await findProviderName(scope, caller.musercode)) ?? ''),
    calls: mayCall ? await countCalls(scope, caller) : 0,
    hotline: entry?.hotline ?? '12356',
    hotlines: chooseHotlines(await findInstitutionHotlines(scope, caller.musercode), now),
    reconcile:
      CARE_TYPES.some((type) => type === caller.musertype) && canReadCases(caller)
        ? await findReconcileState(scope, caller.musercode, now)
        : null,
    roster: isPermitted(contract.updateDuty.allow, caller.codes, caller.musertype)
      ? {
          version: await findSettingVersion(scope, caller.musercode, 'dutyroster'),
          weekdays,
          dates,
          staff: await findChoosable(scope, caller.musercode, staff, roster),
          gaps: await findDutyGaps(scope, caller.musercode, staff, roster, now),
        }
      : null,
  };
});

/** The staff for the roster: all who may handle cases once they are back, and all who stand in the roster already. */
async function findChoosable(scope: Scope, musercode: string, staff: readonly WarningStaff[], roster: DutyRoster) {
  const able = await findAbleOnceBack(scope, musercode);
  const named = [...Object.values(roster.weekdays ?? {}), ...Object.values(roster.dates ?? {})].flat();
  return staff
    .map((item) => ({ ...toMember(item), canhandle: able.includes(item.userid) }))
    .filter(({ userid, duty, canhandle }) => canhandle || duty === 1 || named.includes(userid));
}

const updateDuty = handle(contract.updateDuty, async (input, { scope, caller, now, audit }) => {
  const { roster } = await findWarningSettings(scope, caller.musercode);
  const { duty, weekdays = roster.weekdays ?? {}, dates = roster.dates ?? {} } = input;
  const knownUserids = new Set((await findStaff(scope, caller.musercode, {}, now)).map((staff) => staff.userid));
  for (const userid of [...(duty ?? []), ...Object.values(weekdays).flat(), ...Object.values(dates).flat()])
    if (!knownUserids.has(userid)) throw problems.notFound({ what: '值班人员' });
  if (duty) await markDuty(scope, caller.musercode, duty);
  await saveRoster(scope, caller.musercode, {
    ...(duty && { duty }),
    ...(input.weekdays && { weekdays }),
    ...(input.dates && { dates }),
  });
  audit({ detail: { duty, weekdays, dates } });
  return {};
});

export const dutyHandlers = [getWarningStaffList, getDutyList, updateDuty];
