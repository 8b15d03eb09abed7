import { randomUUID } from 'node:crypto';
import type { Answer } from '#domain/scoring/scale.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import type { Person } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** A student of 晨光中学 as `who` adds them; guardians and archive as a school has them. */
export async function addStudent(
  { as }: Server,
  more: { username?: string; studentno?: string; who?: Person; gradename?: string; classname?: string } = {},
) {
  const { username = '林小雨', studentno = '20230301', who = 'chen', gradename = '初三', classname = '3班' } = more;
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
 * A person of the school answers a plan to the end at the institution's entry: signs in, agrees, answers, hands in.
 * `forms` holds the answers by form, as option codes in item order; what is not given takes the first option.
 */
export async function takeExam(
  server: Server,
  person: { cuserid: string; username: string; studentno: string },
  forms: Readonly<Record<string, string>>,
  { plancode = 'P900002', clientcode = 'entry_chenguang' } = {},
) {
  const { nobody, withToken, sqlAsOwner, clock } = server;
  const granted = await sqlAsOwner<{ cuserplanid: number }>(
    `insert into cuserplan (cuserid, musercode, plancode, appid) select cuserid, musercode, $2, appid from cuser
      where cuserid = $1 returning cuserplanid::int as cuserplanid`,
    [person.cuserid, plancode],
  );
  const { token, needconsent } = await nobody(respond.loginRespondent, {
    clientcode,
    username: person.username,
    key: person.studentno,
  });
  const own = withToken(token);
  if (needconsent) {
    const { consent } = await nobody(respond.getEntry, { clientcode });
    await own(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
  }
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: granted[0]?.cuserplanid as number });
  const started = clock.now;
  // A plausible time for a plan of this size; faster would be marked as doubtful.
  clock.now = new Date(started.getTime() + 240_000);
  const answers = sheets.flatMap(({ examformid, formcode, items }) => {
    const codes = forms[formcode]?.split(' ') ?? [];
    return items.map((item, index) => ({
      examformid,
      c: item.c,
      value: (codes[index] ?? item.options?.[0]?.[0] ?? '') as Extract<Answer, string>,
      clientseq: index + 1,
    }));
  });
  const { missing, done: isDone } = await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
  if (!isDone) throw new Error(`not handed in: ${JSON.stringify(missing)}`);
  return { examcode, token };
}
