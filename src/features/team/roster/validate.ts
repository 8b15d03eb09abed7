import { shanghaiDate } from '#domain/base/calendar.ts';
import { normalizeTeamName } from '#domain/person/grades.ts';
import type { PersonKind } from '#contract/workbook/importJob.ts';
import { validateTable, type ParsedTable } from '#contract/workbook/importSheet.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import type { ImportRequest } from '#features/import/import.queries.ts';
import type { Inspection } from '#features/import/importFile.ts';
import { fromRoster, fromStudents, type Incoming } from '#features/team/roster/row.ts';
import { planImport, type ImportPlan } from '#features/team/roster/plan.ts';
import { findKnown } from '#features/team/roster/roster.queries.ts';

/** What an import of persons keeps. */
export interface PersonsRequest extends ImportRequest {
  kind: PersonKind;
  appid: string;
  year: string;
  createteam: '0' | '1';
  teamcode?: string | undefined;
}

/** An inspected roster. Its `remarks` and `effects` are the plan's. */
export interface InspectedPersons extends Inspection {
  plan: ImportPlan;
}

/** Checks a staged table against itself and against the database, and plans what importing it would do. */
export async function inspectRoster(
  ctx: Pick<Context, 'scope' | 'cipher' | 'now'> & { caller: Staff },
  job: { musercode: string; request: PersonsRequest },
  staged: ParsedTable,
): Promise<InspectedPersons> {
  const { musercode, request } = job;
  const { kind, appid, year } = request;
  const checked = validateTable(kind, staged, shanghaiDate(ctx.now));
  const complete = !checked.columns.some((column) => column.state === 'missing');
  const incoming = complete
    ? checked.rows.flatMap((row): Incoming[] =>
        row.ok ? [(kind === 'roster' ? fromRoster : fromStudents)(row.row, row.values as never, { appid, year })] : [],
      )
    : [];
  // A list of pregnant women has no column for what all of them are.
  if (appid === '000000001') for (const row of incoming) row.gender ??= '02';
  const blind = (phone: string) => ctx.cipher.blindIndex(musercode, 'cuser.phone', phone);
  const every = (of: (row: Incoming) => string | null | undefined) => [
    ...new Set(incoming.map(of).filter((text): text is string => Boolean(text))),
  ];
  const knownKnown = await findKnown(ctx.scope, {
    musercode,
    appid,
    numbers: every((row) => row.number),
    hashes: every((row) => row.phone).map(blind),
    names: every((row) => row.username),
    teamnames: every((row) => row.team && normalizeTeamName(row.team.teamname)),
    teamcode: request.teamcode,
    staff: every((row) => row.headteacher?.toLowerCase()),
  });
  const plan = planImport(incoming, knownKnown, {
    kind,
    createteam: request.createteam === '1',
    into: request.teamcode ? knownKnown.teams.find((team) => team.teamcode === request.teamcode) : undefined,
    blind,
    show: (username) => displayName(ctx.caller, username),
  });
  return { checked, plan, remarks: plan.remarks, effects: plan.effects };
}
