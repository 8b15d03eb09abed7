import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { filterBy, personName, personPhone, readableBy } from '#contract/fieldAccess.ts';
import { contactPhone, day, editVersion, flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { idnoCheck } from '#contract/workbook/cell.ts';

/** Screens that list persons or let the user choose them. */
const personScreens = [
  'individual.persons',
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
  'archives.all',
  'archives.maternity',
  'archives.students',
  'archives.workers',
  'archives.elders',
] as const;
const editors = forTypes(CARE_TYPES, staffOf(...personScreens));

export const phone = z.string().regex(/^1\d{10}$/, '手机号码应为 11 位数字');

/** An 18-digit resident identity number with the right check character. */
const idno = z
  .string()
  .trim()
  .toUpperCase()
  .refine((text) => /^\d{17}[\dX]$/.test(text) && idnoCheck(text) === text[17], '身份证号不正确：应为 18 位，请与证件核对');

/** A new ID number, or what a form shows in its place: nothing, or a masked number. Those change nothing. */
const idnoOrMask = z.union(
  [
    idno,
    z
      .string()
      .max(30)
      .regex(/^$|[*＊•]/),
  ],
  '身份证号不正确：应为 18 位，请与证件核对',
);
const isNewIdno = (text: string | undefined) => text !== undefined && idno.safeParse(text).success;

export const cuserRow = z.object({
  cuserid: z.string(),
  username: personName(),
  gender: z.enum(Gender.codes),
  age: z.number().nullable(),
  phonenumber: personPhone(),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  mentalstate: readableBy('results', z.number()),
  riskflag: readableBy('cases', z.number()),
  focus: z.number(),
  studentno: z.string(),
  /** class, unit or community */
  belongs: z.string(),
  /** of a pregnancy: 孕 28周+3天 or 产后 12 天, the expected date of birth, 孕早期 … 产后; else '' */
  gestation: z.string(),
  edcdate: z.string(),
  stage: z.string(),
  ownername: z.string(),
  examcount: z.number(),
  reportcount: z.number(),
  lastlevel: readableBy('results', z.number().nullable()),
  lastexamtime: z.string().nullable(),
  consentok: z.number(),
  /** sheets whose scores and report are hidden until the missing consent comes (待补同意) */
  withheldcount: z.number(),
  /** the consent of the guardian: 0 open, 1 verified, 2 refused, 3 ended; null: nobody was asked */
  guardianstate: z.number().nullable(),
  /** 0: disabled, gets no task and no reminder */
  enabled: z.number(),
  /** names and contacts were replaced */
  anonymized: z.number(),
  /** for `updateCUser` */
  version: z.number(),
  createtime: z.string(),
});
export type CUserRow = z.infer<typeof cuserRow>;

/** Lists the persons that the caller sees. */
export const getCUserPageList = defineAction({
  name: 'as.m.cuser.getCUserPageList',
  title: '查询受测者',
  allow: staffOf(...personScreens, 'group.teams', 'group.tasks'),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('username', 'createtime', 'lastexamtime', 'mentalstate', 'riskflag', 'examcount'),
    /** name, pinyin initials, student/employee number, or a whole telephone number */
    keyword: z.string().trim().max(50).optional(),
    appid: z.string().max(9).optional(),
    gender: z.enum(Gender.codes).optional(),
    mentalstate: filterBy('results', z.coerce.number().int().min(0).max(4).optional()),
    riskflag: filterBy('cases', z.coerce.number().int().min(0).max(4).optional()),
    focus: flag.optional(),
    enabled: flag.optional().describe('状态'),
    teamcode: z.string().max(20).optional().describe('团体'),
    notteamcode: z.string().max(20).optional(),
    musercode: z.string().max(20).optional().describe('机构'),
  }),
  response: pageOf(cuserRow),
});

export const guardianFields = z.strictObject({
  name: z.string().trim().min(1).max(32).describe('监护人姓名'),
  relation: z.enum(['01', '02', '03']).default('03').describe('关系'),
  phonenumber: contactPhone.or(z.literal('')).optional().describe('监护人电话'),
});

