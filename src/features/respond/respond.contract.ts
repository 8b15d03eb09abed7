import { z } from 'zod';
import { anyone, defineAction, respondent } from '#contract/action.ts';

/**
 * The respondent's calls: `as.c.*`. A person signs in at an institution's entry, consents, answers and submits. The
 * respondent sees no score next to an alert, and never the word 预警.
 */

export const clientCode = z.string().regex(/^[0-9A-Za-z_-]{6,40}$/, '链接不正确');

const consentWords = {
  text: z.string(),
  sensitivetext: z.string(),
  /** empty without a recipient: then there is no third tick */
  providetext: z.string(),
  guardiantext: z.string(),
};
export const getEntry = defineAction({
  name: 'as.c.user.getEntry',
  title: '读取作答入口',
  allow: anyone,
  kind: 'read',
  request: z.strictObject({ clientcode: clientCode }),
  response: z.object({
    clienttitle: z.string(),
    welcome: z.string(),
    insname: z.string(),
    sector: z.string(),
    /** 01 测评码 · 02 姓名+手机号 · 03 姓名+学号/工号 · 04 扫码即测 */
    loginmode: z.enum(['01', '02', '03', '04']),
    themecolor: z.string(),
    hotline: z.string(),
    /** the lines of the institution, its region and the country; the page orders them by the time of reading */
    hotlines: z.array(z.object({ number: z.string(), name: z.string(), hours: z.string(), checkedon: z.string() })),
    /** `short` has the words for primary schools; the login says which one the person reads */
    consent: z.object({ version: z.string(), ...consentWords, short: z.object(consentWords).nullable() }),
  }),
});

/** Lists the regions below a region, for questions about a place: provinces, cities or counties. They are public. */
export const getRegions = defineAction({
  name: 'as.c.user.getDistrictList',
  title: '查询行政区划',
  allow: anyone,
  kind: 'read',
  request: z.strictObject({
    /** '' or absent: provinces */
    parentcode: z
      .string()
      .regex(/^(\d{6})?$/)
      .default(''),
  }),
  response: z.array(z.object({ districtcode: z.string(), districtname: z.string(), level: z.number(), haschild: z.number() })),
});

export const loginRespondent = defineAction({
  name: 'as.c.user.login',
  title: '受测者核对身份',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({
    clientcode: clientCode,
    username: z.string().trim().max(32).optional().describe('姓名'),
    /** student or employee number (mode 03), telephone (mode 02), assessment code (mode 01), random secret of the tab (mode 04) */
    key: z.string().trim().max(32).optional().describe('学号/工号'),
    /** class and birthday instead of the number, for a pupil without one in the roster (mode 03) */
    classname: z.string().trim().max(40).optional().describe('班级'),
    birthday: z.iso.date('请选择出生日期').optional().describe('出生日期'),
  }),
  response: z.object({
    token: z.string(),
    /** family name and asterisks: the person can answer 这不是我, and a stranger learns nothing */
    maskedname: z.string(),
    belongs: z.string(),
    gender: z.string(),
    needconsent: z.boolean(),
    /** the version of the consent text for which the institution asks now */
    consentversion: z.string(),
    /** the consent of a guardian is open: until it is verified, scores and reports are withheld (PIPL art. 31) */
    needguardian: z.boolean(),
    /** the masked telephone of the roster's guardian; '' when the roster has none */
    guardianphone: z.string(),
    reading: z.enum(['full', 'short']),
    needsignature: z.boolean(),
    large: z.boolean(),
    /** how the page addresses the person: 你 for students and minors, else 您 */
    you: z.enum(['你', '您']),
    /**
     * The page derives a key from it and encrypts unsent answers on the device. So it is the same at every sign-in of
     * one person, and nobody else knows it.
     */
    draftsecret: z.string(),
    olddraftsecrets: z.array(z.string()), // of earlier keys of the server
  }),
  cost: 5,
});

export const submitConsent = defineAction({
  name: 'as.c.user.submitConsent',
  title: '知情同意',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({
    consentversion: z.string().max(10),
    /** 01 测评与信息处理 · 02 敏感信息单独同意, a separate consent · 03 报告告知监护人 · 04 科研使用 · 05 提供给接收方 */
    scopes: z.array(z.enum(['01', '02', '03', '04', '05'])).min(1),
    agreed: z.literal(1, '需要勾选同意后才能开始'),
    /** What the person says about the guardian. Staff compare it with the roster; it never becomes a contact. */
    guardian: z
      .strictObject({
        name: z.string().trim().min(2, '请填写监护人姓名').max(32).describe('监护人姓名'),
        relation: z.enum(['01', '02', '03']).describe('与本人关系'),
        /** accepted from older pages and not stored */
        phonenumber: z.string().max(20).optional().describe('监护人电话'),
      })
      .optional(),
    /** PNG as a data URL, at most 100 KB */
    signature: z
      .string()
      .max(140_000)
      .regex(/^data:image\/png;base64,/)
      .optional(),
  }),
  response: z.object({}),
});

