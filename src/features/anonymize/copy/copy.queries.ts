import { sql, type RawBuilder } from 'kysely';
import type { Answer, Answers, FormResult } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { isVisibleCare, isVisibleConsult } from '#server/security/suspect.ts';

/** The rows of 本人资料副本. `people` are the codes of the person and of the records merged into it. */
export type People = readonly string[];

const among = (people: People) => sql`any(${[...people]}::text[])`;
const read = async <R>(scope: Scope, query: RawBuilder<R>): Promise<R[]> => (await query.execute(scope.db)).rows;

/** The person and the records merged into it. */
export const findPeople = async (scope: Scope, cuserid: string): Promise<string[]> =>
  (
    await read(
      scope,
      sql<{ cuserid: string }>`with recursive records as (
          select ${cuserid}::text as cuserid
          union
          select c.cuserid from cuser c join records r on c.mergedinto = r.cuserid)
        select cuserid from records order by cuserid = ${cuserid} desc, cuserid`,
    )
  ).map((row) => row.cuserid);

/** The facts of the person, with the district in words. */
export interface PersonFacts {
  cuserid: string;
  musercode: string;
  insname: string;
  sector: string;
  appid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  idtype: string | null;
  idnosealed: string | null;
  nation: string | null;
  education: string | null;
  marital: string | null;
  district: string | null;
  address: string | null;
  mentalstate: number;
  owner: string | null;
  createtime: Date;
}
export const findPersons = (scope: Scope, people: People): Promise<PersonFacts[]> =>
  read(
    scope,
    sql<PersonFacts>`
      select c.cuserid, c.musercode, m.insname, m.sector, c.appid, c.username, c.gender, c.birthday::text as birthday, c.phonesealed,
        c.idtype, c.idnosealed, c.nation, c.education, c.marital, d.fullname as district, c.address, c.mentalstate, u.realname as owner,
        c.createtime
      from cuser c join muser m on m.musercode = c.musercode
        left join ref.district d on d.districtcode = coalesce(c.districtcode, c.citycode, c.provincecode)
        left join sysuser u on u.userid = c.owneruserid
      where c.cuserid = ${among(people)} order by c.mergedinto nulls first, c.cuserid`,
  );

export interface ArchiveFacts {
  musercode: string;
  appid: string;
  archiveno: string;
  opendate: string;
  closedate: string | null;
  summary: string | null;
  closenote: string | null;
  /** the columns of fields */
  columns: Record<string, string | null>;
  detail: Record<string, unknown>;
}
export const findArchives = (scope: Scope, people: People): Promise<ArchiveFacts[]> =>
  read(
    scope,
    sql<ArchiveFacts>`
      select a.musercode, a.appid, a.archiveno, a.opendate::text as opendate, a.closedate::text as closedate, a.summary, a.closenote,
        jsonb_build_object('studentno', a.studentno, 'employeeno', a.employeeno, 'eduphase', a.eduphase, 'gradename', a.gradename,
          'classname', a.classname, 'unitname', a.unitname, 'lmpdate', a.lmpdate, 'edcdate', a.edcdate,
          'deliverydate', a.deliverydate) as columns,
        a.detail
      from cuserarchive a where a.cuserid = ${among(people)} and a.isdeleted = 0 order by a.archiveid`,
  );

export const findGuardians = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ musercode: string; name: string; relation: string; phonesealed: string | null }>`
      select musercode, name, relation, phonesealed from guardian
      where cuserid = ${among(people)} and isdeleted = 0 order by guardianid`,
  );

export const findGuardianConsents = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ status: number; claimedname: string | null; method: string | null; sincetime: Date; verifiedtime: Date | null }>`
      select status, claimedname, method, sincetime, verifiedtime from guardianconsent
      where cuserid = ${among(people)} order by guardianconsentid`,
  );

/** Classes, tasks and rights to answer plans. */
export const findPlaces = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ kind: string; name: string; begin: string | null; end: string | null }>`
      select '班级/团体' as kind, g.teamname as name, t.joindate::text as begin, t.leavedate::text as end
      from teamroster t join assessteam g on g.teamcode = t.teamcode where t.cuserid = ${among(people)}
      union all
      select '测评任务', k.taskname, (k.begintime at time zone 'Asia/Shanghai')::date::text,
        (k.endtime at time zone 'Asia/Shanghai')::date::text
      from taskroster r join assesstask k on k.taskcode = r.taskcode where r.cuserid = ${among(people)}
      union all
      select '测评授权', coalesce(p.planname, g.plancode), g.begindate::text, g.enddate::text
      from cuserplan g left join plan p on p.plancode = g.plancode where g.cuserid = ${among(people)}
      order by 1, 3, 2`,
  );

