import { IconStarFilled } from '@tabler/icons-react';
import { Appid, Gender, MentalState, YesNo } from '#domain/base/enums.ts';
import { archiveFieldsOf, type ArchiveFieldDef } from '#domain/person/archive.ts';
import { archiveValueText } from '#domain/person/ownFields.ts';
import { ArchiveStatus } from '#domain/person/archiveStates.ts';
import { archivePathOf } from '#contract/population.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { Badge, EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { Link } from '#ui/router/router.tsx';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import { getExamStageList } from '#features/app/app.contract.ts';

/** The columns and filters of lists of archives. */

const column = columnsOf(getCUserArchivePageList);
const STATE_TONES = { 1: 'green', 2: 'lime', 3: 'orange', 4: 'red' } as const;
const STATUS_TONES = { 1: 'green', 2: 'gray' } as const;

const field = (code: string, title: string, width?: number) =>
  column.of(
    code,
    title,
    (row) =>
      archiveValueText(
        archiveFieldsOf[row.appid]?.find((item) => item.code === code),
        row.fields[code],
      ) || '—',
    width ? { width } : {},
  );

const first = [
  column.of(
    'username',
    '姓名',
    (row) => (
      <span style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
        <Link to={archivePathOf(row.appid, row.cuserid)}>{row.username}</Link>
        {row.focus === 1 && <IconStarFilled size={14} color="var(--level-2)" role="img" aria-label="重点关注" />}
      </span>
    ),
    { sort: 'username', width: 110 },
  ),
  column('gender', '性别', Gender.label, { width: 52 }),
  column('age', '年龄', { width: 52, align: 'right' }),
  column('archiveno', '档案号', { width: 130, sort: true }),
];
const population = column('appid', '人群', Appid.label, { width: 84 });
const last = [
  column.of('stage', '阶段', (row) => row.stagename || <span style={{ color: 'var(--ink-2)' }}>{row.stagenote || '—'}</span>, {
    width: 120,
    hint: '按档案推算的今天该测的阶段',
  }),
  column(
    'mentalstate',
    '最近结果',
    (state, row) =>
      row.withheldcount > 0 ? (
        <Badge tone="amber">待补同意</Badge>
      ) : (
        <EnumBadge of={MentalState} code={state} tones={STATE_TONES} />
      ),
    { width: 112, hint: '待补同意：有答卷缺少本人或监护人的同意，补齐之前得分和报告不显示' },
  ),
  column('riskflag', '预警', (level) => (level ? <WarningBadge level={level} /> : '—'), { width: 104 }),
  column('ownername', '负责人', { width: 84, hidden: true }),
  column('status', '状态', (status) => <EnumBadge of={ArchiveStatus} code={status} tones={STATUS_TONES} />, { width: 84 }),
  column('opendate', '建档日期', { width: 110, sort: true, hidden: true }),
  column('leftcount', '剩余次数', { width: 84, align: 'right', hidden: true, hint: '已授权、还没有作答的次数' }),
  column('lastexamtime', '最近测评', (time) => (time ? <RelativeTime at={time} /> : '—'), {
    width: 112,
    sort: true,
    hidden: true,
  }),
  column('consentok', '知情同意', (isOk) => (isOk ? '已同意' : '未签署'), { width: 90, hidden: true }),
  column('insname', '机构', { hidden: true }),
];

/** The columns between the person and the state, by population. */
const own = {
  [Appid.maternity]: [
    column('gestation', '孕周/产后', (text) => text || '—', { width: 116 }),
    column('edcdate', '预产期', (date) => date || '—', { width: 104, sort: true }),
    column.of('highrisk', '高危', (row) => (Number(row.fields['highrisk']) === 1 ? <Badge tone="orange">高危</Badge> : '—'), {
      width: 70,
    }),
    { ...field('checkupno', '建册号', 92), hidden: true },
  ],
  [Appid.students]: [field('studentno', '学号', 104), field('gradename', '年级', 76), field('classname', '班级', 76)],
  [Appid.workers]: [
    field('employeeno', '工号', 90),
    field('unitname', '单位'),
    field('deptname', '部门'),
    { ...field('post', '岗位'), hidden: true },
  ],
  [Appid.elders]: [
    field('unitname', '社区/机构'),
    field('livewith', '居住方式', 84),
    field('adl', '自理能力', 84),
    { ...field('caregivername', '照护者', 84), hidden: true },
  ],
} as const;
export type Population = keyof typeof own;

/** The columns of a list of archives; without `appid` those that all populations share. `fields` are the institution's own fields. */
export const archiveColumns = (appid: Population | undefined, fields: readonly ArchiveFieldDef[]) => [
  ...first,
  ...(appid ? own[appid] : [population]),
  ...fields
    .filter(({ inList }) => inList)
    .map((item) => column.of(item.code, item.title, (row) => archiveValueText(item, row.fields[item.code]) || '—')),
  ...last,
];

/** The filters by the institution's own fields. */
export const FieldFilters = ({ fields }: { fields: readonly ArchiveFieldDef[] }) =>
  fields
    .filter(({ inSearch }) => inSearch)
    .map(({ code, title, kind, choices }) =>
      kind === 'yesno' ? (
        <EnumFilter key={code} name={code} label={title} of={YesNo} />
      ) : choices ? (
        <SelectFilter key={code} name={code} label={title} options={choices.map(([value, label]) => ({ value, label }))} />
      ) : (
        <TextFilter key={code} name={code} label={title} {...(kind === 'date' ? { placeholder: '如 2025-09-01' } : {})} />
      ),
    );

const choicesOf = (appid: string, code: string) =>
  (archiveFieldsOf[appid]?.find((item) => item.code === code)?.choices ?? []).map(([value, label]) => ({ value, label }));

/** The filters of one population. */
export function OwnFilters({ appid }: { appid: Population }) {
  switch (appid) {
    case Appid.maternity:
      return (
        <>
          <DateRangeFilter from="edcfrom" to="edcto" label="预产期" />
          <EnumFilter name="highrisk" label="是否高危" of={YesNo} />
        </>
      );
    case Appid.students:
      return (
        <>
          <TextFilter name="classname" label="班级" />
          <SelectFilter name="studystatus" label="学籍状态" options={choicesOf(appid, 'status')} />
        </>
      );
    case Appid.workers:
      return (
        <>
          <TextFilter name="unitname" label="单位" />
          <TextFilter name="deptname" label="部门" />
          <SelectFilter name="jobtype" label="职业类型" options={choicesOf(appid, 'jobtype')} />
        </>
      );
    default:
      return (
        <>
          <SelectFilter name="livewith" label="居住方式" options={choicesOf(appid, 'livewith')} />
          <SelectFilter name="adl" label="自理能力" options={choicesOf(appid, 'adl')} />
        </>
      );
  }
}

/** The stages of a population as choices, with 复测; without `appid` those of all populations. */
export function useStageOptions(appid?: string): { value: string; label: string }[] {
  const stages = useActionQuery(getExamStageList, { page: 1, pageSize: 200, ...(appid ? { appid } : {}) });
  const rows = stages.data && 'rows' in stages.data ? stages.data.rows : (stages.data ?? []);
  const names = new Map(rows.map(({ stagecode, stagename }) => [stagecode, stagename]));
  names.set('FC01', '复测');
  return [...names].map(([value, label]) => ({ value, label }));
}

/** 阶段 as a filter: the stages of the population. */
export const StageFilter = ({ appid }: { appid?: string }) => (
  <SelectFilter name="stagecode" label="阶段" options={useStageOptions(appid)} />
);
