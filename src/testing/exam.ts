import { randomUUID } from 'node:crypto';
import type { Answer } from '#domain/scoring/scale.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import type { Person } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** Adds a student with an archive to 晨光中学, as the person `who`. */
export async function addStudent(
  { as }: Server,
  options: { username?: string; studentno?: string; who?: Person; gradename?: string; classname?: string } = {},
) {
  const { username = '林小雨', studentno = '20230301', who = 'chen', gradename = '初三', classname = '3班' } = options;
  const { cuserid } = await as(who)(cuser.insertCUser, {
    appid: '000000002',
    username,
    gender: '02',
    birthday: '2010-07-08',
    archive: { studentno, gradename, classname },
    guardian: [],
  });
  return { cuserid, username, studentno };
}

/**
 * A person takes an exam at the institution's entry: signs in, consents, answers and submits. `forms` holds option codes by form, in
 * the order of the items; a missing code means the first option.
 */
export async function takeExam(
  server: Server,
  person: { cuserid: string; username: string; studentno: string },
  forms: Readonly<Record<string, string>>,
  { plancode = 'P900002', clientcode = 'entry_chenguang' } = {},
) {
  const { nobody, withToken, sqlAsOwner, clock } = server;
  const plans = await sqlAsOwner<{ cuserplanid: number }>(
    `insert into cuserplan (cuserid, musercode, plancode, appid)
     select cuserid, musercode, $2, appid from cuser where cuserid = $1
     returning cuserplanid::int as cuserplanid`,
    [person.cuserid, plancode],
  );
  const { token, needconsent } = await nobody(respond.loginRespondent, {
    clientcode,
    username: person.username,
    key: person.studentno,
  });
  const call = withToken(token);
  if (needconsent) {
    const { consent } = await nobody(respond.getEntry, { clientcode });
    await call(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  }
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid: plans[0]?.cuserplanid as number });
  // A plausible time for a plan of this size; the product marks faster exams as doubtful.
  clock.now = new Date(clock.now.getTime() + 240_000);
  const answersTo = (parts: typeof sheets) =>
    parts.flatMap(({ examformid, formcode, items }) => {
      const codes = forms[formcode]?.split(' ') ?? [];
      return items.map((item, index) => ({
        examformid,
        c: item.c,
        value: (codes[index] ?? item.options?.[0]?.[0] ?? '') as Extract<Answer, string>,
        clientseq: index + 1,
      }));
    });
  // A positive short form adds its longer form to the same exam, so the person goes on.
  for (let parts = sheets; ;) {
    const result = await call(respond.submitExam, { examcode, submitkey: randomUUID(), answers: answersTo(parts) });
    if (result.done) return { examcode, token };
    if (result.missing.length > 0) throw new Error(`not submitted: ${JSON.stringify(result.missing)}`);
    parts = result.sheets;
  }
}
