/**
 * The fields of an archive, by population (model 1.3). A field with its own column can be searched and is unique; the
 * other fields share one JSON value. The server refuses every field that is not in these lists.
 */
export interface ArchiveFieldDef {
  code: string;
  title: string;
  kind: 'text' | 'date' | 'integer' | 'yesno' | 'choice' | 'list';
  choices?: readonly (readonly [code: string, label: string])[];
  min?: number;
  max?: number;
  /** has its own column in cuserarchive */
  column?: true;
  /** a column of the list of its population */
  inList?: true;
  /** a filter of the list of its population */
  inSearch?: true;
  /** shown on the person's page only, after a reveal; never in a list, filter or sort key */
  isSensitive?: true;
  /** made by the institution (`ownFields.ts`) */
  isOwn?: true;
  /** a new person needs a value; only own fields */
  isRequired?: true;
  /** false: no column of the export; only own fields */
  isExported?: boolean;
}

const text = (code: string, title: string): ArchiveFieldDef => ({ code, title, kind: 'text' });
const column = (code: string, title: string): ArchiveFieldDef => ({ code, title, kind: 'text', column: true });
const date = (code: string, title: string): ArchiveFieldDef => ({ code, title, kind: 'date' });
const dateColumn = (code: string, title: string): ArchiveFieldDef => ({ ...date(code, title), column: true });
const yesNo = (code: string, title: string): ArchiveFieldDef => ({ code, title, kind: 'yesno' });
const wholeNumber = (code: string, title: string, min: number, max: number): ArchiveFieldDef => ({
  code,
  title,
  kind: 'integer',
  min,
  max,
});
const choice = (code: string, title: string, choices: readonly (readonly [string, string])[]): ArchiveFieldDef => ({
  code,
  title,
  kind: 'choice',
  choices,
});

const students: readonly ArchiveFieldDef[] = [
  column('studentno', '学号'),
  {
    ...choice('eduphase', '学段', [
      ['01', '小学'],
      ['02', '初中'],
      ['03', '高中'],
      ['04', '中职'],
      ['05', '大学'],
    ]),
    column: true,
  },
  column('gradecode', '年级代码'),
  column('gradename', '年级'),
  column('classname', '班级'),
  text('schoolname', '学校'),
  text('campus', '校区'),
  text('college', '院系'),
  text('major', '专业'),
  text('dorm', '宿舍'),
  yesNo('boarding', '是否寄宿'),
  yesNo('leftbehind', '是否留守'),
  yesNo('singleparent', '单亲家庭'),
  yesNo('onlychild', '独生子女'),
  yesNo('povertyaid', '困难资助'),
  yesNo('disability', '残疾'),
  date('enroldate', '入学日期'),
  text('remark', '备注'),
  choice('status', '学籍状态', [
    ['01', '在读'],
    ['02', '休学'],
    ['03', '复学'],
    ['04', '转出'],
    ['05', '毕业'],
  ]),
];
const maternity: readonly ArchiveFieldDef[] = [
  dateColumn('lmpdate', '末次月经'),
  dateColumn('edcdate', '预产期'),
  wholeNumber('gravidity', '孕次', 1, 20),
  wholeNumber('parity', '产次', 0, 15),
  wholeNumber('abortions', '流产次数', 0, 15),
  wholeNumber('fetuses', '胎数', 1, 5),
  choice('conception', '受孕方式', [
    ['01', '自然'],
    ['02', '辅助生殖'],
  ]),
  yesNo('planned', '计划妊娠'),
  yesNo('highrisk', '是否高危'),
  text('highrisknote', '高危说明'),
  dateColumn('deliverydate', '分娩日期'),
  choice('deliverymode', '分娩方式', [
    ['01', '顺产'],
    ['02', '剖宫产'],
    ['03', '助产'],
  ]),
  choice('babyoutcome', '妊娠结局', [
    ['01', '健康'],
    ['02', '早产'],
    ['03', '新生儿监护'],
    ['04', '不良结局'],
  ]),
  yesNo('psychhistory', '既往心理病史'),
  yesNo('familypsychhistory', '家族心理病史'),
  choice('domesticviolence', '家暴筛查', [
    ['0', '未筛查'],
    ['1', '否'],
    ['2', '是'],
  ]),
  wholeNumber('supportlevel', '家庭支持', 1, 5),
  text('checkupno', '建册号'),
  text('bookhospital', '建档医院'),
  text('remark', '备注'),
];
const workers: readonly ArchiveFieldDef[] = [
  column('employeeno', '工号'),
  column('unitname', '单位'),
  text('deptname', '部门'),
  text('post', '岗位'),
  choice('jobtype', '职业类型', [
    ['01', '医护'],
    ['02', '教师'],
    ['03', '公安'],
    ['04', '消防'],
    ['05', '司乘'],
    ['06', '一线职工'],
    ['07', '管理'],
    ['99', '其他'],
  ]),
  wholeNumber('workyears', '工龄', 0, 60),
  yesNo('shiftwork', '是否倒班'),
  wholeNumber('weeklyhours', '周工时', 0, 112),
  wholeNumber('nightshifts', '月夜班次数', 0, 31),
  yesNo('incident', '近一年重大事件'),
  text('incidentnote', '事件说明'),
  text('remark', '备注'),
];
const elders: readonly ArchiveFieldDef[] = [
  choice('livewith', '居住方式', [
    ['01', '独居'],
    ['02', '配偶'],
    ['03', '子女'],
    ['04', '机构'],
    ['05', '其他'],
  ]),
  column('unitname', '社区/机构'),
  text('institutionroom', '房间'),
  wholeNumber('children', '子女数', 0, 15),
  { code: 'chronic', title: '慢性病', kind: 'list' },
  text('medication', '用药情况'),
  choice('adl', '自理能力', [
    ['01', '自理'],
    ['02', '部分'],
    ['03', '依赖'],
  ]),
  yesNo('hearing', '听力下降'),
  yesNo('vision', '视力下降'),
  yesNo('bereaved12m', '近一年亲人离世'),
  wholeNumber('falls12m', '近一年跌倒次数', 0, 50),
  yesNo('cognitivecomplaint', '记忆下降主诉'),
  text('caregivername', '照护者'),
  text('caregiverphone', '照护者电话'),
  text('familydoctor', '家庭医生'),
  text('remark', '备注'),
];

