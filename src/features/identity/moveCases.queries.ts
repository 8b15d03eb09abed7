import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { toSeal } from '#server/sealing/textSealer.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { addNotices, caseLink, findTeamOwners } from '#features/warning/alerts/notify.queries.ts';
import { addLog } from '#features/warning/warning.queries.ts';
import type { SheetRow } from '#features/identity/sheet.queries.ts';

/** What staff read about a case whose sheet counts no more. */
interface CaseWords {
  /** the action of the log */
  action: string;
  /** the title of the notice, and the line of the case with the day */
  title: string;
  content: string;
  /** why the owner must look at the case */
  why: string;
}
const MOVED: CaseWords = {
  action: '答卷更正',
  title: '触发答卷已更正',
  content: '触发答卷已更正：该答卷不是本人所答，已归还作答者。请核实本人情况后，按流程排除或结案',
  why: '的触发答卷不是本人所答，已归还作答者',
};

/** Marks the cases that a sheet had triggered for its person. They stay open until staff exclude or close them the usual way. */
export async function markCases(
  { scope, operator, operatorname, now }: { scope: Scope; operator: string; operatorname: string; now: Date },
  sheet: Pick<SheetRow, 'examcode' | 'cuserid'>,
  words: CaseWords = MOVED,
): Promise<void> {
  const { rows } = await sql<{
    warningcode: string;
    cuserid: string;
    musercode: string;
    state: string;
    level: number;
    owneruserid: string | null;
  }>`
    select w.warningcode, w.cuserid, w.musercode, w.state, w.level::int as level, w.owneruserid from warning w
    where w.cuserid = ${sheet.cuserid} and w.isdeleted = 0 and exists (
      select from warninglog l
      where l.warningcode = w.warningcode and l.detail->'trigger'->>'examcode' = ${sheet.examcode})
    order by w.warningcode for update`.execute(scope.db);
  for (const row of rows) {
    const isOpen = row.state !== '07' && row.state !== '08';
    if (isOpen)
      await sql`update warning set alertmsgs = alertmsgs || ${toSeal(`${words.title}（${shanghaiTime(now).slice(0, 10)}）`)}::text,
          version = version + 1, updatetime = ${now}
        where warningcode = ${row.warningcode}`.execute(scope.db);
    await addLog(scope, row, {
      action: words.action,
      time: now,
      fromstate: row.state,
      tostate: row.state,
      fromlevel: row.level,
      tolevel: row.level,
      content: words.content,
      operator,
      operatorname,
    });
    if (isOpen && row.owneruserid)
      await addNotices(scope, [
        {
          musercode: row.musercode,
          userid: row.owneruserid,
          kind: 'warning',
          title: words.title,
          content: `个案 ${row.warningcode} ${words.why}。个案仍在进行，请核实本人情况后按流程排除或结案。`,
          link: caseLink(row.warningcode),
          dedupekey: `move:${sheet.examcode}:${now.getTime()}:${row.owneruserid}`,
          createtime: now,
          warningcode: row.warningcode,
          infokind: 4,
        },
      ]);
  }
}

/** Tells the owners of both persons, and the staff who opened the wrong report. */
export async function notifyOfMove(
  scope: Scope,
  sheet: Pick<SheetRow, 'examcode' | 'musercode'>,
  persons: readonly string[],
  { moveid, link, now, except }: { moveid: number; link: string; now: Date; except: string },
): Promise<void> {
  const { rows } = await sql<{ userid: string }>`
    select u.userid from sysuser u
    where u.musercode = ${sheet.musercode} and u.enabled = 1 and u.isdeleted = 0 and (
      u.userid in (select c.owneruserid from cuser c where c.cuserid = any (${[...persons]}::text[]))
      or u.userid in (
        select g.accountid from report r join audit.log g on g.objectid = r.reportcode and g.cuserids && ${[...persons]}::text[]
        where r.examcode = ${sheet.examcode} and g.kind in ('reveal', 'export') and g.result = 0))`.execute(scope.db);
  const userids = new Set(rows.map(({ userid }) => userid));
  for (const cuserid of persons) for (const userid of await findTeamOwners(scope, cuserid)) userids.add(userid);
  userids.delete(except);
  await addNotices(
    scope,
    [...userids].map((userid) => ({
      musercode: sheet.musercode,
      userid,
      kind: 'warning' as const,
      title: '一份答卷已更正归属',
      content: '此前的报告不是本人作答，请不要再使用；新的报告已按作答者重新生成。',
      link,
      dedupekey: `sheetmove:${moveid}:${userid}`,
      createtime: now,
    })),
  );
}
