import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ReviewKind } from '#domain/exam/review.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useList } from '#ui/list/useList.ts';
import { finishExamReview, getExamReviewPageList, type ReviewRow } from '#features/respond/review/review.contract.ts';

const TONES = { '01': 'red', '02': 'amber', '03': 'amber' } as const;

const column = columnsOf(getExamReviewPageList);
const columns = [
  column.of('username', '姓名', (row) => <PersonName value={row.username} />, { width: 110 }),
  column('belongs', '班级/单位', (belongs) => belongs || '—', { width: 130 }),
  column.of('kind', '原因', (row) => <EnumBadge of={ReviewKind} code={row.kind} tones={TONES} />, { width: 150 }),
  column('content', '说明'),
  column.of(
    'duetime',
    '核对时限',
    (row) =>
      row.donetime ? (
        `${row.donename} 已处理`
      ) : (
        <Text span size="sm" {...(row.isoverdue === 1 && { c: 'red.8', fw: 600 })}>
          {row.duetime.slice(0, 16)}
          {row.isoverdue === 1 && '（已超时）'}
        </Text>
      ),
    { width: 190 },
  ),
  column('createtime', '列入时间', (at) => at.slice(0, 16), { width: 150, hidden: true }),
  column('planname', '方案', { hidden: true }),
  column('insname', '机构', { hidden: true }),
  column('note', '核对结果', (note) => note || '—', { hidden: true }),
];

/** 待核对答卷: sheets left open or doubtful that may hide a person at risk, each with its deadline and the finding of staff. */
export default function ReviewListPage() {
  const list = useList(getExamReviewPageList);
  const [opened, setOpened] = useState<ReviewRow>();
  return (
    <>
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="姓名" placeholder="姓名或拼音" />
            <EnumFilter name="kind" label="原因" of={ReviewKind} />
            <SelectFilter
              name="done"
              label="状态"
              options={[
                { value: '0', label: '待处理' },
                { value: '1', label: '已处理' },
              ]}
            />
          </>
        }
        lead={
          <Text size="sm" c="dimmed">
            没有交卷或作答存疑、但可能需要帮助的人。请在 3 个工作日内当面了解，写下结果。
          </Text>
        }
        toolbar={
          <Button variant="default" component={Link} to="/earlyWarning/earlyWarningLevel">
            返回危机预警
          </Button>
        }
      >
        <DataTable
          list={list}
          columns={columns}
          rowKey="reviewid"
          label="待核对答卷列表"
          onOpen={setOpened}
          actions={(row) => (
            <Button variant="subtle" size="compact-sm" onClick={() => setOpened(row)}>
              {row.donetime ? '查看' : '处理'}
            </Button>
          )}
          empty={
            <EmptyState
              title="没有待核对的答卷"
              hint="停在安全相关题目、作答存疑但得分高、未交卷但得分高的答卷会出现在这里"
              filtered={Object.keys(list.filters).length > 0}
              reset={() => list.setFilters({})}
            />
          }
        />
      </ListPage>
      {opened && <ReviewDrawer row={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** One sheet: why it is listed, the person's case, and the finding of staff. */
function ReviewDrawer({ row, onClose }: { row: ReviewRow; onClose: () => void }) {
  const form = useActionForm(finishExamReview, {
    initial: { reviewid: row.reviewid },
    invalidates: [getExamReviewPageList],
    successMessage: '已处理',
    onDone: onClose,
  });
  return (
    <FormDrawer title={`核对答卷 · ${row.username}`} onClose={onClose} form={form} save="已处理" readOnly={row.donetime !== null}>
      <Facts
        facts={[
          ['原因', row.kindname],
          ['说明', row.content],
          ['班级/单位', row.belongs],
          ['方案', row.planname],
          ['列入时间', row.createtime.slice(0, 16)],
          ['核对时限', row.duetime.slice(0, 16)],
          ['个案', row.warningcode && <Link to={`/earlyWarning/case/${row.warningcode}`}>查看预警个案</Link>],
          ...(row.donetime
            ? ([
                ['处理人', `${row.donename}（${row.donetime.slice(0, 16)}）`],
                ['核对结果', row.note],
              ] as const)
            : []),
        ]}
      />
      {!row.donetime && <LongTextField {...form.field('note')} maxLength={500} />}
    </FormDrawer>
  );
}
