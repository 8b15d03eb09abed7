import { Readable } from 'node:stream';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { CONSENT_SCOPES } from '#domain/exam/consent.ts';
import { toAppointment, toCarePlan, toDiagnosticReport, toFlag, toRiskAssessment } from '#features/fhir/resource/case.ts';
import { toConsent, toOrganization, toPatient, toPractitioner, toRelatedPerson } from '#features/fhir/resource/person.ts';
import { toQuestionnaire } from '#features/fhir/resource/questionnaire.ts';
import { FhirSpace, toInstant } from '#features/fhir/resource/resource.ts';
import { toObservation, toQuestionnaireResponse } from '#features/fhir/resource/sheet.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { groupRows } from '#server/export/inChunks.ts';
import { spool } from '#server/export/spool.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { assertReadsResults, canReadAnswers } from '#features/examdata/examRights.ts';
import { findScores, findSheetKeys, findSheets } from '#features/examdata/examdata.queries.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import * as contract from '#features/fhir/fhir.contract.ts';
import type { FhirType } from '#features/fhir/fhir.contract.ts';
import * as queries from '#features/fhir/fhir.queries.ts';

type StaffContext = Context<'staff'>;
type Entry = ReturnType<FhirSpace['entryOf']>;

/** Number of persons whose resources are in memory at once. */
const CHUNK = 100;

/** The resources of cases and of consultations, which need a right of their own. */
const CASE_TYPES: readonly FhirType[] = ['RiskAssessment', 'Flag', 'CarePlan'];

/** The persons of an export that the caller sees; 130001 for an unknown person or task. */
async function findSubjects(
  { cuserid, taskcode }: { cuserid?: string | undefined; taskcode?: string | undefined },
  ctx: StaffContext,
) {
  assertReadsResults(ctx.caller);
  const candidates = cuserid === undefined ? await queries.findRoster(ctx.scope, taskcode ?? '') : [cuserid];
  const cuserids = await queries.findVisible(ctx.scope, candidates, permittedPopulations(ctx.caller, undefined));
  if (cuserids.length === 0) throw problems.notFound({ what: cuserid === undefined ? '任务的受测者' : '受测者' });
  return cuserids;
}

/** The resources of the request that the caller may read. */
function readableTypes({ caller }: StaffContext, types: readonly FhirType[] = contract.FHIR_TYPES): ReadonlySet<FhirType> {
  const readsCases = caller.codes.has(codeOf('warning.crisis'));
  const readsConsults = caller.codes.has(codeOf('consult.forms'));
  return new Set(types.filter((type) => (readsCases || !CASE_TYPES.includes(type)) && (readsConsults || type !== 'Appointment')));
}

/** What one export shares: its addresses, what it holds, and what it already has. */
interface Writing {
  ctx: StaffContext;
  space: FhirSpace;
  types: ReadonlySet<FhirType>;
  needsAnswers: boolean;
  /** the questionnaires and the staff that the bundle has */
  known: Set<string>;
}

async function* persons({ ctx, space, types }: Writing, cuserids: readonly string[]): AsyncGenerator<Entry> {
  const { scope, cipher } = ctx;
  const open = ({ musercode, phonesealed }: { musercode: string; phonesealed: string | null }) =>
    phonesealed === null ? null : cipher.decrypt(musercode, 'cuser.phone', phonesealed);
  if (types.has('Patient'))
    for (const row of await queries.findPersons(scope, cuserids))
      yield space.entryOf(toPatient(space, { ...row, phonenumber: open(row) }));
  if (types.has('RelatedPerson'))
    for (const row of await queries.findGuardians(scope, cuserids))
      yield space.entryOf(toRelatedPerson(space, { ...row, phonenumber: open(row) }));
  if (types.has('Consent'))
    for (const row of await queries.findConsents(scope, cuserids))
      yield space.entryOf(toConsent(space, { ...row, scopename: CONSENT_SCOPES[row.scope] ?? row.scope }));
}

/** Yields the sheets of these persons with their questionnaires and scores. Returns the addresses of the scores of each exam. */
async function* sheets(
  { ctx, space, types, needsAnswers, known }: Writing,
  cuserids: readonly string[],
): AsyncGenerator<Entry, Map<string, string[]>> {
  const { scope } = ctx;
  const results = new Map<string, string[]>();
  const keys = await findSheetKeys(scope, {
    cuserids,
    appids: permittedPopulations(ctx.caller, undefined),
    phonehashes: undefined,
  });
  const ids = keys.map(({ examformid }) => examformid);
  const scores = groupRows(await findScores(scope, ids), ({ examformid }) => examformid);
  for (const sheet of await findSheets(scope, ids, { needsAnswers })) {
    const scale = await scaleFor(scope, sheet.formcode, sheet.formversion);
    const version = `${sheet.formcode}@${sheet.formversion}`;
    if (types.has('Questionnaire') && !known.has(version)) {
      known.add(version);
      yield space.entryOf(toQuestionnaire(space, scale, sheet.iswithdrawn > 0));
    }
    if (types.has('QuestionnaireResponse')) yield space.entryOf(toQuestionnaireResponse(space, sheet, scale));
    if (!types.has('Observation')) continue;
    for (const score of scores.get(sheet.examformid) ?? []) {
      const entry = space.entryOf(toObservation(space, sheet, scale, score));
      results.set(sheet.examcode, [...(results.get(sheet.examcode) ?? []), entry.fullUrl]);
      yield entry;
    }
  }
  return results;
}

