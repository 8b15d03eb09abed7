import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { pathOf } from '#contract/menu.ts';
import { Appid, CountKind, Enabled, YesNo } from '#domain/base/enums.ts';
import { LibraryTabs } from '#blocks/planlibrary/LibraryTabs.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import {
  deleteMUserExamPlan,
  getMUserExamPlanPage,
  insertMUserExamPlan,
  updateMUserExamPlan,
  updatePlanIsCommon,
  type PlanRow,
} from '#features/plan/plan.contract.ts';
import { planEditPath, populations } from '#features/plan/editor/planDraft.ts';
import { getPlanAuthorizeDetails } from '#features/assesscount/ledger.contract.ts';

const PlanPreview = lazyDialog(() => import('#features/plan/PlanPreview.tsx').then((file) => file.PlanPreview));

const column = columnsOf(getMUserExamPlanPage);
const columns = [
  column('planname', '方案名称', { sort: true, width: 230 }),
  column('appid', '人群', Appid.label, { width: 84 }),
  column('forms', '量表', (forms) => forms.map((form) => form.formname).join('、')),
  column('minutes', '用时', (minutes, row) => `${minutes} 分钟 · ${row.itemcount} 题`, { width: 130 }),
  column.of(
    'owner',
    '来源',
    (row) => (row.iscommon ? <Badge tone="lime">{row.own ? '公共方案（本机构）' : '公共方案'}</Badge> : '本机构'),
    { width: 116 },
  ),
  column('status', '状态', (status) => <EnumBadge of={Enabled} code={status} tones={{ 1: 'green' }} />, {
    width: 84,
    sort: true,
  }),
  column('usedcount', '已授权人次', (count, row) => <UsedCount count={count} row={row} />, {
    width: 96,
    align: 'right',
    hint: '本机构及下级授权过的人次；用过的方案改动内容时生成新版本',
  }),
  column('lineageno', '版本', (no) => `第 ${no} 版`, { hidden: true, width: 80 }),
  column('stages', '阶段', (stages) => stages.map((stage) => stage.stagename).join('、') || '—', { hidden: true }),
  column('retestdays', '复测间隔', (days) => (days ? `${days} 天` : '—'), { hidden: true }),
  column('insname', '所属机构', { hidden: true }),
  column('plancode', '编码', { hidden: true }),
  column('createtime', '创建时间', { sort: true, hidden: true }),
];

/** The number of persons with the plan, as a link to their entries in the ledger. */
function UsedCount({ count, row }: { count: number; row: PlanRow }) {
  return count && can(getPlanAuthorizeDetails) ? (
    <Link
      to={`${pathOf('data.details')}?plancode=${row.plancode}&kind=${CountKind.freeze}`}
      aria-label={`${row.planname}已授权 ${count} 人次`}
    >
      {count}
    </Link>
  ) : (
    count
  );
}

/** 方案库: the institution's own plans and the common plans of institutions above it. */
export default function PlanListPage() {
  const list = useList(getMUserExamPlanPage);
  const navigate = useNavigate();
  const [previewRow, setPreviewRow] = useState<PlanRow>();
  const affected = [getMUserExamPlanPage];
  const remove = useActionMutation(deleteMUserExamPlan, { invalidates: affected, successMessage: '删除成功' });
  const change = useActionMutation(updateMUserExamPlan, { invalidates: affected, successMessage: '保存成功' });
  const share = useActionMutation(updatePlanIsCommon, { invalidates: affected, successMessage: '设置成功' });
  const hasFilters = Object.keys(list.filters).length > 0;
  const toggleCommon = async (row: PlanRow) => {
    const question = row.iscommon
      ? `下级机构将不能再选用，是否取消公共方案“${row.planname}”？`
      : `下级机构都可选用，是否将“${row.planname}”设为公共方案？`;
    if (await confirm(question)) share.mutate({ plancode: row.plancode, iscommon: row.iscommon ? 0 : 1 });
  };
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="方案名称" />
          <SelectFilter name="appid" label="人群" options={populations} />
          <EnumFilter name="status" label="状态" of={Enabled} />
          <EnumFilter name="iscommon" label="公共方案" of={YesNo} />
        </>
      }
      toolbar={
        <>
          <LibraryTabs value="plans" />
          <Can call={insertMUserExamPlan}>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => navigate(planEditPath())}>
              新建方案
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="plancode"
        label="方案列表"
        onOpen={setPreviewRow}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => setPreviewRow(row)}>
              预览
            </Button>
            <Can call={insertMUserExamPlan}>
              <Button variant="subtle" size="compact-sm" onClick={() => navigate(planEditPath({ copy: row.plancode }))}>
                复制
              </Button>
            </Can>
            {row.own && (
              <Can call={updateMUserExamPlan}>
                <Button variant="subtle" size="compact-sm" onClick={() => navigate(planEditPath({ plancode: row.plancode }))}>
                  修改
                </Button>
                <RowMenu label={`${row.planname}的更多操作`}>
                  <RowMenuItem onClick={() => void toggleCommon(row)}>{row.iscommon ? '取消公共' : '设为公共'}</RowMenuItem>
                  {row.locked ? (
                    <RowMenuItem
                      onClick={() => change.mutate({ plancode: row.plancode, version: row.version, status: row.status ? 0 : 1 })}
                    >
                      {row.status ? '停用' : '启用'}
                    </RowMenuItem>
                  ) : (
                    <RowMenuDelete name={row.planname} onConfirm={() => remove.mutate({ plancode: row.plancode })} />
                  )}
                </RowMenu>
              </Can>
            )}
          </>
        )}
        empty={
          <EmptyState
            filtered={hasFilters}
            reset={() => list.setFilters({})}
            {...(hasFilters ? {} : { title: '还没有方案', hint: '可以新建，也可以请服务商设置公共方案' })}
          >
            <Can call={insertMUserExamPlan}>
              <Button size="xs" onClick={() => navigate(planEditPath())}>
                新建方案
              </Button>
            </Can>
          </EmptyState>
        }
      />
      {previewRow && <PlanPreview row={previewRow} onClose={() => setPreviewRow(undefined)} />}
    </ListPage>
  );
}
