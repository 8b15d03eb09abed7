import type { ConsentTerms, TeenGuardian } from '#domain/exam/consentTerms.ts';

/**
 * The text to which a person agrees, generated from facts. Other facts make another version, and the person is asked again.
 * Sources: PIPL arts 13–17, 28–31; clinical-rules.md I.
 */

/** The names of roles by what they can see. A name stands in every list that applies. */
export interface DataReaders {
  /** names and every answer */
  all: readonly string[];
  /** names and scores, no answers */
  results: readonly string[];
  /** names and the answers of a safety case */
  cases: readonly string[];
  /** names and 需要关注 */
  hints: readonly string[];
  /** counts of at least `minstats` persons */
  stats: readonly string[];
}

/** The facts of a consent text. A version is a hash of exactly these fields. */
export interface ConsentFacts {
  /** changes when the sentences of this file change */
  edition: 1;
  insname: string;
  sector: string;
  contact: string;
  /** organisations that process the data on the institution's behalf; `isOnDuty`: their staff also receive alarms */
  providers: readonly { name: string; isOnDuty: boolean }[];
  readers: DataReaders;
  minstats: number;
  terms: ConsentTerms;
}

/** Primary-school pupils read `short`, everybody else `full`. */
export type ConsentReading = 'full' | 'short';
export interface ConsentText {
  text: string;
  sensitivetext: string;
  /** empty without a recipient: then there is no third tick */
  providetext: string;
  guardiantext: string;
}

const list = (names: readonly string[]) => names.join('、');
const clause = (names: readonly string[], words: string) => (names.length ? [`${list(names)}${words}`] : []);

/** The consent text of an institution. It addresses pupils with 你 and all others with 您. */
export function consentText(facts: ConsentFacts, reading: ConsentReading): ConsentText {
  const { terms, sector } = facts;
  const you = sector === 'edu' ? '你' : '您';
  const family = sector === 'edu' ? '监护人' : '家属';
  return {
    text: (reading === 'short' ? shortLines(facts) : fullLines(facts, you, family)).join('\n'),
    sensitivetext:
      reading === 'short'
        ? '我同意老师了解我的心情和感受。'
        : '我单独同意处理我的心理健康信息（敏感个人信息），只用于了解状态、关怀和随访。',
    providetext: terms.recipient ? `我单独同意把我的信息提供给${terms.recipient}。` : '',
    guardiantext:
      reading === 'short'
        ? '还要爸爸妈妈或其他监护人同意。\n他们同意以前，不给别人看结果。\n如果你有危险，老师还是会来帮你。'
        : '未满14周岁（或学校还不知道年龄）的同学，需要监护人同意。监护人同意之前，分数和报告不给任何人看；有安全风险时，老师仍会来帮助你。',
  };
}

function fullLines({ insname, contact, providers, readers, minstats, terms, sector }: ConsentFacts, you: string, family: string) {
  const entrusted = providers.map(({ name, isOnDuty }) => `${name}受托运行${isOnDuty ? '和值守' : ''}`);
  const contactWords = contact ? `联系人${contact}` : '联系人请询问发放二维码的老师或工作人员';
  const channel = terms.channel || contact || '发放二维码的老师或工作人员';
  const seen = [
    ...clause(readers.all, '能看姓名和每题回答'),
    ...clause(readers.results, '能看姓名和结果'),
    ...clause(readers.cases, '在有安全风险时能看姓名和相关回答'),
    ...clause(readers.hints, '只看姓名和“需要关注”'),
    ...clause(readers.stats, `只看不少于${minstats}人的统计`),
  ];
  return [
    `这是一次心理健康筛查，大约5–15分钟。结果是筛查参考，不是医学诊断。`,
    `一、${insname}处理${you}的信息，${[contactWords, ...entrusted].join('；')}。`,
    `二、收集基本信息和回答，其中心理健康信息是敏感个人信息，只用于了解状态、关怀和随访；不参加不影响${you}的${sector === 'edu' ? '学习和评价' : '服务和权益'}。`,
    `三、${seen.join('；')}。查看都有记录。`,
    `四、有生命危险或受到伤害时，我们会不经同意告诉${family}、${terms.leader}，必要时告诉公安、医院、${terms.authority}；法定报告必须做。`,
    `五、回答保存${terms.answersterm}，安全个案保存${terms.casesterm}。`,
    `六、${you}可随时停下，查看、复制、更正、撤回、删除、投诉：${channel}，15个工作日内答复。撤回即停用并在15个工作日内删除；处理中的安全个案和依法保存的记录保留，并告诉${you}。`,
  ];
}

