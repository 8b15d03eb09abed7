import { randomBytes } from 'node:crypto';
import { assessCodeFromBytes, parseAssessCode } from '#domain/exam/assessCode.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import { createPersons, type CreatedPerson } from '#features/cuser/createPersons.ts';
import * as queries from '#features/respond/entry/entry.queries.ts';

/** Who wrote what nobody who is signed in wrote. */
const operator = 'entry';
/** cuser.source: came with a code, came without a name. */
const sources = { code: '03', scan: '04' } as const;

type At = Pick<Context, 'now' | 'cipher'> & { musercode: string };

/** A person of whom nothing is known: gender 00, no birthday, and a name that tells staff one from another. */
async function addNameless(
  scope: Scope,
  { musercode, now, cipher }: At,
  { username, appid, source, scanhash }: { username: string; appid: string; source: '03' | '04'; scanhash?: string | undefined },
): Promise<queries.FoundPerson> {
  const gender = '00';
  const origin = { musercode, appid, source, createby: operator };
  const [created] = await createPersons({ scope, cipher, now }, origin, [{ username, gender, scanhash }]);
  return { cuserid: (created as CreatedPerson).cuserid, appid, username, gender, birthday: null, belongs: '' };
}

/**
 * Who a code stands for (entry mode 01): at its first use a new nameless person with the right to answer its plan once, afterwards
 * the same person again. Undefined for codes that are unknown, foreign, void or over; all look alike.
 */
export async function personOfCode(scope: Scope, at: At, typed: string): Promise<queries.FoundPerson | undefined> {
  const code = parseAssessCode(typed);
  const found = code && (await queries.lockCode(scope, at.musercode, code));
  if (!found) return undefined;
  if (found.status === 1 && found.cuserid) return queries.findById(scope, found.cuserid);
  if (found.status !== 0 || (found.expiredate !== null && found.expiredate < shanghaiDate(at.now))) return undefined;
  const person = await addNameless(scope, at, { username: `测评码${found.code}`, appid: found.appid, source: sources.code });
  await queries.bindCode(scope, found.code, person.cuserid, at.now);
  const { plancode, appid, stagecode, walletcode } = found;
  // The count was frozen when the code was made; it goes with the code to its person.
  await queries.addGrant(scope, {
    cuserid: person.cuserid,
    musercode: at.musercode,
    plancode,
    appid,
    stagecode,
    walletcode,
    grantby: operator,
  });
  return person;
}

/** How long a browser tab stands for the person it first stood for. */
const scanLasts = 24 * 3_600_000;

/**
 * Who stands behind a scan (entry mode 04): whoever this browser tab already was within a day, else a new nameless person with the
 * right to answer the entry's plan once. Without a secret of the tab everybody is new. Refuses 140001 without a plan or counts.
 */
export async function personOfScan(
  scope: Scope,
  at: At,
  scanhash: string | undefined,
): Promise<queries.FoundPerson & { fresh: boolean }> {
  const known = scanhash && (await queries.findByScan(scope, at.musercode, scanhash, new Date(at.now.getTime() - scanLasts)));
  const person = known ? await queries.findById(scope, known) : undefined;
  return person ? { ...person, fresh: false } : { ...(await newcomer(scope, at, scanhash)), fresh: true };
}

async function newcomer(scope: Scope, at: At, scanhash: string | undefined): Promise<queries.FoundPerson> {
  const plan = await queries.findEntryPlan(scope, at.musercode);
  if (!plan) throw problems.wrongState({ why: '该入口暂未开放测评，请联系发放二维码的老师' });
  const { plancode, appid, stagecode } = plan;
  const person = await addNameless(scope, at, {
    username: `匿名${assessCodeFromBytes(randomBytes(8)).slice(0, 6)}`,
    appid,
    source: sources.scan,
    scanhash,
  });
  const walletcode = await freezeCounts(scope, {
    musercode: at.musercode,
    plancode,
    cuserids: [person.cuserid],
    operator,
    now: at.now,
    today: shanghaiDate(at.now),
    remark: '扫码即测',
  }).catch((error: unknown) => {
    // How many counts an institution has is not told at its door.
    throw (error as { code?: number }).code === 150001
      ? problems.wrongState({ why: '测评名额已满，请联系发放二维码的老师' })
      : error;
  });
  await queries.addGrant(scope, {
    cuserid: person.cuserid,
    musercode: at.musercode,
    plancode,
    appid,
    stagecode,
    walletcode,
    grantby: operator,
  });
  return person;
}
