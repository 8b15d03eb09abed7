import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { Ajv } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { toQuestionnaire } from '#features/fhir/resource/questionnaire.ts';
import { FhirSpace } from '#features/fhir/resource/resource.ts';
import { library } from '#domain/scoring/scales/library.ts';
import { decideAccessApproval, insertAccessApproval } from '#features/approval/approval.contract.ts';
import { insertFollowUp } from '#features/care/care.contract.ts';
import { updateCUser } from '#features/cuser/cuser.contract.ts';
import { exportBundle, FHIR_TYPES } from '#features/fhir/fhir.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { aConsult, aStudent, setPermission } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** The schema of FHIR R4 by HL7 (http://hl7.org/fhir/R4/downloads.html, CC0), compressed. */
function readSchema(): object {
  const path = new URL('../../testing/fhir/fhir.schema.json.br', import.meta.url);
  return JSON.parse(brotliDecompressSync(readFileSync(path)).toString()) as object;
}
const validate = new Ajv({ strict: false }).addMetaSchema(draft6).compile(readSchema());
/** Returns what the public schema finds wrong in a resource. */
const faultsOf = (resource: unknown): string[] =>
  validate(resource) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

/** 林小雨 with a case, a follow-up and a consultation; 陈静怡 may see data without masks. */
async function school() {
  const server = await startServer();
  await setPermission(server, 'U_CHEN', '00055', 'grant');
  const lin = await aStudent(server, { username: '林小雨', studentno: '20230301' });
  const { examcode } = await takeExam(server, lin, { PHQ9: '2 2 2 2 2 1 0 0 2' });
  const { rows } = await server.as('chen')(getWarningPageList, {});
  const warningcode = rows[0]!.warningcode;
  await server.as('chen')(insertFollowUp, { cuserid: lin.cuserid, warningcode, duetime: '2025-10-12 10:00' });
  await aConsult(server, lin.cuserid, { counsellor: 'U_CHEN', status: '02' });
  await server.as('chen')(updateCUser, {
    cuserid: lin.cuserid,
    guardian: [{ name: '林建国', relation: '01', phonenumber: '13800138001' }],
  });
  return { ...server, lin, examcode, warningcode };
}

async function read(answer: unknown): Promise<Bundle> {
  const { filename, mime, body } = answer as { filename: string; mime: string; body: Readable };
  expect(filename).toMatch(/^FHIR_.*\.json$/);
  expect(mime).toBe('application/fhir+json');
  return JSON.parse(await text(body)) as Bundle;
}
/** The resources of one type. */
const resourcesOf = <T extends FhirResource['resourceType']>(bundle: Bundle, type: T) =>
  (bundle.entry ?? []).flatMap(({ resource }) =>
    resource?.resourceType === type ? [resource as Extract<FhirResource, { resourceType: T }>] : [],
  );

async function approve({ as }: Pick<TestServer, 'as'>, filter: Record<string, unknown>): Promise<number> {
  const request = { call: 'as.m.fhir.exportBundle' as const, filter, purpose: '转诊时交给医院' };
  const { approvalid } = await as('chen')(insertAccessApproval, request);
  await as('lu')(decideAccessApproval, { approvalid, agreed: 1 });
  return approvalid;
}

test('a person leaves the house as a bundle that the public schema of FHIR R4 accepts', async () => {
  const { as, lin, warningcode, sqlAsOwner } = await school();
  const bundle = await read(await as('chen')(exportBundle, { cuserid: lin.cuserid }));
  expect(faultsOf(bundle)).toEqual([]);
  const types = new Set((bundle.entry ?? []).map(({ resource }) => resource?.resourceType));
  expect([...types].sort()).toEqual([...FHIR_TYPES].sort());
  expect(resourcesOf(bundle, 'RelatedPerson')).toMatchObject([
    { name: [{ text: '林建国' }], telecom: [{ value: '13800138001' }] },
  ]);
  expect(resourcesOf(bundle, 'Patient')).toMatchObject([{ id: lin.cuserid, name: [{ text: '林小雨' }] }]);
  const total = resourcesOf(bundle, 'Observation').find(({ code }) => code.coding?.some(({ code }) => code === '44261-6'));
  expect(total).toMatchObject({
    status: 'final',
    valueQuantity: { value: 13, code: '{score}' },
    interpretation: [{ text: '中度' }],
  });
  expect(resourcesOf(bundle, 'RiskAssessment')).toMatchObject([{ id: warningcode, status: 'preliminary' }]);
  expect(resourcesOf(bundle, 'Flag')).toMatchObject([{ status: 'active' }]);
  expect(resourcesOf(bundle, 'CarePlan')).toMatchObject([{ status: 'active', activity: [{ detail: { status: 'scheduled' } }] }]);
  expect(resourcesOf(bundle, 'DiagnosticReport')[0]?.conclusion).toContain('筛查结果不等于医学诊断');
  expect(resourcesOf(bundle, 'QuestionnaireResponse').every(({ item }) => item === undefined)).toBe(true);
  expect(
    await sqlAsOwner("select cuserids, detail->>'answers' as answers from audit.log where action = 'as.m.fhir.exportBundle'"),
  ).toEqual([{ cuserids: [lin.cuserid], answers: '0' }]);
});

