import { checkCell } from './cell.ts';
import { column, defineWorksheet, type DeriveInput, type Derived, type RowCells } from './column.ts';
import { checkBirthday, deriveBirthday, deriveGender, warn } from './personChecks.ts';
import { adultIdnoColumn, BIRTHDAY_HEADS, cuseridColumn, GENDER_CHOICES, PHONE_HEADS } from './persons.columns.ts';
import { Appid } from '#domain/base/enums.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';

/** The words of 人群 in template C. */
const POPULATIONS = [
  { value: Appid.workers, label: '高压职业', aliases: ['职工', '员工', '在职', '在职职工'] },
  { value: Appid.elders, label: '中老年', aliases: ['老人', '老年人', '老年', '长者'] },
  { value: Appid.custom, label: '通用', aliases: ['自定义', '自定义报告', '其他'] },
] as const;
/** The word of 人群 for a population of template C; undefined for the others. */
export const populationWord = (appid: string): string | undefined => POPULATIONS.find(({ value }) => value === appid)?.label;

const HIRE_DATE = column({
  key: 'hiredate',
  head: '入职日期',
  kind: 'date',
  past: true,
  isExtra: true,
  aliases: ['入职时间', '入职年月', '到岗日期', '到职日期', '进公司日期'],
});
const choicesOf = (appid: string, code: string, aliases: Readonly<Record<string, readonly string[]>>) =>
  (archiveFieldsOf[appid]?.find((field) => field.code === code)?.choices ?? []).map(([value, label]) => ({
    value,
    label,
    aliases: aliases[value] ?? [],
  }));

/** Birthday and gender from the ID number, 工龄 from 入职日期. */
function deriveAdults({ rows, heads, today }: DeriveInput): Derived {
  const notes = new Set<string>();
  const cells = rows.map((row) => {
    const derived: Record<string, string> = { ...deriveBirthday(row), ...deriveGender(row) };
    const hired = String(checkCell(HIRE_DATE, row['hiredate'] ?? '').value ?? '');
    if (!row['workyears'] && hired && hired <= today) {
      const hadDay = today.slice(5) >= hired.slice(5);
      derived['workyears'] = String(Number(today.slice(0, 4)) - Number(hired.slice(0, 4)) - (hadDay ? 0 : 1));
      notes.add(`没有“工龄”，由“${heads.get('hiredate')}”得出`);
    }
    if ('birthday' in derived && !heads.has('birthday')) notes.add('没有“出生日期”，由身份证号得出');
    if ('gender' in derived && !heads.has('gender')) notes.add('没有“性别”，由身份证号得出');
    return derived;
  });
  return { cells, notes: [...notes] };
}

/** The columns of this sheet that are fields of an archive. */
const ARCHIVE_KEYS = [
  'unitname',
  'deptname',
  'post',
  'jobtype',
  'workyears',
  'shiftwork',
  'livewith',
  'chronic',
  'caregivername',
  'caregiverphone',
  'adl',
] as const;

/** Remarks ages that do not fit, and values that the archive of the row's population has no field for. */
function checkAdults(rows: readonly RowCells[], today: string): void {
  for (const { cells } of rows) {
    const appid = String(cells['appid']?.value ?? '');
    const usual =
      appid === Appid.workers ? ([16, 70] as const) : appid === Appid.elders ? ([45, 110] as const) : ([3, 110] as const);
    checkBirthday(cells, today, { usual, possible: [3, 120] });
    const fields = new Set(archiveFieldsOf[appid]?.map((field) => field.code));
    for (const key of ARCHIVE_KEYS) {
      const cell = cells[key];
      if (!appid || !cell || cell.value === null || cell.error || fields.has(key)) continue;
      cell.value = null;
      if (!cell.isDerived) warn(cell, `“${populationWord(appid) ?? ''}”的档案没有这一项，未导入`);
    }
  }
}

