import { sql, type Insertable, type Selectable } from 'kysely';
import type { SecondrequestTable } from '#db/generated/tables.ts';
import type { RequestSubject, WaitingAct } from '#domain/warning/decision/secondRequest.ts';
import type { Scope } from '#server/db/scope.ts';

/** The states of a request. */
export const RequestStatus = { waits: '01', agreed: '02', returned: '03', withdrawn: '04', void: '05' } as const;

/** The log line of an act that waits, as it is written when the act is done. */
export interface ActLog {
  action: string;
  content: string;
  contactresult?: string;
}
/** The act of a request, with its log line. */
export interface StoredAct {
  action: WaitingAct;
  log: ActLog;
}
export type RequestRow = Omit<Selectable<SecondrequestTable>, 'act' | 'subject'> & {
  subject: RequestSubject;
  act: StoredAct | null;
};
const toRow = (row: Selectable<SecondrequestTable>): RequestRow => ({
  ...row,
  subject: row.subject as RequestSubject,
  act: row.act as StoredAct | null,
});

/** When the answers to the acts of a case that wait for a second person are due. */
export const findRequestDues = async (scope: Scope, warningcode: string): Promise<Date[]> =>
  (
    await scope.db
      .selectFrom('secondrequest')
      .select('duetime')
      .where('warningcode', '=', warningcode)
      .where('status', '=', RequestStatus.waits)
      .where('act', 'is not', null)
      .execute()
  ).map(({ duetime }) => duetime);

/** The requests of a case, the newest first. */
export const findRequests = async (scope: Scope, warningcode: string): Promise<RequestRow[]> =>
  (
    await scope.db
      .selectFrom('secondrequest')
      .selectAll()
      .where('warningcode', '=', warningcode)
      .orderBy('requestid', 'desc')
      .execute()
  ).map(toRow);

/** The requests of a case that wait for an answer. */
export const findWaitingRequests = async (scope: Scope, warningcode: string): Promise<RequestRow[]> =>
  (await findRequests(scope, warningcode)).filter(({ status }) => status === RequestStatus.waits);

/** Adds a request and returns its number. */
export const addRequest = async (scope: Scope, row: Insertable<SecondrequestTable>): Promise<number> =>
  Number((await scope.db.insertInto('secondrequest').values(row).returning('requestid').executeTakeFirstOrThrow()).requestid);

/** Ends requests that wait: agreed, returned, withdrawn or void. */
export const endRequests = (
  scope: Scope,
  requestids: readonly number[],
  end: { status: string; answername?: string; answer?: string; answertime: Date },
) =>
  scope.db
    .updateTable('secondrequest')
    .set(end)
    .where('requestid', 'in', requestids)
    .where('status', '=', RequestStatus.waits)
    .execute();

/** SQL condition: a request of case `w` waits for this member of staff, who is neither its asker nor the owner of the case. */
export const asksOf = (userid: string | null, human: readonly string[]) => sql<boolean>`exists (
  select from secondrequest q
  where q.warningcode = w.warningcode and q.status = '01' and ${userid ?? ''} = any (q.userids)
    and not q.askkeys && ${[...human]}::text[] and w.owneruserid is distinct from ${userid ?? ''})`;

/** The names of the second persons of requests, by user id. Staff above the institution are not visible to it. */
export async function findAskedNames(scope: Scope, requests: readonly RequestRow[]): Promise<Map<string, string>> {
  const userids = requests.flatMap(({ userids }) => userids);
  if (userids.length === 0) return new Map();
  const rows = await scope.db.selectFrom('sysuser').select(['userid', 'realname']).where('userid', 'in', userids).execute();
  return new Map(rows.map(({ userid, realname }) => [userid, realname]));
}
