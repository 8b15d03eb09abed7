import { sql } from 'kysely';
import { MAX_RECOMMENDED_LEVEL } from '#domain/content/content.ts';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import type { ReportBasis } from '#domain/report/report.basis.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import type { Answers, FormResult } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';

/** The two versions of a report's text, or the basis and the forms to render them from. */
export interface ReportTextRow {
  reportcode: string;
  orgpath: string;
  /** the hand-in: the texts of that moment make the report, whenever it is written */
  handintime: Date;
  content: ReportContent | null;
  selfcontent: ReportContent | null;
  basis: ReportBasis | null;
  forms: {
    formcode: string;
    formversion: string;
    answers: Answers;
    raw: FormResult;
    isentered: boolean;
    bandsets: Record<string, number[]> | null;
  }[];
}

/** Whether an interview, a report of staff or the archive says violence at home or abuse by now. */
const isViolenceFound = sql<boolean>`(
  exists (select from riskassess a where a.cuserid = r.cuserid and a.abuse = 1)
  or exists (select from warning w where w.cuserid = r.cuserid and w.isdeleted = 0 and 'abuse' = any (w.opensign))
  or exists (select from cuserarchive c where c.cuserid = r.cuserid and c.detail->>'domesticviolence' = '2')
) as "isViolenceFound"`;

/** Whether the sheet has an alert, a grave case or doubts by now, also by answers that came late: no contents suit it any more. */
const isPersonOffered = sql<boolean>`coalesce((
  select e.hasalert = 1 or e.valid = 0 or greatest(e.alertlevel, e.overalllevel) > ${MAX_RECOMMENDED_LEVEL}
    or exists (
      select from warninglog l
      where l.cuserid = e.cuserid and l.detail->'trigger'->>'examcode' = e.examcode
        and (l.detail->'trigger'->>'level')::int > ${MAX_RECOMMENDED_LEVEL})
  from examrecord e where e.examcode = r.examcode), false) as "isPersonOffered"`;

const forms = sql`coalesce((
  select jsonb_agg(jsonb_build_object('formcode', x.formcode, 'formversion', x.formversion, 'raw', x.raw, 'answers', x.answers,
      'isentered', x.entered is not null, 'bandsets', x.bandsets)
      order by x.ordernum)
  from examform x where x.examcode = r.examcode and r.content is null), '[]')`;

/** The forms of the report whose versions were withdrawn, because they score wrongly. */
const withdrawnForms = sql`array(
  select f.formname
  from examform x
    join form f on f.formcode = x.formcode
    join formversion v on v.formcode = x.formcode and v.version = x.formversion
  where x.examcode = r.examcode and v.status = 3
  order by x.ordernum)`;

const place = sql`r.orgpath, coalesce(
  (select e.submittime from examrecord e where e.examcode = r.examcode), r.createtime) as handintime`;

const isAnonymized = sql<boolean>`exists (
  select from cuser c where c.cuserid = r.cuserid and c.anonymizedtime is not null) as "isAnonymized"`;

/** A generated text of a report with its state, a code of AiStatus. */
export interface StoredAiText {
  aistatus: number;
  aicontent: AiText | null;
}
/** The text of a report with what the reading adds to it. */
type StoredText = ReportTextRow &
  StoredAiText & {
    isViolenceFound: boolean;
    isPersonOffered: boolean;
    isAnonymized: boolean;
    hasalert: number;
    withdrawnforms: string[];
  };

/** The text of a report by its code. */
export const findReportText = async (scope: Scope, reportcode: string): Promise<StoredText | undefined> =>
  (
    await sql<StoredText>`select r.reportcode, ${place}, r.content, r.selfcontent, r.basis, ${forms} as forms, ${isViolenceFound},
        ${isPersonOffered}, ${isAnonymized}, ${withdrawnForms} as withdrawnforms,
        r.aistatus, r.aicontent, (select e.hasalert from examrecord e where e.examcode = r.examcode) as hasalert
      from report r
      where r.reportcode = ${reportcode}`.execute(scope.db)
  ).rows[0];

/** Reports older than five minutes without a text, the oldest first. Reports that another transaction locks are left out. */
export const findUnrendered = async (scope: Scope, limit: number): Promise<ReportTextRow[]> =>
  (
    await sql<ReportTextRow>`select r.reportcode, ${place}, r.content, r.selfcontent, r.basis, ${forms} as forms from report r
      where r.content is null and r.createtime < now() - interval '5 minutes' order by r.createtime limit ${limit}
        for update of r skip locked`.execute(scope.db)
  ).rows;

/** Stores the texts of reports that have none yet, and clears their basis. */
export async function saveReportTexts(
  scope: Scope,
  texts: readonly { reportcode: string; content: ReportContent; selfcontent: ReportContent }[],
): Promise<void> {
  await sql`update report r set content = t.content, selfcontent = t.selfcontent, basis = null
    from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as t (reportcode text, content jsonb, selfcontent jsonb)
    where r.reportcode = t.reportcode and r.content is null`.execute(scope.db);
}