// Columns, filters and sensitive fields as supplement-people-statistics.md, section 2, lists them.
const LISTED = [
  'edcdate',
  'highrisk',
  'checkupno',
  'studentno',
  'gradename',
  'classname',
  'employeeno',
  'unitname',
  'deptname',
  'post',
  'livewith',
  'adl',
  'caregivername',
];
const SEARCHED = [
  'edcdate',
  'highrisk',
  'gradename',
  'classname',
  'status',
  'unitname',
  'deptname',
  'jobtype',
  'livewith',
  'adl',
];
const SENSITIVE = [
  'psychhistory',
  'familypsychhistory',
  'domesticviolence',
  'babyoutcome',
  'leftbehind',
  'singleparent',
  'povertyaid',
  'disability',
  'incident',
  'incidentnote',
  'bereaved12m',
  'chronic',
  'medication',
  'cognitivecomplaint',
];
const withMarks = (fields: readonly ArchiveFieldDef[]): readonly ArchiveFieldDef[] =>
  fields.map((field) => ({
    ...field,
    ...(LISTED.includes(field.code) ? { inList: true } : {}),
    ...(SEARCHED.includes(field.code) ? { inSearch: true } : {}),
    ...(SENSITIVE.includes(field.code) ? { isSensitive: true } : {}),
  }));

/** The archive fields of each population, by app id. */
export const archiveFieldsOf: Readonly<Record<string, readonly ArchiveFieldDef[]>> = {
  // A request names the population: `__proto__` must find nothing.
  __proto__: null as never,
  '000000001': withMarks(maternity),
  '000000002': withMarks(students),
  '000000003': withMarks(workers),
  '000000004': withMarks(elders),
  '000000005': [text('remark', '备注')],
};

export type ArchiveValue = string | number | boolean | readonly string[] | null;
export interface CheckedArchive {
  columns: Record<string, string | null>;
  detail: Record<string, ArchiveValue>;
  faults: { field: string; message: string }[];
}

/**
 * The archive values, split into columns and detail, with their faults in Chinese. An empty value means "not known". `own` are the
 * institution's own fields of the population.
 */
export function checkArchive(
  appid: string,
  values: Readonly<Record<string, ArchiveValue>>,
  own: readonly ArchiveFieldDef[] = [],
): CheckedArchive {
  const fieldByCode = new Map([...(archiveFieldsOf[appid] ?? []), ...own].map((field) => [field.code, field]));
  const checked: CheckedArchive = { columns: {}, detail: {}, faults: [] };
  for (const [code, value] of Object.entries(values)) {
    const field = fieldByCode.get(code);
    if (!field) {
      checked.faults.push({ field: `archive.${code}`, message: `不支持的档案字段：${code}` });
      continue;
    }
    const stored = value === '' || (Array.isArray(value) && value.length === 0) ? null : value;
    const missing = field.isRequired ? `请填写${field.title}` : undefined;
    const message = stored === null ? missing : archiveFault(field, stored);
    if (message) checked.faults.push({ field: `archive.${code}`, message });
    else if (field.column) checked.columns[code] = stored === null ? null : String(stored);
    else checked.detail[code] = stored;
  }
  return checked;
}

const isChoice = (field: ArchiveFieldDef, value: unknown): boolean => field.choices?.some(([code]) => code === value) === true;

function archiveFault(field: ArchiveFieldDef, value: Exclude<ArchiveValue, null>): string | undefined {
  const incorrect = `${field.title}不正确`;
  switch (field.kind) {
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
        ? undefined
        : `${field.title}应为日期（YYYY-MM-DD）`;
    case 'integer': {
      const number = Number(value);
      if (field.min === undefined || field.max === undefined)
        return Number.isSafeInteger(number) ? undefined : `${field.title}应为整数`;
      return Number.isInteger(number) && number >= field.min && number <= field.max
        ? undefined
        : `${field.title}应在 ${field.min}–${field.max} 之间`;
    }
    case 'yesno':
      return value === 0 || value === 1 || value === '0' || value === '1' || typeof value === 'boolean' ? undefined : incorrect;
    case 'choice':
      return isChoice(field, value) ? undefined : incorrect;
    case 'list':
      return Array.isArray(value) && (!field.choices || value.every((item) => isChoice(field, item))) ? undefined : incorrect;
    default:
      return typeof value === 'string' || typeof value === 'number' ? undefined : incorrect;
  }
}
