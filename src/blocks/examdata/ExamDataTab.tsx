import { Button, Drawer } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Appid, Gender, YesNo } from '#domain/base/enums.ts';
import { WITHDRAWN_WORDS } from '#domain/scoring/majorVersion.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { LevelBadge } from '#ui/display/badges.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import plainTable from '#ui/display/PlainTable.module.css';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { can, isHiddenField } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { columnsOf, type Column } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, ManyFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { getFormPageList } from '#features/form/form.contract.ts';
import { voidExam } from '#features/staffexam/void.contract.ts';
import { getCUserExamDataPageList, type ExamDataRow } from '#features/examdata/examdata.contract.ts';
import { VoidSheetButton } from '#blocks/staffexam/VoidSheet.tsx';
import { ExamExportMenu } from '#blocks/examdata/ExamExportMenu.tsx';

type Score = NonNullable<ExamDataRow['scores']>[number];
const LEVELS = [0, 1, 2, 3, 4].map((value) => ({ value, label: `${value} 级` }));

const minutesOf = (seconds: number | null) => {
  if (seconds === null) return '—';
  return seconds < 60 ? `${seconds} 秒` : `${Math.round(seconds / 60)} 分钟`;
};
const scoreText = ({ score, level, levelname }: Score) => (
  <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
    {score ?? '—'}
    {level !== null && <LevelBadge level={level} label={levelname} />}
  </span>
);
/** Why a sheet has no score. */
const noScore = ({ withheld }: ExamDataRow) => (withheld ? '待补同意' : '—');

const column = columnsOf(getCUserExamDataPageList);
const person = [
  column('username', '姓名', (name) => <PersonName value={name} />, { width: 100, sort: true }),
  column('gender', '性别', Gender.label, { width: 52 }),
  column('age', '年龄', { width: 52, align: 'right' }),
  column('belongs', '班级/单位', { width: 120 }),
];
const sheet = [
  column('submittime', '提交时间', (time) => <RelativeTime at={time} />, { width: 130, sort: true }),
  column('duration', '用时', minutesOf, { width: 84, align: 'right', sort: true }),
  column('valid', '作答', (valid, row) => (row.iswithdrawn ? WITHDRAWN_WORDS : valid ? '有效' : '存疑'), { width: 120 }),
  column('appid', '人群', Appid.label, { width: 84, hidden: true }),
  column('planname', '方案', { hidden: true }),
  column('stagename', '阶段', { width: 90, hidden: true }),
  column('taskname', '任务', { hidden: true }),
  column('formversion', '量表版本', { width: 90, hidden: true }),
  column('insname', '机构', { hidden: true }),
];
const formname = column('formname', '量表', shortTitle, { width: 130 });
const firstScore = column('scores', '主要得分', (scores, row) => (scores?.[0] ? scoreText(scores[0]) : noScore(row)), {
  width: 150,
});

/** With one questionnaire each of its indicators is a column. */
function columnsFor(rows: readonly ExamDataRow[], isOneForm: boolean): Column<ExamDataRow>[] {
  const indicators = new Map(rows.flatMap((row) => row.scores ?? []).map((score) => [score.quotacode, score.quotaname]));
  if (!isOneForm || indicators.size === 0) return [...person, formname, firstScore, ...sheet];
  const scores = [...indicators].map(([quotacode, quotaname]) =>
    column.of(
      `score ${quotacode}`,
      quotaname,
      (row) => {
        const score = row.scores?.find((candidate) => candidate.quotacode === quotacode);
        return score ? scoreText(score) : noScore(row);
      },
      { width: 140 },
    ),
  );
  return [...person, ...scores, ...sheet];
}

function FormFilter({ appid }: { appid?: string | undefined }) {
  const forms = useActionQuery(getFormPageList, { page: 1, pageSize: 200, ...(appid ? { appid } : {}) });
  const options = (forms.data?.rows ?? []).map((form) => ({ value: form.formcode, label: form.formname }));
  return <SelectFilter name="formcode" label="量表" options={options} />;
}

/** 测评数据: the handed-in answer sheets of the caller's persons, or of one task. */
export function ExamDataTab({ taskcode }: { taskcode?: string }) {
  const list = useList(getCUserExamDataPageList, taskcode ? { taskcode } : {});
  const [opened, setOpened] = useState<ExamDataRow>();
  const isOneForm = Boolean(list.filters['formcode']);
  const columns = useMemo(() => columnsFor(list.rows, isOneForm), [list.rows, isOneForm]);
  const canReadAnswers = !isHiddenField(getCUserExamDataPageList, 'answers');
  return (
    <ListPage
      list={list}
      folds
      filters={
        <>
          <TextFilter name="keyword" label="姓名/编号" placeholder="姓名、拼音、学号/工号或完整电话" />
          {can(getFormPageList) && <FormFilter appid={list.filters['appid'] as string | undefined} />}
          {!taskcode && <EnumFilter name="appid" label="人群" of={Appid} />}
          <EnumFilter name="gender" label="性别" of={Gender} />
          <ManyFilter name="levels" label="量表等级" options={LEVELS} />
          <EnumFilter name="isabnormal" label="需关注" of={YesNo} />
          <DateRangeFilter from="begindate" to="enddate" label="提交日期" />
          <TextFilter name="classname" label="班级" />
        </>
      }
      toolbar={<ExamExportMenu filters={filtersOf(list.request)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="examformid"
        label="测评数据列表"
        {...((canReadAnswers && isOneForm) || can(voidExam)
          ? {
              actions: (row: ExamDataRow) => (
                <>
                  {canReadAnswers && isOneForm && row.answers?.length ? (
                    <Button variant="subtle" size="compact-sm" onClick={() => setOpened(row)}>
                      逐题作答
                    </Button>
                  ) : null}
                  <VoidSheetButton examcode={row.examcode} who={row.username} isInList />
                </>
              ),
            }
          : {})}
        empty={
          <EmptyState
            filtered={Object.keys(list.filters).length > 0}
            reset={() => list.setFilters({})}
            {...(Object.keys(list.filters).length > 0
              ? {}
              : { title: '还没有测评数据', hint: '受测者交卷后，答卷会自动出现在这里' })}
          />
        }
      />
      {opened && <AnswerDrawer row={opened} onClose={() => setOpened(undefined)} />}
    </ListPage>
  );
}

/** The answers of one sheet, item by item. */
function AnswerDrawer({ row, onClose }: { row: ExamDataRow; onClose: () => void }) {
  return (
    <Drawer opened onClose={onClose} position="right" size="min(620px, 100vw)" title={`${row.username} · ${row.formname}`}>
      <table className={plainTable['table']}>
        <thead>
          <tr>
            <th>题号</th>
            <th>题目</th>
            <th>作答</th>
            <th>得分</th>
          </tr>
        </thead>
        <tbody>
          {(row.answers ?? []).map((answer) => (
            <tr key={answer.no}>
              <td>{answer.no}</td>
              <td style={{ whiteSpace: 'normal' }}>{answer.title}</td>
              <td>{answer.optionlabel || '未作答'}</td>
              <td>{answer.score ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Drawer>
  );
}