export const findExams = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{
      planname: string | null;
      scenecode: string;
      status: number;
      starttime: Date;
      submittime: Date | null;
      age: number | null;
      belongs: string;
      valid: number | null;
      overalllevel: number | null;
      withheld: number;
      ip: string | null;
      useragent: string | null;
    }>`
      select p.planname, e.scenecode, e.status, e.starttime, e.submittime, e.age, e.valid, e.withheld, e.ip, e.useragent,
        case when e.withheld = 0 then e.overalllevel end as overalllevel,
        coalesce(nullif(concat_ws(' ', e.gradename, e.classname), ''), e.unitname, '') as belongs
      from examrecord e left join plan p on p.plancode = e.plancode
      where e.cuserid = ${among(people)} order by e.starttime, e.examcode`,
  );

/** The scores. Row-level security leaves out those of withheld sheets. */
export const findResults = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{
      submittime: Date;
      formname: string;
      quotaname: string;
      score: number | null;
      level: number | null;
      levelname: string | null;
    }>`
      select v.submittime, f.formname, q.quotaname, v.score::float8 as score, v.level, v.levelname
      from examresult v join quota q on q.quotacode = v.quotacode join form f on f.formcode = q.formcode
      where v.cuserid = ${among(people)} and v.withheld = 0
      order by v.submittime, f.ordernum, v.examformid, q.ordernum, v.quotacode`,
  );

/** The sheets with answers, also those that nobody handed in. */
export const findSheets = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{
      examformid: number;
      time: Date;
      formname: string;
      formcode: string;
      formversion: string;
      answers: Answers;
      raw: FormResult | null;
    }>`
      select x.examformid, coalesce(x.submittime, x.answertime, e.starttime) as time, f.formname, x.formcode, x.formversion, x.answers,
        x.raw
      from examform x join examrecord e on e.examcode = x.examcode join form f on f.formcode = x.formcode
      where x.cuserid = ${among(people)} and e.withheld = 0 order by 2, x.examformid`,
  );

/** Answers besides those of the sheet: given and changed later, or arrived after the hand-in. */
export const findOtherAnswers = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ examformid: number; kind: string; questionc: string; value: Answer; answertime: Date }>`
      select a.examformid, '作答时选过' as kind, a.questionc, a.value, a.answertime from examalertanswer a where a.cuserid = ${among(people)}
      union all
      select a.examformid, '提交后收到', a.questionc, a.value, a.answertime from examlateanswer a where a.cuserid = ${among(people)}
      order by 5`,
  );

/** The reports that the person may read. */
export const findShownReports = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ reportcode: string; title: string; createtime: Date }>`
      select reportcode, title, createtime from report
      where cuserid = ${among(people)} and isshow = 1 and isdeleted = 0 and withheld = 0 and status in (1, 2)
      order by createtime, reportcode`,
  );

/** Consents, withdrawals and requests for 匿名化. */
export const findDecisions = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{
      kind: string;
      code: string;
      time: Date;
      subject: string;
      agreed: number;
      hassignature: boolean;
      version: string;
      end: Date | null;
    }>`
      select 'consent' as kind, scope as code, agreetime as time, subject, agreed, signaturefileid is not null as hassignature,
        consentversion as version, withdrawtime as end
      from consent where cuserid = ${among(people)}
      union all
      select 'withdrawal', source, time, '', 0, false, '', donetime from withdrawal where cuserid = ${among(people)}
      union all
      select 'anonymization', status, asktime, '', 0, false, '', answertime from anonymization where cuserid = ${among(people)}
      order by 3`,
  );

export interface ConsultFacts {
  musercode: string;
  applytime: Date;
  slotbegin: Date | null;
  slotend: Date | null;
  room: string;
  consulttype: string;
  source: string;
  status: string;
  topics: string[];
  counsellor: string | null;
  formcode: string | null;
  formversion: string | null;
  answers: string | null;
  summary: string | null;
}
/** The consultations; for a guardian only those that the person opened to guardians. */
export const findConsults = (scope: Scope, people: People, isGuardian: boolean): Promise<ConsultFacts[]> =>
  read(
    scope,
    sql<ConsultFacts>`
      select k.musercode, k.applytime, k.slotbegin, k.slotend, k.room, k.consulttype, k.source, k.status, k.topics,
        u.realname as counsellor, k.formcode, k.formversion, k.answers, k.summary
      from consult k left join sysuser u on u.userid = k.counsellor
      where k.cuserid = ${among(people)} and ${isVisibleConsult} and (${!isGuardian} or (k.guardianopen = 1 and k.warningcode is null))
      order by k.applytime, k.consultid`,
  );