/** Template C, 职工/老人/通用 (importZABCUserFromExcel), with the heads of HR lists and of 健康体检表. */
export const adultWorksheet = defineWorksheet(
  [
    column({
      key: 'appid',
      head: '人群',
      kind: 'choice',
      required: true,
      choices: POPULATIONS,
      example: '高压职业',
      aliases: ['人员类型', '人员类别'],
    }),
    column({
      key: 'username',
      head: '姓名',
      kind: 'name',
      required: true,
      maxlength: 50,
      example: '周建华',
      aliases: ['名字', '员工姓名', '职工姓名', '老人姓名', '居民姓名', '受测者姓名', '本人姓名'],
    }),
    column({ key: 'gender', head: '性别', kind: 'choice', required: true, choices: GENDER_CHOICES, example: '男' }),
    column({ key: 'birthday', head: '出生日期', kind: 'date', past: true, example: '1975-06-18', aliases: BIRTHDAY_HEADS }),
    column({
      key: 'phonenumber',
      head: '联系电话',
      kind: 'phone',
      example: '13800000000',
      aliases: [...PHONE_HEADS, '移动电话', '员工电话', '老人电话'],
    }),
    column({
      key: 'employeeno',
      head: '工号',
      kind: 'code',
      maxlength: 32,
      example: 'A00123',
      aliases: [
        '学号/工号',
        '员工编号',
        '员工号',
        '职工号',
        '人员编号',
        '人员工号',
        '警号',
        '老人编号',
        '入住编号',
        '健康档案号',
        '健康档案编号',
        '居民健康档案编号',
        '档案编号',
        '编号',
      ],
    }),
    column({
      key: 'unitname',
      head: '单位',
      kind: 'text',
      maxlength: 100,
      example: '云栖市急救中心',
      aliases: [
        '单位名称',
        '所在单位',
        '公司',
        '公司名称',
        '社区/机构',
        '社区',
        '社区名称',
        '机构',
        '机构名称',
        '养老机构',
        '居委会',
        '村(居)委会',
        '村居',
      ],
    }),
    column({
      key: 'deptname',
      head: '部门',
      kind: 'text',
      maxlength: 60,
      example: '急诊科',
      aliases: ['部门名称', '所在部门', '所属部门', '科室', '车间', '班组', '大队', '中队'],
    }),
    column({
      key: 'post',
      head: '岗位',
      kind: 'text',
      maxlength: 60,
      example: '护士',
      aliases: ['岗位名称', '职位', '职务', '工种'],
    }),
    column({
      key: 'jobtype',
      head: '职业类型',
      kind: 'choice',
      choices: choicesOf(Appid.workers, 'jobtype', {
        '01': ['医生', '护士', '医务人员'],
        '02': ['教职工'],
        '03': ['民警', '警察', '辅警'],
        '04': ['消防员'],
        '05': ['司机', '驾驶员', '乘务员'],
        '06': ['工人', '一线', '一线员工'],
        '07': ['管理人员', '管理岗'],
      }),
      aliases: ['职业', '职业类别'],
    }),
    column({
      key: 'workyears',
      head: '工龄',
      kind: 'integer',
      min: 0,
      max: 60,
      example: '8',
      aliases: ['司龄', '工作年限', '本单位工龄'],
    }),
    column({
      key: 'shiftwork',
      head: '是否倒班',
      kind: 'yesno',
      example: '是',
      aliases: ['倒班', '轮班', '是否轮班', '是否夜班'],
    }),
    column({
      key: 'livewith',
      head: '居住方式',
      kind: 'choice',
      choices: choicesOf(Appid.elders, 'livewith', {
        '01': ['单独居住', '独自居住', '一人居住'],
        '02': ['与配偶同住', '与配偶居住', '与老伴同住', '夫妻同住', '和配偶同住'],
        '03': ['与子女同住', '与子女居住', '和子女同住', '与儿女同住'],
        '04': ['机构养老', '养老院', '养老机构', '敬老院'],
      }),
      aliases: ['居住情况', '居住状况', '居住类型'],
    }),
    column({
      key: 'chronic',
      head: '慢性病',
      kind: 'text',
      maxlength: 200,
      example: '高血压、糖尿病',
      aliases: ['慢病', '慢性病史', '慢病史', '慢病情况', '慢性病情况', '所患慢病', '患慢性病情况'],
    }),
    column({
      key: 'caregivername',
      head: '照护者',
      kind: 'name',
      maxlength: 50,
      aliases: ['照护者姓名', '照护人', '照料者', '监护人', '家属', '家属姓名', '紧急联系人', '紧急联系人姓名', '联系人'],
    }),
    column({
      key: 'caregiverphone',
      head: '照护者电话',
      kind: 'phone',
      aliases: [
        '照护人电话',
        '照料者电话',
        '监护人电话',
        '家属电话',
        '家属联系电话',
        '紧急联系电话',
        '紧急联系人电话',
        '联系人电话',
      ],
    }),
    column({ key: 'remark', head: '备注', kind: 'text', maxlength: 500, aliases: ['说明', '注'] }),
    column({
      key: 'adl',
      head: '自理能力',
      kind: 'choice',
      isExtra: true,
      choices: choicesOf(Appid.elders, 'adl', {
        '01': ['能自理', '完全自理', '可自理', '生活自理', '基本自理'],
        '02': ['部分自理', '部分依赖', '半自理', '轻度依赖', '中度依赖'],
        '03': ['不能自理', '完全依赖', '重度依赖', '失能'],
      }),
      aliases: ['生活自理能力', '老年人生活自理能力自我评估', '自理情况'],
    }),
    HIRE_DATE,
    adultIdnoColumn,
    cuseridColumn,
  ],
  {
    name: '人员名单',
    unique: [['cuserid'], ['idno'], ['employeeno'], ['username', 'phonenumber']],
    alike: [['username', 'birthday']],
    derive: deriveAdults,
    check: checkAdults,
  },
);
