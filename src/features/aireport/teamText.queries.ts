import { sql } from 'kysely';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import type { TeamAiFacts } from '#domain/teamreport/ai/teamAiFacts.ts';
import type { Scope } from '#server/db/scope.ts';
import type { TeamScope } from '#features/teamreport/teamreport.contract.ts';

/** The texts of the AI provider on group reports. A text belongs to one snapshot; the next snapshot begins without one. */

/** The group report whose text is asked for or reviewed, locked. */
export const lockTeamReport = async (scope: Scope, teamreportcode: string) =>
  (
    await sql<{
      musercode: string;
      appid: string;
      version: number;
      scope: TeamScope;
      fingerprint: string;
      aistatus: number;
      aicontent: AiText | null;
      aitime: Date | null;
      /** the report has facts for the provider */
      hasfacts: boolean;
      allowed: number;
    }>`
      select r.musercode, r.appid, r.version, r.scope, r.fingerprint, r.aistatus, r.aicontent, r.aitime, r.aifacts is not null as hasfacts,
        coalesce((select c.allowed from aiconsent c where c.musercode = r.musercode), 0) as allowed
      from teamreport r where r.teamreportcode = ${teamreportcode} and r.isdeleted = 0
      for update of r`.execute(scope.db)
  ).rows[0];

export const setTeamWaiting = (scope: Scope, teamreportcode: string) =>
  scope.db
    .updateTable('teamreport')
    .set({ aistatus: 1, aicontent: null, aireviewby: null, aireviewname: null, aireviewtime: null })
    .where('teamreportcode', '=', teamreportcode)
    .execute();

/** The facts of a snapshot; undefined when it was made again or deleted, or without the consent of the institution. */
export const findTeamFacts = async (scope: Scope, teamreportcode: string, version: number): Promise<TeamAiFacts | undefined> =>
  (
    await sql<{ aifacts: TeamAiFacts | null }>`
      select r.aifacts from teamreport r join aiconsent c on c.musercode = r.musercode and c.allowed = 1
      where r.teamreportcode = ${teamreportcode} and r.version = ${version} and r.isdeleted = 0`.execute(scope.db)
  ).rows[0]?.aifacts ?? undefined;

/** Stores a text in the snapshot that it is about. It waits for its review. */
export async function saveTeamText(
  scope: Scope,
  { teamreportcode, teamversion }: { teamreportcode: string | null; teamversion: number | null },
  { output, model, donetime }: { output: AiText; model: string; donetime: Date },
): Promise<void> {
  await scope.db
    .updateTable('teamreport')
    .set({
      ...{ aistatus: 2, aicontent: JSON.stringify(output), aimodel: model, aitime: donetime },
      ...{ aireviewby: null, aireviewname: null, aireviewtime: null },
    })
    .where('teamreportcode', '=', teamreportcode)
    .where('version', '=', teamversion)
    .where('isdeleted', '=', 0)
    .execute();
}

/** Stores the review of a text: approved, or discarded. */
export const saveTeamReview = (
  scope: Scope,
  teamreportcode: string,
  row: { agreed: number; accountid: string; name: string; now: Date },
) =>
  scope.db
    .updateTable('teamreport')
    .set({
      aistatus: row.agreed ? 3 : 0,
      ...(row.agreed ? {} : { aicontent: null }),
      ...{ aireviewby: row.accountid, aireviewname: row.name, aireviewtime: row.now },
    })
    .where('teamreportcode', '=', teamreportcode)
    .execute();