/** Follow-ups and interventions. Texts that belong to a case are left out, and all of an open case. */
export const findCare = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ kind: string; code: string; time: Date; status: string; content: string | null }>`
      select 'followup' as kind, f.method as code, coalesce(f.donetime, f.duetime) as time, f.status,
        case when f.warningcode is null then f.content end as content
      from followup f
      where f.cuserid = ${among(people)} and f.isdeleted = 0 and ${isVisibleCare} and ${isNotOpen}
      union all
      select 'interfere', f.kind, f.begintime, '', case when f.warningcode is null then f.content end
      from interfere f
      where f.cuserid = ${among(people)} and f.isdeleted = 0 and ${isVisibleCare} and ${isNotOpen}
      order by 3`,
  );
/** SQL condition: follow-up or intervention `f` belongs to no open case. */
const isNotOpen = sql<boolean>`not exists (
  select from warning o where o.warningcode = f.warningcode and o.state not in ('07', '08') and o.isdeleted = 0)`;

/** The closed cases and their referrals: facts without a text. `what`: open, close or referral. */
export const findCases = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ time: Date; what: string; level: number | null; detail: string }>`
      select w.createtime as time, 'open' as what, w.initiallevel as level, '' as detail
      from warning w where w.cuserid = ${among(people)} and w.isdeleted = 0 and w.state in ('07', '08')
      union all
      select coalesce(w.closetime, w.updatetime), 'close', w.level, coalesce(w.closereason, '') from warning w
      where w.cuserid = ${among(people)} and w.isdeleted = 0 and w.state in ('07', '08')
      union all
      select r.time, 'referral', null, r.tohospital from referral r join warning w on w.warningcode = r.warningcode
      where r.cuserid = ${among(people)} and w.isdeleted = 0 and w.state in ('07', '08')
      order by 1`,
  );

/** The newest safety plan of each case, as the person made it. Who keeps dangerous things is left out. */
export const findSafetyPlans = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{
      time: Date;
      warningsigns: string;
      coping: string;
      distractions: string;
      importantthings: string;
      helpers: { name?: string; relation?: string; issuspect?: number }[];
    }>`
      select distinct on (s.warningcode) s.time, s.warningsigns, s.coping, s.distractions, s.importantthings, s.helpers
      from safetyplan s where s.cuserid = ${among(people)} order by s.warningcode, s.version desc`,
  );

/** Files about the person; those of a case are left out. */
export const findFiles = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ filename: string; biztype: string; size: number; createtime: Date }>`
      select f.filename, f.biztype, f.size, f.createtime from fileobj f
      where f.cuserid = ${among(people)} and f.isdeleted = 0 and f.biztype <> 'case'
        and not exists (select from casefile k where k.fileid = f.fileid) order by f.createtime`,
  );

export const findLessons = (scope: Scope, people: People) =>
  read(
    scope,
    sql<{ title: string; begintime: Date; finishtime: Date | null }>`
      select l.title, g.begintime, g.finishtime from lessonprogress g join lesson l on l.lessonid = g.lessonid
      where g.cuserid = ${among(people)} order by g.begintime`,
  );

export interface Look {
  time: Date;
  /** person, institution (its own account), system, staff (without a role), or the names of the roles */
  role: string;
  insname: string | null;
  title: string;
  kind: string;
}
/** Rows of one copy at most; the newest are in it. */
export const LOOKS = 20_000;
/**
 * Who looked at the person's data or changed them, by role, without names of staff. Refused calls and rows of an open case are left out;
 * `isGuardian`: rows of cases, care and consultations too.
 */
export const findLooks = (scope: Scope, people: People, isGuardian: boolean): Promise<Look[]> =>
  read(
    scope,
    sql<Look>`
      select l.time, l.title, l.kind, m.insname,
        case when l.accountid like 'C%' then 'person'
          when l.accountid = l.musercode then 'institution'
          when l.accountid is null then 'system'
          else coalesce((select string_agg(r.rolename, ', ' order by r.rolesort, r.rolename) from sysuserrole ur
            join role r on r.roleid = ur.roleid where ur.userid = l.accountid), 'staff') end as role
      from audit.log l left join muser m on m.musercode = l.musercode
      where l.cuserids && ${[...people]}::text[] and not l.detail ? 'refusal'
        and (not ${
          isGuardian ||
          sql<boolean>`exists (
            select from warning w where w.cuserid = ${among(people)} and w.isdeleted = 0 and w.state not in ('07', '08'))`
        }
          or l.action !~ '^as[.]m[.](warning|followup|interfere|consult)[.]')
      order by l.time desc, l.id desc limit ${LOOKS}`,
  );
