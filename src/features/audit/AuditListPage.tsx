import { Alert, Button, Group } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Can } from '#ui/api/Can.tsx';
import { useUser } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import {
  auditKinds,
  checkAuditReceipt,
  exportAudit,
  getAuditPageList,
  verifyAudit,
  type AuditRow,
} from '#features/audit/audit.contract.ts';
import { AuditTabs } from '#blocks/audit/AuditTabs.tsx';
import { AuditObject, KindBadge, Persons, Who } from '#features/audit/AuditParts.tsx';
import { ReceiptButtons } from '#features/audit/ReceiptButtons.tsx';
import { auditKindLabels } from '#features/audit/audit.labels.ts';

const AuditDetail = lazyDialog(() => import('#features/audit/AuditDetail.tsx').then((file) => file.AuditDetail));

const column = columnsOf(getAuditPageList);
/** Only the platform reads the log of several institutions. */
const columnsFor = (isPlatform: boolean) => [
  column('time', '时间', (time) => <span style={{ whiteSpace: 'nowrap' }}>{time}</span>, { width: 170, sort: true }),
  column.of('who', '操作人', (row) => <Who row={row} />, { width: 140 }),
  column('kind', '类型', (kind) => <KindBadge kind={kind} />, { width: 100 }),
  column('title', '操作'),
  column.of('persons', '涉及人员', (row) => <Persons row={row} />),
  column.of('objectid', '对象', (row) => <AuditObject row={row} />, { width: 150 }),
  column('insname', '机构', { width: 180, hidden: !isPlatform }),
  column('ip', 'IP', { width: 120 }),
  column('action', '操作代码', { hidden: true }),
  column('accountid', '账号编号', { hidden: true }),
];

const platformColumns = columnsFor(true);
const ownColumns = columnsFor(false);

/** 审计日志: the actions of the institution's users and the persons whose data they saw. */
export default function AuditListPage() {
  const { musertype } = useUser();
  const list = useList(getAuditPageList);
  const [openRow, setOpenRow] = useState<AuditRow>();
  const verify = useActionMutation(verifyAudit, { invalidates: [] });
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="who" label="操作人" placeholder="姓名或账号" />
          <TextFilter name="action" label="操作" placeholder="如 导出、重置密码" />
          <SelectFilter
            name="kind"
            label="类型"
            options={auditKinds.map((kind) => ({ value: kind, label: auditKindLabels[kind] }))}
          />
          <TextFilter name="cuserid" label="受测者编号" placeholder="如 C0000000001" />
          <SelectFilter
            name="loginas"
            label="代登录"
            options={[
              { value: '1', label: '仅代登录' },
              { value: '0', label: '不含代登录' },
            ]}
          />
          <DateRangeFilter from="begindate" to="enddate" label="日期" />
        </>
      }
      lead={
        <Group gap="sm">
          <AuditTabs open="audit" />
          {verify.data && (
            <Alert color={verify.data.intact ? 'green' : 'red'} variant="light" py={6} role="status">
              {verify.data.message}
              {verify.data.faults.map((fault) => (
                <div key={fault}>{fault}</div>
              ))}
            </Alert>
          )}
        </Group>
      }
      toolbar={
        <>
          <Can call={verifyAudit}>
            <Button
              variant="default"
              leftSection={<IconShieldCheck size={16} aria-hidden />}
              loading={verify.isPending}
              onClick={() => verify.mutate({})}
            >
              核对完整性
            </Button>
          </Can>
          <Can call={checkAuditReceipt}>
            <ReceiptButtons />
          </Can>
          <ExportButton action={exportAudit} request={filtersOf(list.request)} title="审计日志" total={list.total} />
        </>
      }
    >
      <DataTable
        list={list}
        columns={musertype === '001' ? platformColumns : ownColumns}
        rowKey="id"
        label="审计日志"
        onOpen={setOpenRow}
        actions={(row) => (
          <Button variant="subtle" size="compact-sm" onClick={() => setOpenRow(row)}>
            详情
          </Button>
        )}
        {...(Object.keys(list.filters).length === 0
          ? { empty: <EmptyState title="还没有记录" hint="登录、修改、导出和查看个人信息都会记录在这里" /> }
          : {})}
      />
      {openRow && <AuditDetail row={openRow} onClose={() => setOpenRow(undefined)} />}
    </ListPage>
  );
}
