import { sql } from 'kysely';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** The number of these persons under 18. Without a birthday a student counts as a minor, as in `isMinor` of features/warning. */
export async function countMinors(scope: Scope, cuserids: readonly string[], eighteenBefore: string): Promise<number> {
  if (cuserids.length === 0) return 0;
  const { n } = await scope.db
    .selectFrom('cuser')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where(sql<boolean>`cuserid = any(${[...new Set(cuserids)]}::text[])`)
    .where(sql<boolean>`coalesce(birthday > ${eighteenBefore}::date, appid = '000000002')`)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Adds a request and returns its id. */
export const addApproval = (
  scope: Scope,
  row: {
    musercode: string;
    applicant: string;
    applicantname: string;
    call: string;
    title: string;
    filter: string;
    purpose: string;
    persons: number;
    minors: number;
    createtime: Date;
  },
) => scope.db.insertInto('accessapproval').values(row).returning('approvalid').executeTakeFirstOrThrow();

/** One request; undefined when the caller cannot see it. */
export const findApproval = (scope: Scope, approvalid: number) =>
  scope.db.selectFrom('accessapproval').selectAll().where('approvalid', '=', approvalid).executeTakeFirst();

/** Decides or withdraws a waiting request. Returns false when it is no longer waiting. */
export const saveDecision = async (
  scope: Scope,
  approvalid: number,
  changes: {
    status: number;
    approver?: string;
    approvername?: string;
    reason?: string;
    decidetime: Date;
    validuntil?: Date | null;
  },
): Promise<boolean> =>
  (await scope.db
    .updateTable('accessapproval')
    .set(changes)
    .where('approvalid', '=', approvalid)
    .where('status', '=', 0)
    .returning('approvalid')
    .executeTakeFirst()) !== undefined;

/** Counts a download of an approved export. */
export const recordDownload = (scope: Scope, approvalid: number, time: Date) =>
  scope.db
    .updateTable('accessapproval')
    .set({ downloads: sql<number>`downloads + 1`, lastdownload: time })
    .where('approvalid', '=', approvalid)
    .execute();

/** A page of the requests of an institution, waiting ones first. Without `canReadAll` only the caller's own. */
export async function findApprovals(
  scope: Scope,
  options: {
    musercode: string;
    accountid: string;
    status?: number | undefined;
    mine?: number | undefined;
    canReadAll: boolean;
    page: number;
    pageSize: number;
    orderby?: string | undefined;
    isasc?: string | undefined;
  },
) {
  let query = scope.db.selectFrom('accessapproval').where('musercode', '=', options.musercode);
  if (options.status !== undefined) query = query.where('status', '=', options.status);
  if (options.mine === 1 || !options.canReadAll) query = query.where('applicant', '=', options.accountid);
  if (options.mine === 0) query = query.where('applicant', '<>', options.accountid);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy(
      options.orderby !== 'createtime'
        ? sql`status = 0 desc, createtime desc, approvalid desc`
        : options.isasc === '1'
          ? sql`createtime, approvalid`
          : sql`createtime desc, approvalid desc`,
    )
    .$call(paginate(options))
    .execute();
  return { total, rows };
}

/** The user ids of staff of an institution whose roles give the export right. They may decide. */
export const findDeciders = async (scope: Scope, musercode: string, codes: readonly string[]): Promise<string[]> => {
  const rows = await scope.db
    .selectFrom('sysuser as u')
    .innerJoin('sysuserrole as ur', 'ur.userid', 'u.userid')
    .innerJoin('role as r', 'r.roleid', 'ur.roleid')
    .select('u.userid')
    .distinct()
    .where('u.musercode', '=', musercode)
    .where('u.enabled', '=', 1)
    .where('u.isdeleted', '=', 0)
    .where('r.enabled', '=', 1)
    .where('r.isdeleted', '=', 0)
    .where(sql<boolean>`r.codes && ${[...codes]}::text[]`)
    .execute();
  return rows.map((row) => row.userid);
};

/** Adds notices with a link to the requests, one for each key. */
export const addNotices = (
  scope: Scope,
  rows: readonly { musercode: string; userid: string; title: string; content: string; dedupekey: string; createtime: Date }[],
) =>
  rows.length === 0
    ? Promise.resolve([])
    : scope.db
        .insertInto('notification')
        .values(rows.map((row) => ({ ...row, kind: 'approval', link: '/approvals' })))
        .onConflict((oc) => oc.doNothing())
        .execute();
