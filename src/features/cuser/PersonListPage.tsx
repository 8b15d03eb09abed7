import { useUser } from '#ui/api/session.ts';
import { personWordsOf } from '#domain/person/words.ts';
import { levelOptions } from '#domain/warning/levels.ts';
import { Button } from '@mantine/core';
import { IconPlus, IconStarFilled, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid, Enabled, Gender, MentalState } from '#domain/base/enums.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Badge, EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { call } from '#ui/api/call.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ApprovedExport } from '#blocks/export/ApprovedExport.tsx';
import { filtersOf } from '#blocks/export/ExportButton.tsx';
import { PersonTabs } from '#blocks/person/PersonTabs.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { Link } from '#ui/router/router.tsx';
import { RowMenu, RowMenuDelete, RowMenuDivider, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { withdrawForCUser } from '#features/consent/guardian/guardian.contract.ts';
import { authorizeCUserPlan, getCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import {
  deleteCUser,
  getCUserPageList,
  insertCUser,
  revealCUser,
  updateCUser,
  type CUserRow,
} from '#features/cuser/cuser.contract.ts';
import { anonymizeCUser } from '#features/anonymize/anonymize.contract.ts';
import { enableCUser } from '#features/cuser/leaving/leaving.contract.ts';
import { mergeCUser } from '#features/merge/merge.contract.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';
import { importOf } from '#blocks/import/importOf.ts';

const ImportDialog = lazyDialog(() => import('#blocks/import/ImportDialog.tsx').then((file) => file.ImportDialog));
const AuthorizeDrawer = lazyDialog(() => import('#blocks/person/AuthorizeDrawer.tsx').then((file) => file.AuthorizeDrawer));
const GrantsDrawer = lazyDialog(() => import('#blocks/person/GrantsDrawer.tsx').then((file) => file.GrantsDrawer));
const WithdrawDrawer = lazyDialog(() => import('#blocks/consent/WithdrawDrawer.tsx').then((file) => file.WithdrawDrawer));
const PersonDrawer = lazyDialog(() => import('#blocks/person/PersonDrawer.tsx').then((file) => file.PersonDrawer));
const MergeDrawer = lazyDialog(() => import('#blocks/person/MergeDrawer.tsx').then((file) => file.MergeDrawer));
const DisablePersonDialog = lazyDialog(() =>
  import('#features/cuser/leaving/DisablePersonDialog.tsx').then((file) => file.DisablePersonDialog),
);
const AnonymizeDialog = lazyDialog(() => import('#blocks/person/AnonymizeDialog.tsx').then((file) => file.AnonymizeDialog));

const STATE_TONES = { 1: 'green', 2: 'lime', 3: 'orange', 4: 'red' } as const;
const reveal = (row: CUserRow, field: 'username' | 'phonenumber') => async () =>
  (await call(revealCUser, { cuserid: row.cuserid }))[field];

const column = columnsOf(getCUserPageList);
const columns = [
  column.of(
    'username',
    '姓名',
    (row) => (
      <span style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
        <PersonName value={row.username} reveal={reveal(row, 'username')} what="查看姓名" />
        {row.anonymized === 1 ? <Badge tone="gray">已匿名化</Badge> : row.enabled === 0 && <Badge tone="gray">已停用</Badge>}
        {row.focus === 1 && <IconStarFilled size={14} color="var(--level-2)" role="img" aria-label="重点关注" />}
      </span>
    ),
    { sort: 'username', width: 110 },
  ),
  column('studentno', '学号/工号', { width: 104 }),
  column('gender', '性别', Gender.label, { width: 52 }),
  column('age', '年龄', { width: 52, align: 'right' }),
  column('appid', '人群', Appid.label, { width: 72 }),
  column('belongs', '班级/单位'),
  column(
    'phonenumber',
    '联系电话',
    (phone, row) => (phone ? <PersonName value={phone} reveal={reveal(row, 'phonenumber')} what="查看电话" isPhone /> : '—'),
    { width: 150, hidden: true },
  ),
  column(
    'mentalstate',
    '心理状态',
    (state, row) =>
      row.withheldcount > 0 ? (
        <Badge tone="amber">待补同意</Badge>
      ) : (
        <EnumBadge of={MentalState} code={state} tones={STATE_TONES} />
      ),
    {
      width: 112,
      sort: true,
      hint: '由最近一次有效测评得出或由专业人员评定；筛查提示，不是诊断。待补同意：补齐同意之前，得分和报告不显示',
    },
  ),
  column('riskflag', '当前预警', (level) => (level ? <WarningBadge level={level} /> : '—'), {
    width: 110,
    sort: true,
  }),
  column(
    'reportcount',
    '报告',
    (count, row) =>
      count && can(getPHQ9ChartsData) ? (
        <Link to={`/trend/${row.cuserid}`} aria-label={`${row.username}的 ${count} 份报告`}>
          {count}
        </Link>
      ) : (
        String(count)
      ),
    { width: 60, align: 'right' },
  ),
  column('examcount', '测评次数', { width: 100, align: 'right', sort: true, hidden: true }),
  column('lastexamtime', '最近测评', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 112, sort: true }),
  column('consentok', '知情同意', (isOk) => (isOk ? '已同意' : '未签署'), { width: 100, hidden: true }),
  column(
    'guardianstate',
    '监护人同意',
    (state) => (state === null ? '—' : state === 0 ? '未核实' : state === 1 ? '已核实' : '已结束'),
    {
      width: 110,
      hidden: true,
      hint: '未核实时，分数和报告不显示；预警照常处置',
    },
  ),
  column('ownername', '负责人', { width: 100, hidden: true }),
  column('insname', '机构', { hidden: true }),
  column('createtime', '建档时间', (time) => <RelativeTime at={time} />, { width: 120, sort: true, hidden: true }),
];

/** A hospital sees the pregnancy instead of population and class. */
const hospitalColumns = columns.flatMap((item) =>
  item.key === 'appid'
    ? [{ ...item, hidden: true }]
    : item.key === 'belongs'
      ? [
          column('gestation', '孕周', (text) => text || '—', { width: 124 }),
          column('edcdate', '预产期', (date) => date || '—', { width: 104 }),
          column('stage', '阶段', (text) => text || '—', { width: 72 }),
          { ...item, hidden: true },
        ]
      : [item],
);

/** 个体管理: the list of persons in the caller's data scope. */
export default function PersonListPage() {
  const list = useList(getCUserPageList);
  const { sector } = useUser();
  const words = personWordsOf(sector);
  const importing = importOf(sector);
  const [editRow, setEditRow] = useState<CUserRow | 'new'>();
  const [isImporting, setIsImporting] = useState(false);
  const [authorizeCuserids, setAuthorizeCuserids] = useState<string[]>();
  const [grantsRow, setGrantsRow] = useState<CUserRow>();
  const [withdrawRow, setWithdrawRow] = useState<CUserRow>();
  const remove = useActionMutation(deleteCUser, { invalidates: [getCUserPageList], successMessage: '删除成功' });
  const [disabling, setDisabling] = useState<CUserRow>();
  const [merging, setMerging] = useState<CUserRow>();
  const [anonymizing, setAnonymizing] = useState<CUserRow>();
  const enable = useActionMutation(enableCUser, { invalidates: [getCUserPageList], successMessage: '已启用' });
  const focus = useActionMutation(updateCUser, { invalidates: [getCUserPageList], successMessage: '修改成功' });
  // The form needs the person's clear data, and a caller who acts in another account does not get them.
  const canEdit = can(updateCUser) && can(revealCUser);
  return (
    <>
      <PersonTabs tab="persons" />
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label="姓名/学号/工号" placeholder="姓名、拼音、学号/工号或完整电话" />
            <EnumFilter name="appid" label="人群" of={Appid} />
            <EnumFilter name="gender" label="性别" of={Gender} />
            <EnumFilter name="mentalstate" label="心理状态" of={MentalState} />
            <SelectFilter name="riskflag" label="当前预警" options={levelOptions(sector)} />
            <SelectFilter
              name="focus"
              label="重点关注"
              options={[
                { value: 1, label: '是' },
                { value: 0, label: '否' },
              ]}
            />
            <EnumFilter name="enabled" label="状态" of={Enabled} />
          </>
        }
        toolbar={
          <>
            <ApprovedExport action={exportCuserList} request={filtersOf(list.request)} title="受测者" />
            <Can call={importing.call}>
              <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setIsImporting(true)}>
                {importing.title}
              </Button>
            </Can>
            <Can call={insertCUser}>
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditRow('new')}>
                新增
              </Button>
            </Can>
          </>
        }
        {...(can(deleteCUser) || can(authorizeCUserPlan)
          ? {
              bulk: (keys: string[], done: () => void) => (
                <>
                  <Can call={authorizeCUserPlan}>
                    <Button size="compact-sm" variant="default" onClick={() => setAuthorizeCuserids(keys)}>
                      批量授权
                    </Button>
                  </Can>
                  <Can call={deleteCUser}>
                    <ConfirmButton
                      question={`是否确认删除选中的 ${keys.length} 人？有测评记录或未结案预警的不能删除，可以改为停用。`}
                      onConfirm={() => remove.mutateAsync({ cuserids: keys }).then(done)}
                    >
                      删除
                    </ConfirmButton>
                  </Can>
                </>
              ),
            }
          : {})}
      >
        <DataTable
          list={list}
          columns={sector === 'health' ? hospitalColumns : columns}
          rowKey="cuserid"
          label="受测者列表"
          selectable={can(deleteCUser) || can(authorizeCUserPlan)}
          {...(canEdit ? { onOpen: setEditRow } : {})}
          actions={(row) => (
            <>
              <Can call={getPHQ9ChartsData}>
                <Button variant="subtle" size="compact-sm" component={Link} to={`/trend/${row.cuserid}`}>
                  趋势
                </Button>
              </Can>
              <Can call={getCUserPlan}>
                <Button variant="subtle" size="compact-sm" onClick={() => setGrantsRow(row)}>
                  授权
                </Button>
              </Can>
              {canEdit && row.anonymized === 0 && (
                <Button variant="subtle" size="compact-sm" onClick={() => setEditRow(row)}>
                  修改
                </Button>
              )}
              {(can(updateCUser) || can(deleteCUser)) && row.anonymized === 0 && (
                <RowMenu label={`${row.username}的更多操作`}>
                  <Can call={updateCUser}>
                    <RowMenuItem
                      onClick={() => focus.mutate({ cuserid: row.cuserid, version: row.version, focus: row.focus === 1 ? 0 : 1 })}
                    >
                      {row.focus === 1 ? '取消重点关注' : '列入重点关注'}
                    </RowMenuItem>
                  </Can>
                  <Can call={withdrawForCUser}>
                    <RowMenuItem onClick={() => setWithdrawRow(row)}>撤回同意</RowMenuItem>
                  </Can>
                  <Can call={mergeCUser}>
                    <RowMenuItem onClick={() => setMerging(row)}>合并到…</RowMenuItem>
                  </Can>
                  <Can call={enableCUser}>
                    <RowMenuDivider />
                    {row.enabled === 1 ? (
                      <RowMenuItem danger onClick={() => setDisabling(row)}>
                        停用
                      </RowMenuItem>
                    ) : (
                      <RowMenuItem onClick={() => enable.mutate({ cuserid: row.cuserid, enabled: 1 })}>启用</RowMenuItem>
                    )}
                  </Can>
                  <Can call={anonymizeCUser}>
                    <RowMenuItem danger onClick={() => setAnonymizing(row)}>
                      匿名化
                    </RowMenuItem>
                  </Can>
                  <Can call={deleteCUser}>
                    <RowMenuDelete name={row.username} onConfirm={() => remove.mutate({ cuserids: [row.cuserid] })} />
                  </Can>
                </RowMenu>
              )}
            </>
          )}
          {...(Object.keys(list.filters).length === 0
            ? {
                empty: (
                  <EmptyState title={`还没有${words.person}`} hint={`可以逐个新增，也可以上传${words.source}`}>
                    <Can call={importing.call}>
                      <Button onClick={() => setIsImporting(true)}>{importing.title}</Button>
                    </Can>
                  </EmptyState>
                ),
              }
            : {})}
        />
        {editRow && <PersonDrawer row={editRow} onClose={() => setEditRow(undefined)} />}
        {authorizeCuserids && (
          <AuthorizeDrawer
            cuserids={authorizeCuserids}
            personText={`${authorizeCuserids.length} 人`}
            onClose={() => setAuthorizeCuserids(undefined)}
          />
        )}
        {withdrawRow && <WithdrawDrawer row={withdrawRow} onClose={() => setWithdrawRow(undefined)} />}
        {disabling && <DisablePersonDialog row={disabling} onClose={() => setDisabling(undefined)} />}
        {anonymizing && <AnonymizeDialog row={anonymizing} onClose={() => setAnonymizing(undefined)} />}
        {merging && <MergeDrawer person={merging} invalidates={[getCUserPageList]} onClose={() => setMerging(undefined)} />}
        {grantsRow && <GrantsDrawer row={grantsRow} onClose={() => setGrantsRow(undefined)} />}
        {isImporting && <ImportDialog {...importing} onClose={() => setIsImporting(false)} />}
      </ListPage>
    </>
  );
}
