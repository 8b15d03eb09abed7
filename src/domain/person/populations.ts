import type { Appid } from '#domain/base/enums.ts';
import type { CodeOf } from '#domain/base/enum.ts';

/** The archive values of one person, field code → value. */
export type ArchiveFacts = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** One archive field in a report. */
export interface ArchiveField {
  field: string;
  label: string;
  /** labels of coded values; without it the report prints the value */
  codes?: Readonly<Record<string, string>>;
  unit?: string;
  /** shown to staff only, e.g. the family situation of a pupil */
  staffonly?: boolean;
}

export interface Population {
  appid: CodeOf<typeof Appid>;
  appname: string;
  /** the word for the person in text for staff: 该学生, 该孕产妇 … */
  person: string;
  /** the console page that shows the report */
  page: string;
  cover: readonly ArchiveField[];
  basicinfo: readonly ArchiveField[];
  /** sentences added to the notice */
  notice: readonly string[];
  /** notice added while the person is under 18 */
  minornotice?: string;
  /** lines added to the support card */
  support: readonly string[];
  largefont?: boolean;
}

const yesNoLabels = { '1': '是', '0': '否' } as const;

/** All populations by app id. */
export const populations: Readonly<Record<CodeOf<typeof Appid>, Population>> = {
  '000000001': {
    appid: '000000001',
    appname: '孕产妇',
    person: '孕产妇',
    page: 'usersReport2',
    cover: [{ field: 'gestation', label: '孕周/产后天数' }],
    basicinfo: [
      { field: 'lmpdate', label: '末次月经' },
      { field: 'edcdate', label: '预产期' },
      { field: 'gravidity', label: '孕次' },
      { field: 'parity', label: '产次' },
      { field: 'deliverymode', label: '分娩方式', codes: { '01': '顺产', '02': '剖宫产', '03': '助产' } },
    ],
    notice: ['孕期与产后的用药、检查和分娩安排，请听从产科医生的意见。'],
    support: ['产科心理门诊：产检时可向医生或护士提出。'],
  },
  '000000002': {
    appid: '000000002',
    appname: '学生',
    person: '学生',
    page: 'usersReport',
    cover: [
      { field: 'schoolname', label: '学校' },
      { field: 'gradename', label: '年级' },
      { field: 'classname', label: '班级' },
    ],
    basicinfo: [
      { field: 'studentno', label: '学号' },
      { field: 'boarding', label: '寄宿', codes: yesNoLabels, staffonly: true },
      { field: 'leftbehind', label: '留守', codes: yesNoLabels, staffonly: true },
      { field: 'singleparent', label: '单亲', codes: yesNoLabels, staffonly: true },
    ],
    notice: [],
    minornotice: '未满18周岁：可以请信任的大人陪您一起读这份报告。',
    support: [
      '学校心理辅导室：可以自己去，也可以请信任的老师陪同。',
      '12355青少年服务台：提供心理与法律咨询，时间以当地公布为准。',
    ],
  },
  '000000003': {
    appid: '000000003',
    appname: '高压职业',
    person: '职工',
    page: 'usersReport3',
    cover: [
      { field: 'unitname', label: '单位' },
      { field: 'post', label: '岗位' },
    ],
    basicinfo: [
      { field: 'weeklyhours', label: '每周工时', unit: '小时' },
      { field: 'nightshifts', label: '每月夜班', unit: '次' },
      { field: 'incident', label: '近一年重大事件', codes: { '1': '有', '0': '无' } },
    ],
    notice: ['个人结果只由有权限的人员按职责查看，团体统计不含姓名；谁能看到什么写在知情同意书里。'],
    support: ['员工心理援助（EAP）与工会：可以预约，保密办法以单位公布为准。'],
  },
  '000000004': {
    appid: '000000004',
    appname: '中老年',
    person: '老人',
    page: 'usersReport4',
    cover: [
      {
        field: 'livewith',
        label: '居住方式',
        staffonly: true,
        codes: { '01': '独居', '02': '与配偶同住', '03': '与子女同住', '04': '机构养老', '05': '其他' },
      },
    ],
    basicinfo: [
      { field: 'chronic', label: '慢性病' },
      { field: 'adl', label: '日常活动', codes: { '01': '自理', '02': '部分依赖', '03': '依赖' } },
      { field: 'bereaved12m', label: '近一年亲人离世', codes: yesNoLabels, staffonly: true },
      { field: 'caregivername', label: '照护者', staffonly: true },
    ],
    notice: ['阅读有困难时，可请信任的人或工作人员读给您听，也可切换大字版。'],
    support: ['家庭医生与社区卫生服务中心：可当面或电话咨询。'],
    largefont: true,
  },
  '000000005': {
    appid: '000000005',
    appname: '自定义报告',
    person: '受测者',
    page: 'usersReportCustom',
    cover: [],
    basicinfo: [],
    notice: [],
    support: [],
  },
};

/** The population of an app; an app without its own report uses the custom one. */
export const populationOf = (appid: string): Population =>
  (Object.values(populations) as Population[]).find((population) => population.appid === appid) ?? populations['000000005'];

/** The gestation as text, such as “28周+3天”, from whole days. */
export const gestationText = (days: number): string => `${Math.floor(days / 7)}周+${days % 7}天`;

/** The text of an archive field in a report; null when the archive has no value, and the report then leaves the line out. */
export function archiveText(field: ArchiveField, archive: ArchiveFacts): string | null {
  const value = archive[field.field];
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.length ? value.join('、') : null;
  const key = value === true ? '1' : value === false ? '0' : String(value);
  return `${field.codes?.[key] ?? key}${field.unit ?? ''}`;
}

/** Fields that the person's own maternity report leaves out after the loss of the child (babyoutcome 04): weeks and delivery. */
export const hiddenAfterLoss: readonly string[] = ['gestation', 'edcdate', 'deliverymode'];
