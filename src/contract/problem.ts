import { formatNumber } from '#domain/base/number.ts';
/**
 * An error of the system with its number and its text. The wire carries the number as `errorCode`, the text as `errorMsg`.
 * 110000 always means an invalid identity, because the console then opens its sign-in dialog.
 */
export class Problem extends Error {
  readonly code: number;
  /** The request field of the message, if there is one; forms show the message at this field. */
  readonly field: string | undefined;
  /** Further facts for the console, e.g. the unmet closing criteria. */
  readonly data: unknown;
  constructor(code: number, message: string, more: { field?: string | undefined; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.field = more.field;
    this.data = more.data;
  }
}

const texts = new Map<number, string>();
/** Stands for every fact of a text: the list of numbers shows the text with an ellipsis. */
const anyFacts = new Proxy({}, { get: () => '…' });
const problem = <A = void>(code: number, text: (about: A) => string) => {
  if (texts.has(code)) throw new Error(`problem ${code} is declared twice`);
  texts.set(code, text(anyFacts as A));
  return (about: A, more?: { field?: string | undefined; data?: unknown }) => new Problem(code, text(about), more);
};

/** A field that another person changed while a form was open. 140002 carries a list of them as `changes`. */
export interface FieldChange {
  field: string;
  /** the Chinese title of the field */
  title: string;
  name: string;
  /** in Shanghai, to the minute */
  time: string;
  /** 旧值 and 新值; absent where the caller must read a person's data by an audited call */
  before?: unknown;
  after?: unknown;
}

/** All errors of the system. */
export const problems = {
  identityInvalid: problem(110000, () => '用户身份失效，请重新登录'),
  wrongPassword: problem<{ left: number }>(110001, ({ left }) => `账号或密码错误，还可尝试 ${left} 次`),
  accountClosed: problem<{ why: string }>(110002, ({ why }) => why),
  tooManyTries: problem<{ minutes: number }>(110003, ({ minutes }) => `尝试次数过多，请 ${minutes} 分钟后再试`),
  notAllowed: problem(110004, () => '当前操作没有权限'),
  mustChangePassword: problem(110005, () => '请先修改初始密码'),
  busy: problem(110006, () => '当前登录人数较多，请稍后再试'),
  stepUpRequired: problem(110007, () => '为保护账号安全，请再次验证身份；如没有出现验证窗口，请重新登录后再试'),
  wrongOldPassword: problem<{ left: number }>(110008, ({ left }) => `当前密码不正确，还可尝试 ${left} 次`),
  secondFactor: problem(110009, () => '请输入动态验证码'),
  mustEnrol: problem(110010, () => '请先设置二次验证'),
  notWhileActing: problem(110011, () => '代登录期间不能进行该操作'),
  wrongCode: problem<{ left: number }>(110012, ({ left }) => `验证码不正确或已使用，还可尝试 ${left} 次`),
  secondFactorLapsed: problem(110013, () => '验证已超时，请重新登录'),
  windingDown: problem<{ until: string }>(
    110014,
    ({ until }) => `机构服务已到期，收尾模式至 ${until}，期间只能处理危机预警。续期请联系服务商`,
  ),
  oneTimePasswordUsed: problem<{ administrator: string }>(
    110015,
    ({ administrator }) => `这个初始密码已经用过：初始密码只能登录一次，登录后须设置自己的密码。请联系${administrator}重新生成`,
  ),
  oneTimePasswordExpired: problem<{ until: string; administrator: string }>(
    110016,
    ({ until, administrator }) => `这个初始密码已过期（有效期至 ${until}）。请联系${administrator}重新生成`,
  ),
  notOpenToKeys: problem(110017, () => '这项调用没有向对接密钥开放，或不在密钥的范围内'),
  passkeyLapsed: problem(110018, () => '通行密钥验证已超时，请重试'),
  passkeyRefused: problem(110019, () => '通行密钥未通过验证，请重试，或改用其他方式'),
  passkeyCopied: problem(110020, () => '这个通行密钥的使用次数与记录不符，可能被复制，已拒绝。请改用其他方式登录后移除它'),
  missing: problem<{ title: string }>(120001, ({ title }) => `${title}不能为空`),
  invalid: problem<{ message: string }>(120002, ({ message }) => message),
  passwordFormat: problem(120003, () => '密码格式不正确'),
  passwordWeak: problem(120004, () => '密码过于简单或常见，请更换'),
  passwordSame: problem(120006, () => '新密码不能与当前密码相同'),
  sameIdentity: problem(120005, () => '未找到对应的信息，请核对后重试'),
  notFound: problem<{ what: string }>(130001, ({ what }) => `${what}不存在或已删除`),
  duplicate: problem<{ what: string }>(130002, ({ what }) => `${what}已存在`),
  inUse: problem<{ why: string }>(130003, ({ why }) => why),
  wrongState: problem<{ why: string }>(140001, ({ why }) => why),
  changedMeanwhile: problem<{ name: string; time: string; titles: string } | void>(140002, (edit) =>
    edit ? `${edit.name}于 ${edit.time} 修改了${edit.titles}，请核对后再保存` : '内容已被他人修改，请刷新后重试',
  ),
  approvalNeeded: problem<{ minors: number; persons: number; hasAnswers: boolean }>(140003, ({ minors, persons, hasAnswers }) => {
    const content = minors > 0 ? `含 ${minors} 名未成年人的信息` : hasAnswers ? '含逐题作答' : `共 ${formatNumber(persons)} 人`;
    return `导出内容${content}，须经第二人审批后下载`;
  }),
  countsShort: problem<{ free: number; need: number }>(
    150001,
    ({ free, need }) => `测评次数不足：需要 ${formatNumber(need)} 次，剩余 ${formatNumber(free)} 次`,
  ),
  licenceMissing: problem<{ why: string }>(150002, ({ why }) => why),
  outsideWindow: problem<{ why: string }>(150003, ({ why }) => why),
  alreadySubmitted: problem(150004, () => '该问卷已提交，无需重复作答'),
  consentMissing: problem<{ why: string }>(150005, ({ why }) => why),
  otherAnswersSent: problem(150006, () => '本次提交与之前的提交内容不一致，请刷新页面'),
  wrongTemplate: problem<{ why: string }>(160001, ({ why }) => why),
  fileRefused: problem<{ why: string }>(160002, ({ why }) => why),
  rowsWrong: problem<{ bad: number }>(160003, ({ bad }) => `有 ${bad} 行需要改正，本次没有导入任何数据`),
  providerUnavailable: problem<{ why: string }>(170001, ({ why }) => why),
  tooManyRequests: problem(190001, () => '操作过于频繁，请稍候再试'),
  bodyTooLarge: problem(190002, () => '提交的内容过大'),
  serverBusy: problem(190003, () => '系统繁忙，请稍后重试'),
  internal: problem<{ requestId: string }>(900000, ({ requestId }) => `系统错误，请稍后重试（编号 ${requestId.slice(0, 8)}）`),
};

/** All error numbers with their texts; `…` stands for the facts of one refusal. */
export const problemTexts: ReadonlyMap<number, string> = texts;
