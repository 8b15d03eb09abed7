import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { fromShanghai } from '#domain/calendar.ts';
import { FollowMethod, FollowStatus, WarningLevel } from '#domain/enums.ts';
import { EnumBadge, WarningBadge } from '#ui/badges.tsx';
import { Clock } from '#ui/Clock.tsx';
import { columnsOf } from '#ui/columns.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { DateRangeFilter, EnumFilter, TextFilter } from '#ui/filters.tsx';
import { EnumRadio, LongTextField, SelectField } from '#ui/fields.tsx';
import { FormDrawer } from '#ui/FormDrawer.tsx';
import { ListPage } from '#ui/ListPage.tsx';
import { May } from '#ui/May.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { EmptyState } from '#ui/states.tsx';
import { useActionForm } from '#ui/useActionForm.ts';
import { useList } from '#ui/useList.ts';
import { finishFollowUp, getFollowUpPageList, type FollowUpRow } from '#features/care/care.contract.ts';
import classes from './care.module.css';

const column = columnsOf(getFollowUpPageList);
const waits = (row: FollowUpRow) => row.status === '01' || row.status === '03';
const columns = [
  column.of('username', '姓名', (row) => <span className={classes['who']} data-overdue={row.isoverdue}><PersonName value={row.username} /><small>{row.belongs || '—'}</small></span>, { width: 130 }),
  column.of('duetime', '应随访时间', (row) => <span style={{ whiteSpace: 'nowrap' }}>{row.duetime.slice(0, 16)}</span>, { width: 160 }),
  column.of('clock', '时限', (row) => (waits(row) ? <Clock deadline={fromShanghai(row.duetime).getTime()} /> : '—'), { width: 140 }),
  column('status', '状态', (code) => <EnumBadge of={FollowStatus} code={code} tones={{ '01': 'amber', '02': 'green', '03': 'red', '04': 'red' }} />, { width: 100 }),
  column('method', '方式', (code) => FollowMethod.label(code), { width: 80 }),
  column.of('warning', '预警', (row) => (row.warningcode ? <Link to={`/earlyWarning/case/${row.warningcode}`}><WarningBadge of={WarningLevel} level={row.warninglevel} /></Link> : '—'), { width: 110 }),
  column('content', '随访记录', (text) => text || '—'),
  column('ownername', '责任人', { width: 90 }),
  column('seq', '次序', (seq) => `第 ${seq} 次`, { hidden: true, width: 80 }),
  column('insname', '机构', { hidden: true }),
]; // prettier-ignore
const VIEWS = [['today', '今日'], ['overdue', '已逾期'], ['all', '全部']] as const; // prettier-ignore

/** 随访管理: whom to see today, who was missed, everything planned. */
export default function FollowUpListPage() {
  const list = useList(getFollowUpPageList);
  const [doing, register] = useState<FollowUpRow>();
  const view = String(list.filters['view'] ?? 'all');
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="姓名/编号" />
          <EnumFilter name="status" label="状态" of={FollowStatus} />
          <DateRangeFilter from="begindate" to="enddate" label="应随访日期" />
        </>
      }
      lead={
        <div role="group" aria-label="随访范围" style={{ display: 'flex', gap: 4 }}>
          {VIEWS.map(([key, name]) => (
            <Button
              key={key}
              size="compact-md"
              variant={view === key ? 'light' : 'subtle'}
              color={view === key ? 'brand' : 'gray'}
              aria-pressed={view === key}
              onClick={() => list.ask({ ...list.filters, view: key === 'all' ? undefined : key })}
            >
              {name}
            </Button>
          ))}
        </div>
      }
    >
      <div className={classes['rows']}>
        <DataTable
          list={list}
          columns={columns}
          rowKey="followupid"
          label="随访列表"
          actions={(row) =>
            waits(row) && (
              <May call={finishFollowUp}>
                <Button variant="subtle" size="compact-sm" onClick={() => register(row)}>
                  登记
                </Button>
              </May>
            )
          }
          empty={
            <EmptyState
              title={view === 'all' ? '还没有随访' : view === 'today' ? '今天没有待随访' : '没有逾期的随访'}
              hint="预警个案转入随访观察时，会按等级自动安排"
              filtered={Object.keys(list.filters).some((key) => key !== 'view')}
              reset={() => list.ask({})}
            />
          }
        />
      </div>
      {doing && <RegisterDrawer row={doing} onClose={() => register(undefined)} />}
    </ListPage>
  );
}

function RegisterDrawer({ row, onClose }: { row: FollowUpRow; onClose: () => void }) {
  const form = useActionForm(finishFollowUp, { initial: { followupid: row.followupid, status: '02', method: row.method }, onDone: onClose, said: '已登记随访' });
  return (
    <FormDrawer title={`随访登记：${row.username}`} opened onClose={onClose} form={form} width={560}>
      <EnumRadio {...form.field('status')} of={{ options: [{ value: '02', label: '已联系上' }, { value: '04', label: '未能联系上' }] }} />
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <SelectField {...form.field('currentlevel')} options={[0, 1, 2, 3, 4].map((value) => ({ value, label: value === 0 ? '0 无明显风险' : `${value} ${WarningLevel.label(value)}` }))} />
      <TextInput {...form.field('nextduetime')} placeholder={row.warningcode ? 'YYYY-MM-DD HH:mm，不填则按等级安排' : 'YYYY-MM-DD HH:mm'} />
    </FormDrawer>
  );
} // prettier-ignore
