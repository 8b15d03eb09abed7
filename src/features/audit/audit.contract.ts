import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName } from '#contract/fieldAccess.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

const allowAudit = staffOf('authority.audit');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, '日期不正确');
export const auditKinds = ['read', 'reveal', 'write', 'export', 'import'] as const;
const filters = {
  /** name or login name of the user, or an account number */
  who: z.string().trim().max(50).optional(),
  /** part of an action's title or name */
  action: z.string().trim().max(60).optional(),
  kind: z.enum(auditKinds).optional(),
  cuserid: z.string().max(20).optional(),
  objectid: z.string().trim().max(60).optional(),
  /** '1': only actions of acting sessions */
  loginas: z.enum(['0', '1']).optional(),
  begindate: day.optional(),
  enddate: day.optional(),
  /** for the platform: one institution */
  musercode: z.string().max(20).optional(),
};

export const auditRow = z.object({
  id: z.number(),
  time: z.string(),
  who: z.string(),
  accountid: z.string(),
  /** the person behind an acting session */
  loginasby: z.string(),
  insname: z.string(),
  action: z.string(),
  title: z.string(),
  kind: z.enum(auditKinds),
  persons: z.array(z.object({ cuserid: z.string(), username: personName() })),
  /** all persons concerned; `persons` holds the first three */
  personcount: z.number(),
  minors: z.number(),
  objectid: z.string(),
  /** the name of the object, if the caller may see it */
  objectname: z.string(),
  /** Chinese titles with the facts of the call; a changed field as 旧值 → 新值 */
  detail: z.array(z.object({ key: z.string(), value: z.string() })),
  ip: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

/** Returns a page of the audit log of the caller's institution. The platform sees all institutions. */
export const getAuditPageList = defineAction({
  name: 'as.m.audit.getAuditPageList',
  title: '查询审计日志',
  allow: allowAudit,
  kind: 'read',
  person: ({ cuserid }) => (cuserid === undefined ? [] : [cuserid]),
  request: pageRequest.extend({ ...filters, orderby: sortedBy('time') }),
  response: pageOf(auditRow),
});

/** Exports the audit log: at most 20,000 rows. With more rows it asks for a shorter period. */
export const exportAudit = defineAction({
  name: 'as.m.audit.exportAudit',
  title: '导出审计日志',
  allow: allowAudit,
  kind: 'export',
  person: ({ cuserid }) => (cuserid === undefined ? [] : [cuserid]),
  request: z.strictObject(filters),
  response: file,
});

/** Recomputes the seals of all rows of the platform and compares them with the heads outside of the database. */
export const verifyAudit = defineAction({
  name: 'as.m.audit.verifyAudit',
  title: '核对审计日志',
  allow: forTypes(['001'], allowAudit),
  kind: 'write',
  request: z.strictObject({}),
  response: z.object({
    intact: z.boolean(),
    rows: z.number(),
    message: z.string(),
    /** what was changed and where, at most 20 */
    faults: z.array(z.string()),
  }),
  cost: 20,
});

/**
 * Downloads 审计凭证 of the caller's institution: a small JSON file with the head of the log. The institution keeps it outside of the
 * system, so that nobody can cut or renew the log unseen. It names no person.
 */
export const exportAuditReceipt = defineAction({
  name: 'as.m.audit.exportAuditReceipt',
  title: '下载审计凭证',
  allow: allowAudit,
  kind: 'export',
  containsNoData: true,
  request: z.strictObject({}),
  response: file,
  cost: 5,
});

/**
 * Says whether the log still has everything that a receipt of the caller's institution confirms; the platform checks any. Answers 120002
 * for a text that is no receipt of this system, or one that was changed.
 */
export const checkAuditReceipt = defineAction({
  name: 'as.m.audit.checkAuditReceipt',
  title: '核对审计凭证',
  allow: allowAudit,
  kind: 'write',
  request: z.strictObject({ receipt: z.string().min(2).max(4000).describe('审计凭证') }),
  response: z.object({ intact: z.boolean(), message: z.string(), faults: z.array(z.string()) }),
  cost: 10,
});

/** 谁看过: returns the users who looked at a person or changed the person's data. The audit log records this call, too. */
export const getPersonTrail = defineAction({
  name: 'as.m.audit.getPersonTrail',
  title: '查询谁看过',
  allow: allowAudit,
  kind: 'reveal',
  person: ({ cuserid }) => [cuserid],
  request: pageRequest.extend({
    cuserid: z.string().max(20).describe('受测者'),
    begindate: day.optional(),
    enddate: day.optional(),
  }),
  response: z.object({
    username: z.string(),
    viewers: z.array(
      z.object({
        accountid: z.string(),
        who: z.string(),
        looked: z.number(),
        changed: z.number(),
        exported: z.number(),
        firsttime: z.string(),
        lasttime: z.string(),
      }),
    ),
    total: z.number(),
    rows: z.array(auditRow),
  }),
});
