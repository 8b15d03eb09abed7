import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { ArchiveCloseReason, DueState } from '#domain/person/archiveStates.ts';
import type { OwnCode } from '#domain/person/ownFields.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { filterBy, personName, personPhone, readableBy } from '#contract/fieldAccess.ts';
import { day, flag } from '#contract/field.ts';
import { cuserRow } from '#features/cuser/cuser.contract.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { personScreens } from '#contract/population.ts';

/** Archives of persons: the lists of 档案管理, the page of one person, closing and reopening. */

const screens = ['archives.all', 'archives.maternity', 'archives.students', 'archives.workers', 'archives.elders'] as const;
const readers = staffOf(...screens);
const listReaders = staffOf(...screens, 'individual.maternity', 'individual.students', 'individual.workers', 'individual.elders');
const pageReaders = staffOf(...personScreens);
const closers = forTypes(['004', '005'], readers);
const cuserid = z.string().max(20).describe('受测者');
const appid = z.string().max(9);

/** What the list and the page of a person share with the list of persons. */
const personFields = cuserRow.pick({
  cuserid: true,
  username: true,
  gender: true,
  age: true,
  phonenumber: true,
  appid: true,
  musercode: true,
  insname: true,
  mentalstate: true,
  riskflag: true,
  focus: true,
  ownername: true,
  lastlevel: true,
  lastexamtime: true,
  gestation: true,
  withheldcount: true,
});
const stageFields = {
  /** proposed for today; '' with a note when there is none */
  stagecode: z.string(),
  stagename: z.string(),
  stagenote: z.string(),
};

export const archiveRow = personFields.extend({
  ...cuserRow.pick({ examcount: true, reportcount: true, consentok: true, createtime: true, edcdate: true }).shape,
  ...stageFields,
  /** answers that live authorizations still allow */
  leftcount: z.number(),
  archiveid: z.number(),
  archiveno: z.string(),
  /** `ArchiveStatus` */
  status: z.number(),
  opendate: z.string(),
  closedate: z.string().nullable(),
  /** the values of the fields with `inlist` */
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])),
});
export type ArchiveRow = z.infer<typeof archiveRow>;

/** The value of an own field of the institution; needs `appid`. */
const ownFilter = z.string().trim().max(50).optional().describe('自定义档案字段');
const ownFilters = {
  x1: ownFilter,
  x2: ownFilter,
  x3: ownFilter,
  x4: ownFilter,
  x5: ownFilter,
  x6: ownFilter,
  x7: ownFilter,
  x8: ownFilter,
  x9: ownFilter,
  x10: ownFilter,
} satisfies Record<OwnCode, typeof ownFilter>;

/** The filters of the list, of the due list and of the export. */
export const archiveFilters = {
  /** name, pinyin initials, archive number, student, employee or booking number, or a whole telephone number */
  keyword: z.string().trim().max(50).optional().describe('姓名/编号'),
  appid: appid.optional().describe('人群'),
  musercode: z.string().max(20).optional().describe('机构'),
  gender: z.enum(Gender.codes).optional(),
  agemin: z.coerce.number().int().min(0).max(150).optional().describe('最小年龄'),
  agemax: z.coerce.number().int().min(0).max(150).optional().describe('最大年龄'),
  stagecode: z.string().max(10).optional().describe('阶段'),
  lastlevel: filterBy('results', z.coerce.number().int().min(0).max(4).optional().describe('最近结果')),
  riskflag: filterBy('cases', z.coerce.number().int().min(0).max(4).optional().describe('当前预警')),
  archivestatus: z.coerce.number().int().min(1).max(2).optional().describe('档案状态'),
  owneruserid: z.string().max(20).optional().describe('负责人'),
  edcfrom: day.optional().describe('预产期从'),
  edcto: day.optional().describe('预产期至'),
  highrisk: flag.optional().describe('是否高危'),
  gradecode: z.string().max(10).optional().describe('年级'),
  classname: z.string().trim().max(50).optional().describe('班级'),
  studystatus: z.string().max(2).optional().describe('学籍状态'),
  unitname: z.string().trim().max(64).optional().describe('单位'),
  deptname: z.string().trim().max(64).optional().describe('部门'),
  jobtype: z.string().max(2).optional().describe('职业类型'),
  livewith: z.string().max(2).optional().describe('居住方式'),
  adl: z.string().max(2).optional().describe('自理能力'),
  ...ownFilters,
};

/** Lists archives. A caller with the screen of one population sees that population only; asking for another answers 110004. */
export const getCUserArchivePageList = defineAction({
  name: 'as.m.cuser.getCUserArchivePageList',
  title: '查询档案',
  allow: listReaders,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('username', 'opendate', 'lastexamtime', 'edcdate', 'archiveno'),
    ...archiveFilters,
  }),
  response: pageOf(archiveRow),
});

