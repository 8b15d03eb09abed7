import type { ReactNode } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { DueState } from '#domain/person/archiveStates.ts';
import { can, useUser } from '#ui/api/session.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { InstitutionFilter } from '#blocks/institution/InstitutionFilter.tsx';
import { getDuePageList } from '#features/archive/archive.contract.ts';
import { PersonCell } from '#blocks/person/PersonLine.tsx';
import { StageFilter, type Population } from '#blocks/person/archiveColumns.tsx';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import { KioskButton, NewPersonButton, PersonActions, BulkAuthorize } from '#features/assess/personActions.tsx';
import classes from './assess.module.css';

const column = columnsOf(getDuePageList);
const TONES = { overdue: 'red', retest: 'orange', due: 'green', missed: 'gray' } as const;
const name = column.of('username', '姓名', (row) => <PersonCell row={row} number={row.number} />, {
  width: 132,
  sort: 'username',
});
const state = column('due', '待测', (due) => <EnumBadge of={DueState} code={due} tones={TONES} />, { width: 84, sort: true });
const gestation = column('gestation', '孕周/产后', (text) => text || '—', { width: 124 });
const belongs = column('belongs', '班级/单位');
const rest = [
  column('stagename', '阶段', (text) => text || '—', { width: 100, sort: true, hint: '按档案推算的今天该测的阶段' }),
  column('until', '截止', (date) => date ?? '—', { width: 108, sort: true, hint: '这个阶段可以测评的最后一天' }),
  column('missed', '漏测', { hint: '已经结束、没有有效答卷的阶段' }),
  column('lastexamtime', '上次测评', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 112, sort: true }),
  column('ownername', '负责人', (text) => text || '—', { width: 96 }),
  column('archiveno', '档案号', { width: 130, hidden: true }),
];

/** The tiles of the due list, the most urgent first. */
const TILES = [
  [DueState.overdue, '窗口期只剩最后 14 天'],
  [DueState.retest, '到了约定的复测日期，或所用量表版本计分有误'],
  [DueState.due, '在窗口期内、还没有有效答卷'],
  [DueState.missed, '有窗口期已过、没有有效答卷的阶段'],
] as const;

/** 待测: who is due today at an institution. The tiles count the states and filter by them. */
export function DuePersons({ appid, tabs }: { appid: Population; tabs: ReactNode }) {
  const list = useList(getDuePageList, { appid });
  const { musertype } = useUser();
  const counts = list.answer?.counts;
  const { due: chosen, ...otherFilters } = list.filters;
  return (
    <>
      <div className={classes['tiles']} role="group" aria-label="待测人数">
        {TILES.map(([code, definition]) => (
          <button
            key={code}
            type="button"
            className={classes['tile']}
            aria-pressed={chosen === code}
            title={definition}
            onClick={() => list.setFilters(chosen === code ? otherFilters : { ...otherFilters, due: code })}
          >
            <span>{DueState.label(code)}</span>
            <b data-urgent={(code === DueState.overdue && (counts?.overdue ?? 0) > 0) || undefined}>{counts?.[code] ?? '—'}</b>
          </button>
        ))}
      </div>
      <ListPage
        list={list}
        also={['due']}
        filters={
          <>
            <TextFilter name="keyword" label="姓名/编号" placeholder="姓名、拼音、档案号、学号/工号或完整电话" />
            <StageFilter appid={appid} />
            {(musertype === '001' || musertype === '002') && <InstitutionFilter without="本机构" />}
          </>
        }
        lead={tabs}
        toolbar={
          <>
            <KioskButton />
            <NewPersonButton appid={appid} />
          </>
        }
        {...(can(authorizeCUserPlan)
          ? { bulk: (keys: string[], done: () => void) => <BulkAuthorize cuserids={keys} appid={appid} onDone={done} /> }
          : {})}
      >
        <DataTable
          list={list}
          columns={[name, state, appid === Appid.maternity ? gestation : belongs, ...rest]}
          rowKey="cuserid"
          label="待测名单"
          selectable={can(authorizeCUserPlan)}
          actions={(row) => <PersonActions row={row} />}
          {...(Object.keys(list.filters).length === 0
            ? { empty: <EmptyState title="今天没有待测的人" hint="到了测评窗口期，会自动列在这里；可以在“全部”中找到其他人" /> }
            : {})}
        />
      </ListPage>
    </>
  );
}