async function* reportsAndCases(
  { ctx, space, types, known }: Writing,
  cuserids: readonly string[],
  results: ReadonlyMap<string, string[]>,
): AsyncGenerator<Entry> {
  const { scope } = ctx;
  const staff = new Set<string>();
  if (types.has('DiagnosticReport'))
    for (const report of await queries.findReports(scope, cuserids))
      yield space.entryOf(toDiagnosticReport(space, report, results.get(report.examcode) ?? []));
  if (CASE_TYPES.some((type) => types.has(type))) {
    const cases = await queries.findCases(scope, cuserids);
    const followups = groupRows(
      await queries.findFollowUps(
        scope,
        cases.map(({ warningcode }) => warningcode),
      ),
      ({ warningcode }) => warningcode,
    );
    for (const item of cases) {
      if (item.owneruserid) staff.add(item.owneruserid);
      if (types.has('RiskAssessment')) yield space.entryOf(toRiskAssessment(space, item, results.get(item.examcode ?? '') ?? []));
      if (types.has('Flag')) yield space.entryOf(toFlag(space, item));
      if (types.has('CarePlan')) yield space.entryOf(toCarePlan(space, item, followups.get(item.warningcode) ?? []));
    }
  }
  if (types.has('Appointment'))
    for (const consult of await queries.findConsults(scope, cuserids)) {
      if (consult.counsellor) staff.add(consult.counsellor);
      yield space.entryOf(toAppointment(space, consult));
    }
  const isNew = (userid: string) => !known.has(userid);
  const userids = types.has('Practitioner') ? [...staff].filter(isNew) : [];
  for (const row of userids.length > 0 ? await queries.findStaff(scope, userids) : []) {
    known.add(row.userid);
    yield space.entryOf(toPractitioner(space, row));
  }
}

async function* entries(writing: Writing, cuserids: readonly string[]): AsyncGenerator<Entry> {
  const { ctx, space, types } = writing;
  if (types.has('Organization')) {
    const institutions = await queries.findInstitutions(ctx.scope, cuserids);
    const codes = new Set(institutions.map(({ musercode }) => musercode));
    for (const row of institutions)
      yield space.entryOf(toOrganization(space, row, row.parentmusercode !== null && codes.has(row.parentmusercode)));
  }
  for (let start = 0; start < cuserids.length; start += CHUNK) {
    const chunk = cuserids.slice(start, start + CHUNK);
    yield* persons(writing, chunk);
    const results = yield* sheets(writing, chunk);
    yield* reportsAndCases(writing, chunk, results);
    ctx.progress(start + chunk.length, cuserids.length);
  }
}

/** Writes the bundle entry by entry, so that memory stays flat. */
async function* toJson(writing: Writing, cuserids: readonly string[]): AsyncGenerator<string> {
  yield `{"resourceType":"Bundle","type":"collection","timestamp":"${toInstant(writing.ctx.now)}","entry":[\n`;
  let separator = '';
  for await (const entry of entries(writing, cuserids)) {
    yield separator + JSON.stringify(entry);
    separator = ',\n';
  }
  yield '\n]}\n';
}

const exportBundle = handle(contract.exportBundle, async ({ approvalid, ...request }, ctx) => {
  const cuserids = await findSubjects(request, ctx);
  const needsAnswers = request.answers === 1 && canReadAnswers(ctx.caller);
  const { minors } = await requireApproval(ctx, 'as.m.fhir.exportBundle', request, approvalid, cuserids, {
    isSingleFree: true,
    hasAnswers: needsAnswers,
  });
  const types = readableTypes(ctx, request.resources);
  const writing = { ctx, space: new FhirSpace(ctx.publicUrl), types, needsAnswers, known: new Set<string>() };
  ctx.audit({
    cuserids,
    minors: minors > 0,
    detail: { resources: [...types], persons: cuserids.length, answers: needsAnswers ? 1 : 0, approvalid },
  });
  return {
    filename: `FHIR_${request.cuserid ?? request.taskcode ?? ''}_${shanghaiDate(ctx.now)}.json`,
    mime: 'application/fhir+json',
    body: await spool(Readable.from(toJson(writing, cuserids), { objectMode: false })),
  };
});

export const fhirHandlers = [exportBundle];

/** The exports of this feature that may need an approval. */
export const fhirExportSubjects = {
  'as.m.fhir.exportBundle': exportSubject(contract.exportBundle, findSubjects),
};