/** Archive values by field code. The server refuses fields that `archiveFieldsOf` does not list for the population. */
export const archiveFields = z.record(
  z.string().max(40),
  z.union([z.string().max(500), z.number(), z.boolean(), z.array(z.string().max(50)).max(20), z.null()]),
);

/** Creates a person with an archive and guardians. */
export const insertCUser = defineAction({
  name: 'as.m.cuser.insertCUser',
  title: '新增受测者',
  allow: editors,
  kind: 'write',
  request: z.strictObject({
    appid: z.string().length(9).describe('人群'),
    username: z.string().trim().min(1, '请填写姓名').max(32, '姓名不超过 32 个字').describe('姓名'),
    gender: z.enum(Gender.codes, '请选择性别').describe('性别'),
    birthday: day.or(z.literal('')).optional().describe('出生日期'),
    phonenumber: phone.or(z.literal('')).optional().describe('联系电话'),
    /** of an adult; the server stores only its keyed hash, to recognise the person */
    idno: idno.or(z.literal('')).optional().describe('身份证号'),
    archive: archiveFields.default({}),
    guardian: z.array(guardianFields).max(4).default([]),
  }),
  response: z.object({ cuserid: z.string(), archiveid: z.number(), archiveno: z.string() }),
});

/** Changes fields of a person. Answers 140002 when `version` is not the present one. */
export const updateCUser = defineAction({
  name: 'as.m.cuser.updateCUser',
  title: '修改受测者',
  allow: editors,
  kind: 'write',
  edits: {
    table: 'cuser',
    key: 'cuserid',
    marks: { phonenumber: 'phonehash', idno: 'idnohash' },
    parts: ['archive'],
    isPrivate: true,
  },
  // The ID number decides who is one person.
  sensitive: ({ idno }) => isNewIdno(idno),
  person: ({ cuserid }) => [cuserid],
  request: insertCUser.request
    .partial()
    .omit({ appid: true, idno: true })
    .extend({
      cuserid: z.string().max(20),
      version: editVersion,
      idno: idnoOrMask
        .transform((text) => (isNewIdno(text) ? text : undefined))
        .optional()
        .describe('身份证号'),
      // Without a default: an absent field must not change, and the defaults of a new person would empty it.
      archive: archiveFields.optional(),
      guardian: z.array(guardianFields).max(4).optional(),
      focus: z.number().int().min(0).max(1).optional(),
    }),
  response: z.object({ version: z.number() }),
});

/** Deletes persons and releases their frozen counts. Answers 130003 when one of them has an exam or an open case. */
export const deleteCUser = defineAction({
  name: 'as.m.cuser.deleteCUser',
  title: '删除受测者',
  allow: forTypes(
    ['004', '005'],
    staffOf(
      'individual.persons',
      'archives.all',
      'archives.maternity',
      'archives.students',
      'archives.workers',
      'archives.elders',
    ),
  ),
  kind: 'write',
  person: ({ cuserids }) => cuserids,
  request: z.strictObject({ cuserids: z.array(z.string().max(20)).min(1).max(200) }),
  response: z.object({ deleted: z.number() }),
});

/** Returns the whole record of one person, with the telephones in clear text. The server audits each call. */
export const revealCUser = defineAction({
  name: 'as.m.cuser.revealCUser',
  title: '查看受测者详细信息',
  allow: staffOf(...personScreens, 'warning.crisis'),
  kind: 'reveal',
  sensitive: true,
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({ cuserid: z.string().max(20) }),
  response: z.object({
    cuserid: z.string(),
    appid: z.string(),
    musercode: z.string(),
    username: z.string(),
    gender: z.enum(Gender.codes),
    birthday: z.string().nullable(),
    phonenumber: z.string(),
    focus: z.number(),
    mentalstate: readableBy('results', z.number()),
    riskflag: readableBy('cases', z.number()),
    version: z.number(),
    /** 1: an ID number is registered. The server keeps only its keyed hash. */
    hasidno: z.number(),
    archiveno: z.string(),
    archive: archiveFields,
    guardian: z.array(z.object({ guardianid: z.number(), name: z.string(), relation: z.string(), phonenumber: z.string() })),
  }),
});
