import { randomBytes } from 'node:crypto';
import { assessCodeFromBytes, parseAssessCode } from '#domain/exam/assessCode.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import { createPersons, type CreatedPerson } from '#features/cuser/createPersons.ts';
import * as queries from '#features/respond/entry/entry.queries.ts';

/** The operator of rows that no signed-in account wrote. */
const operator = 'entry';
/** cuser.source: a person who entered with an assessment code (03), or by a scan without a name (04). */
const sources = { code: '03', scan: '04' } as const;

type EntryContext = Pick<Context, 'now' | 'cipher'> & { musercode: string };

/** Creates an anonymous person: gender 00, no birthday, and a distinct name, so that staff can tell such persons apart. */
async function createAnonymousPerson(
  scope: Scope,
  { musercode, now, cipher }: EntryContext,
  { username, appid, source, scanhash }: { username: string; appid: string; source: '03' | '04'; scanhash?: string | undefined },
): Promise<queries.EntryPerson> {
  const gender = '00';
  const origin = { musercode, appid, source, createby: operator };
  const [created] = await createPersons({ scope, cipher, now }, origin, [{ username, gender, scanhash }]);
  return { cuserid: (created as CreatedPerson).cuserid, appid, username, gender, birthday: null, belongs: '' };
}

/**
 * The person of an assessment code (entry mode 01). The first use creates an anonymous person, who may answer the plan once;
 * later uses find this person again. Undefined for a code that is unknown, void, expired or of another institution: the caller
 * cannot tell these cases apart.
 */
export async function findPersonByCode(
  scope: Scope,
  context: EntryContext,
  text: string,
): Promise<queries.EntryPerson | undefined> {
  const code = parseAssessCode(text);
  const row = code && (await queries.lockCode(scope, context.musercode, code));
  if (!row) return undefined;
  if (row.status === 1 && row.cuserid) return queries.findPersonById(scope, row.cuserid);
  if (row.status !== 0 || (row.expiredate !== null && row.expiredate < shanghaiDate(context.now))) return undefined;
  const person = await createAnonymousPerson(scope, context, {
    username: `测评码${row.code}`,
    appid: row.appid,
    source: sources.code,
  });
  await queries.bindCode(scope, row.code, person.cuserid, context.now);
  const { plancode, appid, stagecode, walletcode } = row;
  // The count was frozen when the code was created; now the person gets it.
  await queries.insertAuthorization(scope, {
    cuserid: person.cuserid,
    musercode: context.musercode,
    plancode,
    appid,
    stagecode,
    walletcode,
    grantby: operator,
  });
  return person;
}

/** For this time, in milliseconds, a browser tab remains the same person: 24 hours. */
const scanLifetime = 24 * 3_600_000;

/**
 * The person of a scan (entry mode 04). Within a day the same browser tab is the same person. Otherwise the function creates an
 * anonymous person, who may answer the entry's plan once; so it does for a tab without a secret. Refuses 140001 without a plan or
 * without counts.
 */
export async function findPersonByScan(
  scope: Scope,
  context: EntryContext,
  scanhashes: readonly string[] | undefined,
): Promise<queries.EntryPerson & { isNew: boolean }> {
  const cuserid =
    scanhashes &&
    (await queries.findCUseridByScan(scope, context.musercode, scanhashes, new Date(context.now.getTime() - scanLifetime)));
  const person = cuserid ? await queries.findPersonById(scope, cuserid) : undefined;
  return person ? { ...person, isNew: false } : { ...(await createScanPerson(scope, context, scanhashes?.[0])), isNew: true };
}

async function createScanPerson(scope: Scope, context: EntryContext, scanhash: string | undefined): Promise<queries.EntryPerson> {
  const plan = await queries.findEntryPlan(scope, context.musercode);
  if (!plan) throw problems.wrongState({ why: '该入口暂未开放测评，请联系发放二维码的老师' });
  const { plancode, appid, stagecode } = plan;
  const person = await createAnonymousPerson(scope, context, {
    username: `匿名${assessCodeFromBytes(randomBytes(8)).slice(0, 6)}`,
    appid,
    source: sources.scan,
    scanhash,
  });
  const walletcode = await freezeCounts(scope, {
    musercode: context.musercode,
    plancode,
    cuserids: [person.cuserid],
    operator,
    now: context.now,
    today: shanghaiDate(context.now),
    remark: '扫码即测',
  }).catch((error: unknown) => {
    // A respondent must not learn how many counts the institution has.
    throw (error as { code?: number }).code === 150001
      ? problems.wrongState({ why: '测评名额已满，请联系发放二维码的老师' })
      : error;
  });
  await queries.insertAuthorization(scope, {
    cuserid: person.cuserid,
    musercode: context.musercode,
    plancode,
    appid,
    stagecode,
    walletcode,
    grantby: operator,
  });
  return person;
}
