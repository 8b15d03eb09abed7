import { Button } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { ArchiveStatus } from '#domain/person/archiveStates.ts';
import { Appid, Gender } from '#domain/base/enums.ts';
import { levelOptions } from '#domain/warning/levels.ts';
import { Can } from '#ui/api/Can.tsx';
import { useUser } from '#ui/api/session.ts';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import { OwnerFilter } from '#blocks/workload/OwnerFilter.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { importOf } from '#blocks/import/importOf.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { insertArchiveField } from '#features/archivefield/archivefield.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { keepDistinct } from '#features/identity/duplicates.contract.ts';
import { getCUserArchivePageList, type ArchiveRow } from '#features/archive/archive.contract.ts';
import { archivePathOf } from '#contract/population.ts';
import { useOwnFields } from '#blocks/person/useOwnFields.ts';
import { archiveColumns, FieldFilters, OwnFilters, StageFilter, type Population } from '#blocks/person/archiveColumns.tsx';

const ImportDialog = lazyDialog(() => import('#blocks/import/ImportDialog.tsx').then((file) => file.ImportDialog));
const PersonDrawer = lazyDialog(() => import('#blocks/person/PersonDrawer.tsx').then((file) => file.PersonDrawer));
const DuplicatesDrawer = lazyDialog(() => import('#blocks/person/DuplicatesDrawer.tsx').then((file) => file.DuplicatesDrawer));

/** The archives that the caller may read; `appid` limits them to one population. */
function ArchiveList({ appid }: { appid?: Population }) {
  const list = useList(getCUserArchivePageList, appid ? { appid } : {});
  const { sector } = useUser();
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  const [isComparing, setIsComparing] = useState(false);
  const [isImporting, setIsImporting] = useState(false);
  const importing = importOf(sector, appid);
  const fields = useOwnFields(appid);
  return (
    <ListPage
      list={list}
      folds
      filters={
        <>
          <OwnerFilter value={list.filters['owneruserid']} label="负责人" />
          <TextFilter name="keyword" label="姓名/编号" placeholder="姓名、拼音、档案号、学号/工号或完整电话" />
          {!appid && <EnumFilter name="appid" label="人群" of={Appid} />}
          <StageFilter {...(appid ? { appid } : {})} />
          <EnumFilter name="archivestatus" label="档案状态" of={ArchiveStatus} />
          {appid !== Appid.maternity && <EnumFilter name="gender" label="性别" of={Gender} />}
          <SelectFilter name="riskflag" label="当前预警" options={levelOptions(sector)} />
          {appid && <OwnFilters appid={appid} />}
          <FieldFilters fields={fields} />
        </>
      }
      toolbar={
        <>
          <ApprovedExport action={exportCuserList} request={filtersOf(list.request)} title="受测者" />
          <Can call={insertArchiveField}>
            <Button variant="default" component={Link} to={`/archives/fields${appid ? `?appid=${appid}` : ''}`}>
              档案字段
            </Button>
          </Can>
          <Can call={keepDistinct}>
            <Button variant="default" onClick={() => setIsComparing(true)}>
              疑似重复
            </Button>
          </Can>
          <Can call={importing.call}>
            <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setIsImporting(true)}>
              {importing.title}
            </Button>
          </Can>
          <Can call={insertCUser}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
              建档
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={archiveColumns(appid, fields)}
        rowKey="archiveid"
        label="档案列表"
        onOpen={(row: ArchiveRow) => navigate(archivePathOf(row.appid, row.cuserid))}
        {...(Object.keys(list.filters).length === 0
          ? { empty: <EmptyState title="还没有档案" hint="新增受测者或导入名单时会自动建档" /> }
          : {})}
      />
      {isImporting && <ImportDialog {...importing} onClose={() => setIsImporting(false)} />}
      {isComparing && <DuplicatesDrawer invalidates={[getCUserArchivePageList]} onClose={() => setIsComparing(false)} />}
      {isAdding && (
        <PersonDrawer
          row="new"
          {...(appid ? { appid } : {})}
          invalidates={[getCUserArchivePageList]}
          onClose={() => setIsAdding(false)}
        />
      )}
    </ListPage>
  );
}

export const AllArchives = () => <ArchiveList />;
export const MaternityArchives = () => <ArchiveList appid={Appid.maternity} />;
export const StudentArchives = () => <ArchiveList appid={Appid.students} />;
export const WorkerArchives = () => <ArchiveList appid={Appid.workers} />;
export const ElderArchives = () => <ArchiveList appid={Appid.elders} />;