/** The words for primary schools: 你, and at most 20 characters a sentence apart from names (clinical-rules K). */
function shortLines({ insname, contact, providers, readers, terms }: ConsentFacts): string[] {
  return [
    '这是一份心情小问卷，不是考试。',
    '没有对错，也不是看病。',
    `做这件事的是：${insname}。`,
    ...providers.map(({ name }) => `帮忙管理系统的是：${name}。`),
    '不想做，可以不做。',
    '不做也不影响你的学习。',
    ...clause(readers.all, '。').map((names) => `能看到你名字和回答的人：${names}`),
    ...clause(readers.results, '。').map((names) => `能看到你名字和结果的人：${names}`),
    ...clause(readers.cases, '。').map((names) => `你有危险时能看回答的人：${names}`),
    ...clause(readers.hints, '。').map((names) => `只知道要关心你的人：${names}`),
    '其他人只看到很多人的总数。',
    '如果你有危险，或有人伤害你，',
    '我们不等你同意，也会找人帮你。',
    `会告诉：监护人、${terms.leader}。`,
    '需要时还会找警察和医院。',
    `你的回答保存${terms.answersterm}。`,
    `安全记录保存${terms.casesterm}。`,
    '你可以随时停下来。',
    '想看、想改、想删掉回答都可以。',
    `可以告诉：${terms.channel || contact || '老师'}。`,
    '15个工作日内会删掉。',
    '正在帮助你的记录会留下。',
    '留下什么，我们会告诉你。',
  ];
}

/** The consent scopes that a respondent needs before the first answer: 01 processing, 02 sensitive data. */
export const requiredScopes = ['01', '02'] as const;
/** The scope of the third tick: providing data to the recipient. Declining it does not stop the assessment. */
export const provideScope = '05';

/** What a consent is about, for staff. */
export const CONSENT_SCOPES: Readonly<Record<string, string>> = {
  '01': '测评与信息处理',
  '02': '敏感信息单独同意',
  '03': '报告告知监护人',
  '04': '科研使用',
};

/** The facts that decide about the guardian. */
export interface GuardianFacts {
  /** in years; null when the roster does not say */
  age: number | null;
  /** a pupil of a school below university */
  isPupil: boolean;
  /** entered with a code or a scan, without a name: nobody can know the guardian */
  isAnonymous: boolean;
}

/** Under this age a guardian must agree (PIPL art. 31). */
const GUARDIAN_AGE = 14;

/**
 * What the guardian must do: 01 agree, 02 be informed, null nothing. A pupil of unknown age counts as under 14. For persons of 14–17
 * the institution decides.
 */
export function guardianDuty({ age, isPupil, isAnonymous }: GuardianFacts, teen: TeenGuardian): '01' | '02' | null {
  if (isAnonymous) return null;
  if (age === null) return isPupil ? '01' : null;
  if (age < GUARDIAN_AGE) return '01';
  if (age >= 18 || teen === 'none') return null;
  return teen === 'agree' ? '01' : '02';
}

/** Whether a person reads the short text: a primary-school pupil, by phase or grade, otherwise a pupil of at most 11 years. */
export function readingOf(person: { eduphase: string | null; gradename: string | null; age: number | null; isPupil: boolean }) {
  const { eduphase, gradename, age, isPupil } = person;
  const isPrimary =
    eduphase === '01' ||
    (!eduphase && /^(小学|[一二三四五六1-6]年级)/.test(gradename ?? '')) ||
    (!eduphase && !gradename && isPupil && age !== null && age <= 11);
  const reading: ConsentReading = isPrimary ? 'short' : 'full';
  return reading;
}

/** The days after the first answer on which staff are asked again for the guardian's consent (clinical-rules I). */
export const chaseDays = [1, 3, 7] as const;
/** The day on which answers without a verified consent are deleted. */
export const eraseDay = 14;
/** A withdrawal is carried out within this number of working days. */
export const withdrawalWorkingDays = 15;
/** The job deletes after this number of working days, so that a failed run can be repeated in time. */
export const eraseAfterWorkingDays = 10;

/** The records that a withdrawal keeps and deletes, in words for the person. */
export function withdrawalReceipt({ openCase, sector }: { openCase: boolean; sector: string }) {
  const helper = sector === 'edu' ? '老师' : '工作人员';
  return {
    deleted: ['全部回答', '测评结果', '测评报告'],
    kept: [
      ...(openCase
        ? [`正在处理的安全个案和它依据的回答：${helper}会继续关心${sector === 'edu' ? '你' : '您'}，结案后删除依据的回答`]
        : []),
      '依法保存的记录：已结案的安全个案、同意与撤回记录、查看记录',
    ],
  };
}
