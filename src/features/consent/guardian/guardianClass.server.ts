import { shanghaiTime } from '#domain/base/calendar.ts';
import { distinguishNames } from '#domain/task/chaseText.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import { childCodeOf } from '#features/consent/guardian/childCode.ts';
import * as contract from '#features/consent/guardian/guardian.contract.ts';
import { findClassPupils, type ClassPupil } from '#features/consent/guardian/guardianClass.queries.ts';
import { needsConsent } from '#features/consent/guardian/guardianFacts.ts';
import { findOwnInstitution, findTeam } from '#features/team/roster/roster.queries.ts';
import { findEntryOf } from '#features/consent/guardian/guardianlist.queries.ts';

const stateOf = ({ status }: ClassPupil) => (status === 1 ? 'signed' : status === 2 ? 'refused' : 'pending');

async function findNeeded({ scope, now }: ReadContext<'staff'>, musercode: string, teamcode?: string): Promise<ClassPupil[]> {
  const { facts } = await findCurrentConsent(scope, musercode);
  const pupils = await findClassPupils(scope, teamcode === undefined ? { musercode } : { teamcode });
  return pupils.filter((pupil) => needsConsent(pupil, facts.terms.teenguardian, now));
}

const getGuardianClassList = handle(contract.getGuardianClassList, async ({ musercode }, ctx) => {
  const institution = musercode ?? ctx.caller.musercode;
  if (!(await findOwnInstitution(ctx.scope, institution))) throw problems.notFound({ what: '机构' });
  const classes = new Map<string, contract.GuardianClass>();
  for (const pupil of await findNeeded(ctx, institution)) {
    const { teamcode, teamname } = pupil;
    const counts = classes.get(teamcode) ?? { teamcode, teamname, needed: 0, signed: 0, refused: 0, pending: 0 };
    counts.needed++;
    counts[stateOf(pupil)]++;
    classes.set(teamcode, counts);
  }
  const entry = await findEntryOf(ctx.scope, institution);
  return {
    clientcode: entry?.clientcode ?? '',
    link: entry ? `${ctx.publicUrl}/c/${entry.clientcode}/parent/` : '',
    classes: [...classes.values()],
  };
});

const getGuardianClassMembers = handle(contract.getGuardianClassMembers, async ({ teamcode }, ctx) => {
  const team = await findTeam(ctx.scope, teamcode);
  if (!team) throw problems.notFound({ what: '团体' });
  const pupils = await findNeeded(ctx, team.musercode, teamcode);
  const labels = distinguishNames(
    pupils.map(({ username, studentno }) => ({ username: displayName(ctx.caller, username), studentno })),
  );
  ctx.audit({ cuserids: pupils.map(({ cuserid }) => cuserid) });
  return pupils.map((pupil, index) => ({
    cuserid: pupil.cuserid,
    label: labels[index] as string,
    state: stateOf(pupil),
    method: pupil.method ?? '',
    verifiedtime: pupil.verifiedtime ? shanghaiTime(pupil.verifiedtime) : '',
    hasphone: pupil.hasphone ? 1 : 0,
    child: childCodeOf(ctx.cipher, team.musercode, pupil.cuserid),
  }));
});

export const guardianClassHandlers = [getGuardianClassList, getGuardianClassMembers];