/**
 * 拒绝参加: the person does not take part in the open tasks. The psychologist gets a notice, and nobody is to chase the person. A later
 * consent takes the refusal back.
 */
export const declineTasks = defineAction({
  name: 'as.c.user.declineTasks',
  title: '这次不参加',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({}),
  response: z.object({ declined: z.number() }),
});

export const withdrawConsent = defineAction({
  name: 'as.c.user.withdrawConsent',
  title: '撤回同意',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({}),
  /** the receipt: the records that are deleted until `duedate`, and the records that stay */
  response: z.object({
    time: z.string(),
    duedate: z.string(),
    deleted: z.array(z.string()),
    kept: z.array(z.string()),
  }),
});

/**
 * The guardian decides on the page for parents, before or after the day. The link of a class asks for the name of the child and the
 * telephone of a guardian in the roster; the link of one child asks for this telephone or the birthday of the child. A refusal excuses
 * the pupil (免测); the guardian may decide otherwise later.
 */
export const decideAsGuardian = defineAction({
  name: 'as.c.user.decideAsGuardian',
  title: '监护人在线表态',
  allow: anyone,
  kind: 'write',
  request: z.strictObject({
    clientcode: clientCode,
    teamcode: z.string().max(20),
    consentversion: z.string().max(10),
    username: z.string().trim().min(1, '请填写学生姓名').max(32).optional().describe('学生姓名'),
    /** the child of the link, instead of the name */
    child: z
      .string()
      .regex(/^[\w-]{22}$/, '链接不正确')
      .optional()
      .describe('学生'),
    phonenumber: z
      .string()
      .trim()
      .regex(/^[0-9-]{7,20}$/, '请填写学校登记的监护人电话')
      .optional()
      .describe('监护人电话'),
    /** the birthday of the child of the link, instead of the telephone */
    birthday: z.iso.date('请选择孩子的出生日期').optional().describe('出生日期'),
    name: z.string().trim().min(2, '请填写监护人姓名').max(32).describe('监护人姓名'),
    relation: z.enum(['01', '02', '03']).describe('与学生关系'),
    agreed: z.union([z.literal(0), z.literal(1)]),
  }),
  response: z.object({}),
  cost: 5,
});

/** Sends a code to the guardian's telephone of the roster. */
export const sendGuardianCode = defineAction({
  name: 'as.c.user.sendGuardianCode',
  title: '发送监护人验证码',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({}),
  response: z.object({ phone: z.string() }),
  cost: 10,
});

/** The guardian agrees by saying the code. */
export const confirmGuardianCode = defineAction({
  name: 'as.c.user.confirmGuardianCode',
  title: '监护人验证码同意',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({
    code: z
      .string()
      .regex(/^\d{6}$/, '请填写 6 位验证码')
      .describe('验证码'),
  }),
  response: z.object({}),
});

export const respondentTask = z.object({
  cuserplanid: z.number(),
  taskname: z.string(),
  planname: z.string(),
  endtime: z.string().nullable(),
  /** the time slot in which the class begins; null: at any time of the task */
  slot: z.object({ begintime: z.string(), endtime: z.string() }).nullable(),
  minutes: z.number(),
  itemcount: z.number(),
  /** 0 not started · 1 under way · 2 submitted */
  status: z.number(),
  answered: z.number(),
});
export const getTasks = defineAction({
  name: 'as.c.exam.getTaskList',
  title: '查询待答任务',
  allow: respondent,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(respondentTask),
});

/** An option as the respondent sees it: code and label, no score. */
const option = z.tuple([z.string(), z.string()]);
export const sheetItem = z.object({
  c: z.string(),
  t: z.string(),
  type: z.number(),
  input: z.number().optional(),
  options: z.array(option).optional(),
  required: z.boolean(),
  min: z.number().optional(),
  max: z.number().optional(),
  maxlen: z.number().optional(),
  /** The page shows the item only while this condition is true: a `QuestionnaireCond` of domain/exam/questionFlow.ts. */
  showif: z.unknown().optional(),
  group: z.string().optional(),
  pattern: z.string().optional(),
  /** a heading above the question; `page`: the question begins a new page */
  head: z.string().optional(),
  page: z.boolean().optional(),
  /** how many options a multiple choice takes, and those that exclude all others */
  minsel: z.number().optional(),
  maxsel: z.number().optional(),
  excl: z.array(z.string()).optional(),
  step: z.number().optional(),
});
/** A random name that the page gives its device: the server sends earlier answers only to the device that gave them. */
const device = z
  .string()
  .regex(/^[0-9A-Za-z-]{20,40}$/)
  .optional()
  .describe('设备');

