import type { ReactNode } from 'react';
import { Appid, Gender } from '#domain/base/enums.ts';
import { ArchiveStatus } from '#domain/person/archiveStates.ts';
import { levelOptions } from '#domain/warning/levels.ts';
import { can, useUser } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import { PersonCell } from '#blocks/person/PersonLine.tsx';
import { useOwnFields } from '#blocks/person/useOwnFields.ts';
import { archiveColumns, FieldFilters, OwnFilters, StageFilter, type Population } from '#blocks/person/archiveColumns.tsx';
import { authorizeCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import { BulkAuthorize, KioskButton, NewPersonButton, PersonActions } from '#features/assess/personActions.tsx';

/** Columns that the archives show and an assessment does not need, and the other way round. */
const LESS = new Set([
  'gender',
  'age',
  'archiveno',
  'checkupno',
  'studentno',
  'employeeno',
  'edcdate',
  'ownername',
  'status',
  'opendate',
]);
const MORE = new Set(['leftcount', 'lastexamtime']);

const NUMBERS = ['checkupno', 'studentno', 'employeeno'];
const column = columnsOf(getCUserArchivePageList);
const name = column.of(
  'username',
  '姓名',
  (row) => {
    const number = NUMBERS.map((code) => row.fields[code]).find((value) => typeof value === 'string' && value !== '');
    return <PersonCell row={row} number={String(number ?? row.archiveno)} />;
  },
  { width: 132, sort: 'username' },
);

/** 全部: all persons with an open archive of a population. */
export function AllPersons({ appid, tabs }: { appid: Population; tabs: ReactNode }) {
  const stored = useList(getCUserArchivePageList, { appid, archivestatus: ArchiveStatus.open });
  const { view: _view, ...filters } = stored.filters;
  // 重置 and 查询 stay on this list.
  const setFilters = (next: Readonly<Record<string, FilterValue>>) => stored.setFilters({ ...next, view: 'all' });
  // A view of this list opens here again.
  const openView: typeof stored.openView = ({ key, state }, options) =>
    stored.openView({ key, state: { ...state, filters: { ...state.filters, view: 'all' } } }, options);
  const list = { ...stored, filters, setFilters, openView };
  const { sector } = useUser();
  const fields = useOwnFields(appid);
  const columns = archiveColumns(appid, fields).map((item) =>
    item.key === 'username'
      ? name
      : LESS.has(item.key)
        ? { ...item, hidden: true }
        : MORE.has(item.key)
          ? { ...item, hidden: false }
          : item,
  );
  return (
    <ListPage
      list={list}
      folds
      filters={
        <>
          <TextFilter name="keyword" label="姓名/编号" placeholder="姓名、拼音、档案号、学号/工号或完整电话" />
          <StageFilter appid={appid} />
          {appid !== Appid.maternity && <EnumFilter name="gender" label="性别" of={Gender} />}
          <SelectFilter name="riskflag" label="当前预警" options={levelOptions(sector)} />
          <OwnFilters appid={appid} />
          <FieldFilters fields={fields} />
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
        columns={columns}
        rowKey="cuserid"
        label="人员名单"
        selectable={can(authorizeCUserPlan)}
        actions={(row) => <PersonActions row={row} />}
        {...(Object.keys(filters).length === 0
          ? { empty: <EmptyState title="还没有在管的档案" hint="新增受测者或导入名单时会自动建档" /> }
          : {})}
      />
    </ListPage>
  );
}