/** Lists who is due at an institution: 应测, 逾期, 复测 and 漏测, computed for today. */
export const getDuePageList = defineAction({
  name: 'as.m.cuser.getDuePageList',
  title: '查询待测名单',
  allow: pageReaders,
  kind: 'read',
  request: pageRequest.extend({
    /** without it the overdue come first, then by the last day */
    orderby: sortedBy('username', 'due', 'stagename', 'until', 'lastexamtime'),
    appid: appid.describe('人群'),
    musercode: z.string().max(20).optional().describe('机构'),
    keyword: archiveFilters.keyword,
    stagecode: archiveFilters.stagecode,
    due: z.enum(DueState.codes).optional().describe('待测'),
  }),
  response: z.object({
    total: z.number(),
    /** how many persons have each state, before the filter by state */
    counts: z.object({ due: z.number(), overdue: z.number(), retest: z.number(), missed: z.number() }),
    rows: z.array(
      z.object({
        cuserid: z.string(),
        username: personName(),
        gender: z.enum(Gender.codes),
        age: z.number().nullable(),
        appid: z.string(),
        belongs: z.string(),
        archiveno: z.string(),
        /** 建册号, 学号 or 工号, else 档案号 */
        number: z.string(),
        gestation: z.string(),
        edcdate: z.string(),
        due: z.enum(DueState.codes),
        stagecode: z.string(),
        stagename: z.string(),
        /** the last day of the window; null when it has none */
        until: z.string().nullable(),
        /** names of the stages that ended without a valid sheet */
        missed: z.array(z.string()),
        lastexamtime: z.string().nullable(),
        ownername: z.string(),
      }),
    ),
  }),
});

const timelineItem = z.object({
  time: z.string(),
  /** for `before` */
  cursor: z.string(),
  type: z.enum(['exam', 'report', 'warning', 'interview', 'referral', 'interfere', 'followup', 'consult', 'archive']),
  title: z.string(),
  /** the code of the report, case or sheet; '' without a page of its own */
  refcode: z.string(),
  level: readableBy('results', z.number().nullable()),
});

/** The archive of a person: all archives, guardians, consents, and one timeline of 30 entries a page. */
export const getCUserArchive = defineAction({
  name: 'as.m.cuser.getCUserArchive',
  title: '查看档案',
  allow: pageReaders,
  kind: 'reveal',
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    appid: appid.optional(),
    /** `cursor` of the last entry seen: the timeline goes on before it */
    before: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2})?$/)
      .optional(),
  }),
  response: z.object({
    cuser: personFields.extend({
      ...cuserRow.pick({ belongs: true, enabled: true, anonymized: true, version: true }).shape,
      ...stageFields,
    }),
    archives: z.array(
      z.object({
        archiveid: z.number(),
        appid: z.string(),
        archiveno: z.string(),
        status: z.number(),
        iscurrent: z.number(),
        opendate: z.string(),
        closedate: z.string().nullable(),
        closereason: z.enum(ArchiveCloseReason.codes).nullable(),
        closenote: z.string(),
        /** 1: `openCUserArchive` reopens this archive; 0: it opens a new one */
        canreopen: z.number(),
        fields: archiveRow.shape.fields,
        /** filled fields that only a reveal shows */
        hidden: z.array(z.string()),
      }),
    ),
    guardians: z.array(z.object({ name: personName(), relation: z.string(), phonenumber: personPhone() })),
    consents: z.array(
      z.object({
        consentid: z.number(),
        scope: z.string(),
        subject: z.string(),
        method: z.string(),
        agreed: z.number(),
        consentversion: z.string(),
        agreetime: z.string(),
        withdrawtime: z.string().nullable(),
        hassignature: z.number(),
      }),
    ),
    examcount: z.number(),
    timeline: z.array(timelineItem),
    /** more entries before the last one */
    hasmore: z.number(),
  }),
});

/** Closes an archive; the unused counts of the person in this population return. Answers 130003 while a case is open. */
export const deleteCUserArchive = defineAction({
  name: 'as.m.cuser.deleteCUserArchive',
  title: '结束档案',
  allow: closers,
  kind: 'write',
  request: z
    .strictObject({
      archiveid: z.number().int(),
      closereason: z.enum(ArchiveCloseReason.codes, '请选择结束原因').describe('结束原因'),
      closenote: z.string().trim().max(200).optional().describe('说明'),
    })
    .refine(({ closereason, closenote }) => closereason !== ArchiveCloseReason.other || (closenote ?? '').length >= 5, {
      path: ['closenote'],
      message: '请用至少 5 个字说明原因',
    }),
  response: z.object({ released: z.number() }),
});

/** Reopens the closed archive within 30 days of its end; afterwards opens a new one. */
export const openCUserArchive = defineAction({
  name: 'as.m.cuser.openCUserArchive',
  title: '重新建档',
  allow: forTypes(CARE_TYPES, readers),
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    appid,
    /** 1: always a new archive, for example for a second pregnancy */
    isnew: flag.default(0),
  }),
  response: z.object({ archiveid: z.number(), archiveno: z.string(), isnew: z.number() }),
});

/** The signature under the consent that was valid at a sheet, or is valid now; null without one. Its link lives for ten minutes. */
export const getSignaturePicture = defineAction({
  name: 'as.m.cuser.getSignaturePicture',
  title: '查看知情同意签名',
  allow: forTypes(CARE_TYPES, pageReaders),
  kind: 'reveal',
  person: (request) => [request.cuserid],
  request: z.strictObject({ cuserid, examcode: z.string().max(20).optional() }),
  response: z.object({ url: z.string(), agreetime: z.string(), subject: z.string(), consentversion: z.string() }).nullable(),
});