export const sheet = z.object({
  examformid: z.number(),
  formcode: z.string(),
  formname: z.string(),
  recall: z.string(),
  instruction: z.string(),
  licencetext: z.string(),
  items: z.array(sheetItem),
  /** the number of questions answered on another device: they are in neither `items` nor `answers` */
  elsewhere: z.number(),
  answers: z.record(z.string(), z.unknown()),
  /** `clientseq` of each answer: the page continues from the highest, and compares its own answers with them */
  seqs: z.record(z.string(), z.number()),
  /** answers that decide other questions (`Questionnaire.derive` of domain/exam/questionFlow.ts) */
  derive: z.unknown().optional(),
});
export type RespondentForm = z.infer<typeof sheet>;

export const startExam = defineAction({
  name: 'as.c.exam.startExam',
  title: '开始或继续作答',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({ cuserplanid: z.number().int(), device }),
  response: z.object({
    examcode: z.string(),
    taskname: z.string(),
    sheets: z.array(sheet),
    /** facts about the person for the conditions of `showif`, in the form that `applicableItems` takes */
    person: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    resultshow: z.boolean(),
  }),
});

export const answerValue = z.union([z.string().max(2000), z.number(), z.array(z.string().max(20)).max(50), z.null()]);

/**
 * Saves one or more answers. The highest `clientseq` wins, so a delayed repeat never overwrites a newer choice.
 * A red answer opens a warning case at once, also when the exam is never submitted. After the window (150003) or the submission
 * (150004) the answers are kept and judged as well: the refusal has `data.saved` and the support card in `data.support`.
 */
export const saveAnswer = defineAction({
  name: 'as.c.exam.saveAnswer',
  title: '保存作答',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({
    examcode: z.string().max(20),
    device,
    answers: z
      .array(
        z.strictObject({
          examformid: z.number().int(),
          c: z.string().max(40),
          value: answerValue,
          clientseq: z.number().int().nonnegative(),
        }),
      )
      .min(1)
      .max(200),
  }),
  response: z.object({ saved: z.number() }),
});

export const submitExam = defineAction({
  name: 'as.c.exam.submitExam',
  title: '交卷',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({
    examcode: z.string().max(20),
    device,
    /** the page makes it once: two requests with the same key are the same submission */
    submitkey: z.uuid(),
    /** all answers of the page, so that no unsaved answer is lost; the shape of saveAnswer */
    answers: z
      .array(
        z.strictObject({
          examformid: z.number().int(),
          c: z.string().max(40),
          value: answerValue,
          clientseq: z.number().int().nonnegative(),
        }),
      )
      .max(500)
      .default([]),
  }),
  response: z.object({
    /** items without an answer, by form; when there are any, nothing was submitted */
    missing: z.array(z.object({ examformid: z.number(), c: z.string() })),
    done: z.boolean(),
    /**
     * forms without an answer, among them those that follow a positive short form in the same sitting: nothing was submitted yet, and
     * the page goes on with the forms that it does not have
     */
    sheets: z.array(sheet),
    showreport: z.boolean(),
    reportcode: z.string().nullable(),
    support: z.object({ show: z.boolean(), hotline: z.string(), text: z.string() }),
  }),
});

/** 请老师联系我: the person asks for contact. Staff see it on the crisis list as source 05. */
export const askForContact = defineAction({
  name: 'as.c.user.askForContact',
  title: '请求联系',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({ content: z.string().trim().max(500).default('') }),
  response: z.object({ text: z.string() }),
});

export const getOwnReports = defineAction({
  name: 'as.c.exam.getReportList',
  title: '查询本人报告',
  allow: respondent,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(z.object({ reportcode: z.string(), title: z.string(), createtime: z.string() })),
});
export const getOwnReport = defineAction({
  name: 'as.c.exam.getReport',
  title: '查看本人报告',
  allow: respondent,
  kind: 'reveal',
  person: () => [],
  request: z.strictObject({ reportcode: z.string().max(20) }),
  response: z.object({ reportcode: z.string(), title: z.string(), content: z.unknown(), createtime: z.string() }),
});
