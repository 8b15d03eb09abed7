import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

const readers = staffOf('authority.audit');
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, '日期不正确');
export const auditKinds = ['read', 'reveal', 'write', 'export', 'import'] as const;
const filters = {
  /** name or login name of who did it, or an account number */
  who: z.string().trim().max(50).optional(),
  /** part of an action's title or name */
  action: z.string().trim().max(60).optional(),
  kind: z.enum(auditKinds).optional(),
  cuserid: z.string().max(20).optional(),
  objectid: z.string().trim().max(60).optional(),
  /** '1': only what was done under somebody else's name */
  loginas: z.enum(['0', '1']).optional(),
  begindate: day.optional(),
  enddate: day.optional(),
  /** platform: of one institution */
  musercode: z.string().max(20).optional(),
};

export const auditRow = z.object({
  id: z.number(),
  time: z.string(),
  who: z.string(),
  accountid: z.string(),
  /** who was behind it, when they acted in another account */
  loginasby: z.string(),
  insname: z.string(),
  action: z.string(),
  title: z.string(),
  kind: z.enum(auditKinds),
  persons: z.array(z.object({ cuserid: z.string(), username: z.string() })),
  /** all persons concerned; `persons` holds the first three */
  personcount: z.number(),
  minors: z.number(),
  objectid: z.string(),
  /** what changed, in the wire's words */
  detail: z.array(z.object({ key: z.string(), value: z.string() })),
  ip: z.string(),
});
export type AuditRow = z.infer<typeof auditRow>;

/** Who did and who looked at what: of the own institution; the platform sees all. */
export const getAuditPageList = defineAction({
  name: 'as.m.audit.getAuditPageList',
  title: '查询审计日志',
  allow: readers,
  kind: 'read',
  person: ({ cuserid }) => (cuserid === undefined ? [] : [cuserid]),
  request: pageRequest.extend({ ...filters, orderby: sortedBy('time') }),
  response: pageOf(auditRow),
});
/** At most 20,000 rows; ask for fewer days when there are more. */
export const exportAudit = defineAction({
  name: 'as.m.audit.exportAudit',
  title: '导出审计日志',
  allow: readers,
  kind: 'export',
  person: ({ cuserid }) => (cuserid === undefined ? [] : [cuserid]),
  request: z.strictObject(filters),
  response: file,
});

/** Recomputes the chain of seals over all rows of the platform. */
export const verifyAudit = defineAction({
  name: 'as.m.audit.verifyAudit',
  title: '校验审计日志',
  allow: forTypes(['001'], readers),
  kind: 'write',
  request: z.strictObject({}),
  response: z.object({ intact: z.boolean(), seals: z.number(), rows: z.number(), message: z.string() }),
  cost: 20,
});

/** 谁看过: everybody who looked at a person or changed something about them. Asking is recorded, too. */
export const getPersonTrail = defineAction({
  name: 'as.m.audit.getPersonTrail',
  title: '查询谁看过',
  allow: readers,
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
