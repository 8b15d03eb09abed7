import { Button, Drawer } from '@mantine/core';
import { IconPlus, IconQrcode, IconSitemap } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { pathOf } from '#contract/menu.ts';
import { formatNumber } from '#domain/base/number.ts';
import { Appid, Enabled, MUserType, Sector } from '#domain/base/enums.ts';
import { lowBalanceFlag } from '#domain/counts/wallet.ts';
import { askToAct } from '#ui/api/acting.ts';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { RegionFilter } from '#blocks/region/RegionFilter.tsx';
import { Link } from '#ui/router/router.tsx';
import { RowMenu, RowMenuDelete, RowMenuDivider, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { can } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { download } from '#ui/api/transfer.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { getPlanAuthorizeCount } from '#features/assesscount/ledger.contract.ts';
import { grantMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { exportToZipFile, insertCUserAssessCode } from '#features/muser/entry/entry.contract.ts';
import { InstitutionTree } from '#features/muser/tree/InstitutionTree.tsx';
import {
  addMUser,
  deleteMUser,
  enableMuser,
  exportToFile,
  getMUserPageList,
  getMUserTree,
  resetMUserFactor,
  updateMUserCategory,
  type MUserRow,
} from '#features/muser/muser.contract.ts';
import { typeOptions, typesOf, kindName, type Kind } from '#features/muser/muser.labels.ts';
import { listPath, onboardingPath } from '#features/muser/paths.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { selectUserList } from '#features/org/user/user.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import classes from '#features/muser/muser.module.css';

const AppsDialog = lazyDialog(() => import('#features/muser/AppsStages.tsx').then((file) => file.AppsDialog));
const CodesDialog = lazyDialog(() => import('#features/muser/entry/CodesDialog.tsx').then((file) => file.CodesDialog));
const DisableDialog = lazyDialog(() => import('#features/muser/list/DisableDialog.tsx').then((file) => file.DisableDialog));
const EntryDialog = lazyDialog(() => import('#features/muser/entry/EntryDialog.tsx').then((file) => file.EntryDialog));
const GrantDialog = lazyDialog(() => import('#features/muser/GrantDialog.tsx').then((file) => file.GrantDialog));
const MUserDetails = lazyDialog(() => import('#features/muser/list/MUserDetails.tsx').then((file) => file.MUserDetails));
const MoveDialog = lazyDialog(() => import('#features/muser/tree/MoveDialog.tsx').then((file) => file.MoveDialog));
const MUserDrawer = lazyDialog(() => import('#features/muser/edit/MUserDrawer.tsx').then((file) => file.MUserDrawer));
const PasswordDialog = lazyDialog(() => import('#features/muser/PasswordDialog.tsx').then((file) => file.PasswordDialog));

const column = columnsOf(getMUserPageList);
const linkTo = (path: string, text: string, label: string) => (
  <Link to={path} aria-label={label}>
    {text}
  </Link>
);
/** Returns the columns of a list. A column that makes no sense in the list is hidden at first. */
const columnsFor = (kind: Kind) => [
  column('insname', '名称', { sort: true, width: 170 }),
  column(
    'enabled',
    '状态',
    (enabled, row) =>
      row.opening && row.opening !== 'done' ? (
        <Badge tone="amber">开通中</Badge>
      ) : (
        <EnumBadge of={Enabled} code={enabled} tones={{ 1: 'green' }} />
      ),
    { width: 84, sort: true },
  ),
  column('apps', '应用', (apps) => apps.map((app) => Appid.label(app.appid)).join('、') || '—', {
    width: 70,
    hidden: kind === 'providers',
  }),
  column(
    'childcount',
    '下级',
    (count, row) =>
      count
        ? linkTo(
            `${listPath('institutions')}?parentmusercode=${row.musercode}`,
            String(count),
            `${row.insname}的 ${count} 个下级`,
          )
        : 0,
    { width: 64, align: 'right', hidden: kind === 'institutions', hint: '直接下级，含主管部门' },
  ),
  column(
    'staffcount',
    '用户',
    (count, row) =>
      count && can(selectUserList)
        ? linkTo(`${pathOf('organization.users')}?musercode=${row.musercode}`, String(count), `${row.insname}的 ${count} 位用户`)
        : count,
    { width: 60, align: 'right' },
  ),
  column(
    'personcount',
    '受测者',
    (count, row) =>
      count && can(getCUserPageList)
        ? linkTo(
            `${pathOf('individual.persons')}?musercode=${row.musercode}`,
            String(count),
            `${row.insname}的 ${count} 名受测者`,
          )
        : count,
    { width: 70, align: 'right', hidden: kind === 'providers' },
  ),
  column(
    'free',
    '剩余次数',
    (_free, row) =>
      row.musertype === '003' ? (
        '—'
      ) : can(getPlanAuthorizeCount) ? (
        <Link to={`${pathOf('data.counts')}?musercode=${row.musercode}`} aria-label={`${row.insname}的次数统计`}>
          <FreeCounts {...row} />
        </Link>
      ) : (
        <FreeCounts {...row} />
      ),
    { width: 110, align: 'right', hint: '还可使用的次数 / 获得的次数，不含已冻结' },
  ),
  column(
    'expiredate',
    '有效期至',
    (day, row) =>
      row.expiring === 2 ? (
        <Badge tone="red">{`${day} 已到期`}</Badge>
      ) : row.expiring === 1 ? (
        <Badge tone="orange">{`${day} 即将到期`}</Badge>
      ) : (
        (day ?? '长期')
      ),
    { width: 110, sort: true },
  ),
  column('parentname', '上级', { width: 150, hidden: true }),
  column('musertype', '类型', MUserType.label, { width: 150, sort: true, hidden: kind === 'institutions' }),
  column('regionname', '地区', { hidden: true }),
  column('sector', '行业', Sector.label, { hidden: true }),
  column('realname', '负责人', { hidden: true }),
  column('phonenumber', '联系电话', { hidden: true }),
  column('username', '登录账号', { hidden: true }),
  column('contractno', '合同号', { hidden: true }),
  column('used', '已使用', { hidden: true, align: 'right' }),
  column('musercode', '编号', { hidden: true }),
  column('createtime', '开通时间', { sort: true, hidden: true }),
];
const columns = { institutions: columnsFor('institutions'), providers: columnsFor('providers') };

/** Shows the free and the granted counts, with a badge when the balance is low. */
function FreeCounts({ free, granted }: { free: number; granted: number }) {
  const text = `${formatNumber(free)} / ${formatNumber(granted)}`;
  const low = lowBalanceFlag({ granted, free });
  return low === 0 ? (
    <span style={{ whiteSpace: 'nowrap' }}>{text}</span>
  ) : (
    <Badge tone={low === 2 ? 'red' : 'orange'}>{low === 2 ? `${text} 无剩余` : `${text} 不足`}</Badge>
  );
}

type Action = 'details' | 'edit' | 'counts' | 'move' | 'disable' | 'apps' | 'qr' | 'codes' | 'password';
const dialogs: Readonly<Record<Action, (row: MUserRow, onClose: () => void, onEdit: () => void) => ReactNode>> = {
  details: (row, onClose, onEdit) => <MUserDetails row={row} onClose={onClose} onEdit={onEdit} />,
  edit: (row, onClose) => <MUserDrawer row={row} onClose={onClose} />,
  counts: (row, onClose) => <GrantDialog row={row} onClose={onClose} />,
  move: (row, onClose) => <MoveDialog row={row} onClose={onClose} />,
  disable: (row, onClose) => <DisableDialog row={row} onClose={onClose} />,
  apps: (row, onClose) => <AppsDialog row={row} onClose={onClose} />,
  codes: (row, onClose) => <CodesDialog row={row} onClose={onClose} />,
  password: (row, onClose) => <PasswordDialog row={row} onClose={onClose} />,
  qr: (row, onClose) => <EntryDialog row={row} onClose={onClose} />,
};

/** 机构管理 and 服务商管理: the institutions below the caller as a tree and a list. */
export function MUserList({ kind }: { kind: Kind }) {
  const types = typesOf[kind];
  const kindLabel = kindName[kind];
  const list = useList(getMUserPageList, { musertypes: types });
  const [openedDialog, setOpenedDialog] = useState<{ action: Action; row: MUserRow }>();
  const [isTreeOpen, setIsTreeOpen] = useState(false);
  const affected = [getMUserPageList, getMUserTree];
  const remove = useActionMutation(deleteMUser, { invalidates: affected, successMessage: '删除成功' });
  const resetFactor = useActionMutation(resetMUserFactor, { invalidates: affected, successMessage: '二次验证已重置' });
  const enable = useActionMutation(enableMuser, { invalidates: affected, successMessage: '已启用' });
  const parentMusercode = String(list.filters['parentmusercode'] ?? '');
  const chooseParent = (musercode: string) => {
    const { parentmusercode: _, ...rest } = list.filters;
    setIsTreeOpen(false);
    list.setFilters(musercode === parentMusercode ? rest : { ...rest, parentmusercode: musercode });
  };
  const resetSecondFactor = async (row: MUserRow) => {
    if (await confirm(`重置“${row.insname}”机构账号的二次验证？该账号立即退出登录，之后凭密码登录并可重新设置。`))
      await resetFactor.mutateAsync({ musercode: row.musercode }).catch(() => undefined);
  };
  const hasFilters = Object.keys(list.filters).length > 0;
  const create = (
    <Can call={addMUser}>
      <Button component={Link} to={onboardingPath(kind)} leftSection={<IconPlus size={16} aria-hidden />}>
        开通{kindLabel}
      </Button>
    </Can>
  );
  return (
    <div className={classes['split']}>
      <div className={classes['side']}>
        <InstitutionTree label="机构树" value={parentMusercode} onPick={chooseParent} />
      </div>
      <ListPage
        list={list}
        filters={
          <>
            <TextFilter name="keyword" label={`${kindLabel}名称`} placeholder="名称、简称、账号或编号" />
            <SelectFilter name="musertype" label="类型" options={typeOptions(kind)} />
            <EnumFilter name="enabled" label="状态" of={Enabled} />
            <SelectFilter name="expiring" label="到期" options={[{ value: 1, label: '30 天内到期或已到期' }]} />
            <SelectFilter name="opening" label="开通" options={[{ value: 1, label: '开通未完成' }]} />
            <EnumFilter name="sector" label="行业" of={Sector} />
            <RegionFilter name="regioncode" />
            {kind === 'institutions' && (
              <SelectFilter name="appid" label="应用" options={Appid.options.filter((option) => option.value !== Appid.custom)} />
            )}
          </>
        }
        also={['parentmusercode']}
        lead={
          <Button
            variant="default"
            hiddenFrom="lg"
            leftSection={<IconSitemap size={16} aria-hidden />}
            onClick={() => setIsTreeOpen(true)}
          >
            机构树
          </Button>
        }
        toolbar={
          <>
            <ExportButton action={exportToFile} request={filtersOf(list.request)} title={kindLabel} />
            {create}
          </>
        }
        {...(kind === 'institutions' && can(exportToZipFile)
          ? {
              bulk: (musercodes: string[]) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconQrcode size={14} aria-hidden />}
                  onClick={() => void download(exportToZipFile, { musercodes }, { title: '机构二维码' }).catch(notifyError)}
                >
                  下载二维码
                </Button>
              ),
            }
          : {})}
      >
        <DataTable
          list={list}
          columns={columns[kind]}
          rowKey="musercode"
          label={`${kindLabel}列表`}
          selectable={kind === 'institutions' && can(exportToZipFile)}
          onOpen={(row) => setOpenedDialog({ action: 'details', row })}
          actions={(row) => (
            <>
              {row.opening && row.opening !== 'done' ? (
                <Button variant="subtle" size="compact-sm" component={Link} to={onboardingPath(kind, row.musercode)}>
                  继续开通
                </Button>
              ) : (
                <Button variant="subtle" size="compact-sm" onClick={() => setOpenedDialog({ action: 'edit', row })}>
                  修改
                </Button>
              )}
              {kind === 'institutions' && (
                <Button variant="subtle" size="compact-sm" onClick={() => setOpenedDialog({ action: 'qr', row })}>
                  二维码
                </Button>
              )}
              <RowMenu label={`${row.insname}的更多操作`}>
                <RowMenuItem onClick={() => setOpenedDialog({ action: 'details', row })}>详情</RowMenuItem>
                {row.opening && row.opening !== 'done' && (
                  <RowMenuItem onClick={() => setOpenedDialog({ action: 'edit', row })}>修改</RowMenuItem>
                )}
                {kind === 'institutions' && (
                  <RowMenuItem onClick={() => setOpenedDialog({ action: 'apps', row })}>应用与阶段</RowMenuItem>
                )}
                {row.musertype !== '003' && can(grantMUserAssessCount) && (
                  <RowMenuItem onClick={() => setOpenedDialog({ action: 'counts', row })}>发放次数</RowMenuItem>
                )}
                {kind === 'institutions' && can(insertCUserAssessCode) && (
                  <RowMenuItem onClick={() => setOpenedDialog({ action: 'codes', row })}>测评码</RowMenuItem>
                )}
                {can(updateMUserCategory) && (
                  <RowMenuItem onClick={() => setOpenedDialog({ action: 'move', row })}>调整上级</RowMenuItem>
                )}
                <RowMenuItem onClick={() => setOpenedDialog({ action: 'password', row })}>重置密码</RowMenuItem>
                {can(resetMUserFactor) && <RowMenuItem onClick={() => void resetSecondFactor(row)}>重置二次验证</RowMenuItem>}
                {can(loginAs) && row.enabled === 1 && (
                  <RowMenuItem onClick={() => askToAct({ musercode: row.musercode, name: row.insname })}>代登录</RowMenuItem>
                )}
                <RowMenuDivider />
                {row.enabled ? (
                  <RowMenuItem danger onClick={() => setOpenedDialog({ action: 'disable', row })}>
                    停用
                  </RowMenuItem>
                ) : (
                  <RowMenuItem onClick={() => enable.mutate({ musercode: row.musercode, enabled: 1 })}>启用</RowMenuItem>
                )}
                <RowMenuDelete name={row.insname} onConfirm={() => remove.mutate({ musercode: row.musercode })} />
              </RowMenu>
            </>
          )}
          empty={
            <EmptyState
              filtered={hasFilters}
              reset={() => list.setFilters({})}
              {...(hasFilters
                ? {}
                : { title: `还没有${kindLabel}`, hint: '按步骤开通：基本信息、应用与阶段、次数、账号、二维码' })}
            >
              {hasFilters ? null : create}
            </EmptyState>
          }
        />
        <Drawer opened={isTreeOpen} onClose={() => setIsTreeOpen(false)} title="机构树" size="min(320px, 90vw)">
          <InstitutionTree label="机构树" value={parentMusercode} onPick={chooseParent} />
        </Drawer>
        {openedDialog &&
          dialogs[openedDialog.action](
            openedDialog.row,
            () => setOpenedDialog(undefined),
            () => setOpenedDialog({ action: 'edit', row: openedDialog.row }),
          )}
      </ListPage>
    </div>
  );
}