test('every reference of a bundle leads to a resource in it', async () => {
  const { as, lin } = await school();
  const bundle = await read(await as('chen')(exportBundle, { cuserid: lin.cuserid }));
  const known = new Set((bundle.entry ?? []).map(({ fullUrl }) => fullUrl));
  const references = JSON.stringify(bundle).matchAll(/"reference":"([^"]+)"/g);
  const targets = [...references].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter((target) => !known.has(target))).toEqual([]);
  expect(known.size).toBe(bundle.entry?.length);
});

test('answers leave the house only with the right to answers and an approval', async () => {
  const server = await school();
  const { as, lin } = server;
  const filter = { cuserid: lin.cuserid, answers: 1 };
  await expect(as('chen')(exportBundle, filter)).rejects.toMatchObject({ code: 140003 });
  const bundle = await read(await as('chen')(exportBundle, { ...filter, approvalid: await approve(server, filter) }));
  expect(faultsOf(bundle)).toEqual([]);
  const sheet = resourcesOf(bundle, 'QuestionnaireResponse').find(({ questionnaire }) => questionnaire?.includes('PHQ9'));
  expect(sheet?.item?.find(({ linkId }) => linkId === 'q9')?.answer).toMatchObject([{ valueCoding: { code: '2' } }]);
  // The one without the right to answers gets the sheet without them.
  await setPermission(server, 'U_CHEN', '00035', 'deny');
  const bare = await read(await as('chen')(exportBundle, filter));
  expect(resourcesOf(bare, 'QuestionnaireResponse').every(({ item }) => item === undefined)).toBe(true);
});

test('a bundle has no case for a colleague without the right to cases, and nothing of another institution', async () => {
  const server = await school();
  const { as, lin } = server;
  await setPermission(server, 'U_CHEN', '00046', 'deny');
  const bundle = await read(await as('chen')(exportBundle, { cuserid: lin.cuserid }));
  for (const type of ['RiskAssessment', 'Flag', 'CarePlan'] as const) expect(resourcesOf(bundle, type)).toEqual([]);
  await setPermission(server, 'U_LIN', '00055', 'grant');
  await expect(as('lin')(exportBundle, { cuserid: lin.cuserid })).rejects.toMatchObject({ code: 130001 });
  await expect(as('lin')(exportBundle, {})).rejects.toMatchObject({ code: 120002 });
});

test('the public schema refuses a resource with a field that FHIR does not know', () => {
  expect(faultsOf({ resourceType: 'Patient', id: 'C1', gender: 'male' })).toEqual([]);
  expect(faultsOf({ resourceType: 'Patient', id: 'C1', gender: '女' })).not.toEqual([]);
  expect(faultsOf({ resourceType: 'Patient', id: 'C1', risk: 3 })).not.toEqual([]);
});

test('every shipped questionnaire is a valid Questionnaire; a licensed one leaves without its wording', () => {
  const space = new FhirSpace('https://example.org');
  for (const scale of library) {
    const questionnaire = toQuestionnaire(space, scale, false);
    expect([scale.formcode, faultsOf(questionnaire)]).toEqual([scale.formcode, []]);
    if (scale.tier !== 'C') continue;
    expect(questionnaire.status).toBe('draft');
    expect(questionnaire.item?.some((item) => item.text !== undefined)).toBe(false);
  }
});
