import { sql } from 'kysely';
import type { ArchiveFacts } from '#domain/person/populations.ts';
import type { StoredCommentary } from '#domain/report/commentary/stored.ts';
import type { ReportBasis } from '#domain/report/report.basis.ts';
import type { Answers, FormResult } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';

/** A stored paragraph with its owner and its validity. */
export interface TextRow extends StoredCommentary {
  commentid: string;
  orgpath: string;
  isplatform: number;
  enabled: number;
  originid: string | null;
  validfrom: Date;
  validto: Date | null;
}

/** All paragraphs of the institution with this path and of those above, also those no longer in force. */
export const findTextRows = async (scope: Scope, orgpath: string): Promise<TextRow[]> => {
  const paths = [...orgpath.matchAll(/\./g)].map(({ index }) => orgpath.slice(0, index + 1));
  const { rows } = await sql<TextRow>`
    select commentid, orgpath, isplatform, enabled, originid, validfrom, validto, section, audience, reader, appid, formcode, quotacode,
      level, gender, agemin, agemax, priority, cond, template, tier, excl
    from commentary
    where orgpath = any (${paths}::text[])
    order by commentid, validfrom`.execute(scope.db);
  return rows;
};

/** What the facts of a report are made of. */
export interface ReportSource {
  examcode: string;
  cuserid: string;
  musercode: string;
  orgpath: string;
  insname: string;
  appid: string;
  submittime: Date;
  valid: number | null;
  invalidreason: string | null;
  gender: '01' | '02' | null;
  age: number | null;
  gestationaldays: number | null;
  archive: ArchiveFacts;
  /** null after the text was written */
  basis: ReportBasis | null;
  forms: { formcode: string; formversion: string; answers: Answers; raw: FormResult }[];
}

/** One report that the caller can read, with its sheet. */
export const findReportSource = async (scope: Scope, reportcode: string): Promise<ReportSource | undefined> =>
  (
    await sql<ReportSource>`
      select e.examcode, r.cuserid, r.musercode, r.orgpath, m.insname, e.appid, e.submittime, e.valid, e.invalidreason, e.gender, e.age,
        e.gestationaldays, r.basis,
        coalesce((select a.detail || jsonb_strip_nulls(jsonb_build_object('gradename', a.gradename, 'classname', a.classname))
          from cuserarchive a where a.cuserid = e.cuserid and a.appid = e.appid and a.iscurrent = 1), '{}') as archive,
        coalesce((select jsonb_agg(jsonb_build_object('formcode', x.formcode, 'formversion', x.formversion, 'raw', x.raw,
            'answers', x.answers) order by x.ordernum)
          from examform x where x.examcode = r.examcode and x.status = 2), '[]') as forms
      from report r
        join examrecord e on e.examcode = r.examcode
        join muser m on m.musercode = r.musercode
      where r.reportcode = ${reportcode} and r.isdeleted = 0 and e.status = 2 and e.withheld = 0`.execute(scope.db)
  ).rows[0];
