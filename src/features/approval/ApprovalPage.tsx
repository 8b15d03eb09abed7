import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { titleOf } from '#contract/fieldTitles.ts';
import { Badge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumRadio, LongTextField } from '#ui/form/fields.tsx';
import { SelectFilter } from '#ui/list/filters.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { Facts } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { download } from '#ui/api/transfer.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useList } from '#ui/list/useList.ts';
import {
  ApprovalStatus,
  decideAccessApproval,
  getAccessApprovalPageList,
  withdrawAccessApproval,
  type ApprovalRow,
  type GatedCall,
} from '#features/approval/approval.contract.ts';
import { exportFollowUpList } from '#features/care/care.contract.ts';
import { exportConsultList } from '#features/consult/register/register.contract.ts';
import { exportCUserDetailData, exportCUserExamData } from '#features/examdata/examdata.contract.ts';
import { exportBundle } from '#features/fhir/fhir.contract.ts';
import { exportReportZip } from '#features/reportpdf/reportpdf.contract.ts';
import { exportTeamReportAnnex } from '#features/teamreport/teamfile.contract.ts';
import { useReportZip } from '#blocks/reportpdf/useReportZip.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import { exportAssessTaskRosterProgress, getTaskList } from '#features/task/task.contract.ts';
import { exportAssessTeamRoster } from '#features/team/team.contract.ts';
import { exportCUserWarningDetailData, exportWarningList } from '#features/warning/warning.contract.ts';

const exportActions = {
  'as.m.warning.exportWarningList': exportWarningList,
  'as.m.exam.exportCUserWarningDetailData': exportCUserWarningDetailData,
  'as.m.followup.exportFollowUpList': exportFollowUpList,
  'as.m.consult.exportConsultList': exportConsultList,
  'as.m.cuser.exportCuserList': exportCuserList,
  'as.m.exam.exportCUserExamData': exportCUserExamData,
  'as.m.exam.exportCUserDetailData': exportCUserDetailData,
  'as.m.report.exportReportZip': exportReportZip,
  'as.m.report.exportTeamReportAnnex': exportTeamReportAnnex,
  'as.m.assess.exportAssessTeamRoster': exportAssessTeamRoster,
  'as.m.assess.exportAssessTaskRosterProgress': exportAssessTaskRosterProgress,
  'as.m.fhir.exportBundle': exportBundle,
} as const satisfies Record<GatedCall, unknown>;
const TONES = { 0: 'amber', 1: 'green', 2: 'red', 3: 'gray' } as const;
const STATUS_OPTIONS = Object.entries(ApprovalStatus).map(([value, label]) => ({ value: Number(value), label }));

const column = columnsOf(getAccessApprovalPageList);
const columns = [
  column('title', '导出内容', { width: 110 }),
  column.of('persons', '人数', (row) => `${row.persons} 人，未成年 ${row.minors} 人`, { width: 170 }),
  column('purpose', '用途'),
  column('applicantname', '申请人', { width: 90 }),
  column('createtime', '申请时间', (at) => at.slice(0, 16), { width: 156, sort: true }),
  column.of(
    'status',
    '状态',
    (row) => (
      <Badge tone={TONES[row.status as 0]}>
        {row.status === 1 && row.open === 0 && row.mine === 1 ? '已过期' : ApprovalStatus[row.status as 0]}
      </Badge>
    ),
    { width: 100 },
  ),
  column.of('decision', '审批', (row) => (row.approvername ? [row.approvername, row.reason].filter(Boolean).join('：') : '—'), {
    width: 150,
  }),
  column('validuntil', '下载截止', (at) => (at ? at.slice(0, 16) : '—'), { width: 150 }),
  column('downloads', '已下载', (times) => `${times} 次`, { hidden: true, width: 90 }),
];

/** 导出审批: the requests that wait for a decision, and the approved exports to download. */
export default function ApprovalPage() {
  const list = useList(getAccessApprovalPageList);
  const [deciding, setDeciding] = useState<ApprovalRow>();
  const withdraw = useActionMutation(withdrawAccessApproval, {
    invalidates: [getAccessApprovalPageList],
    successMessage: '已撤回',
  });
  const zip = useReportZip();
  const [downloadingId, setDownloadingId] = useState<number>();
  const downloadExport = (row: ApprovalRow) => {
    setDownloadingId(row.approvalid);
    // A ZIP of reports takes minutes, so it is made in the background.
    const work =
      row.call === exportReportZip.name ? zip.start(row.filter, row.approvalid).then(() => undefined) : downloadFile(row);
    work.then(list.refresh, notifyError).finally(() => setDownloadingId(undefined));
  };
  const downloadFile = async (row: ApprovalRow) => {
    const request = { ...row.filter, approvalid: row.approvalid };
    await download(exportActions[row.call as GatedCall], request as never, { title: row.title });
  };
  return (
    <ListPage
      list={list}
      filters={
        <>
          <SelectFilter name="status" label="状态" options={STATUS_OPTIONS} />
          <SelectFilter
            name="mine"
            label="申请人"
            options={[
              { value: 1, label: '我申请的' },
              { value: 0, label: '他人申请的' },
            ]}
          />
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="approvalid"
        label="导出审批列表"
        actions={(row) => (
          <>
            {row.decidable === 1 && (
              <Button size="compact-sm" onClick={() => setDeciding(row)}>
                审批
              </Button>
            )}
            {row.open === 1 && (
              <Button
                size="compact-sm"
                leftSection={<IconDownload size={14} aria-hidden />}
                loading={downloadingId === row.approvalid}
                onClick={() => downloadExport(row)}
              >
                下载
              </Button>
            )}
            {row.mine === 1 && row.status === 0 && (
              <ConfirmButton question="撤回这条导出申请？" onConfirm={() => withdraw.mutateAsync({ approvalid: row.approvalid })}>
                撤回
              </ConfirmButton>
            )}
          </>
        )}
        empty={
          <EmptyState
            title="没有导出申请"
            hint="导出含未成年人信息的名单时，会在这里等待第二人审批"
            filtered={Object.keys(list.filters).length > 0}
            reset={() => list.setFilters({})}
          />
        }
      />
      {deciding && <DecideDrawer row={deciding} onClose={() => setDeciding(undefined)} />}
    </ListPage>
  );
}

/** Returns the filters of a request in words: the approver decides on them. */
function describeFilter({ call, filter }: ApprovalRow, tasks: ResponseOf<typeof getTaskList>): string {
  const { request } = exportActions[call as GatedCall];
  const parts = Object.entries(filter).flatMap(([name, value]) => {
    const title = titleOf(request, [name]);
    if (title === undefined || value === '' || value === null) return [];
    if (name === 'taskcode') return [`${title}：${tasks.find(({ taskcode }) => taskcode === value)?.taskname ?? String(value)}`];
    if (value === 0 || value === 1) return [`${title}：${value === 1 ? '是' : '否'}`];
    return [`${title}：${[value].flat().map(String).join('、')}`];
  });
  return parts.join('；') || '没有筛选条件';
}

function DecideDrawer({ row, onClose }: { row: ApprovalRow; onClose: () => void }) {
  const form = useActionForm(decideAccessApproval, {
    initial: { approvalid: row.approvalid },
    onDone: onClose,
    invalidates: [getAccessApprovalPageList],
    successMessage: '已审批，申请人会收到通知',
  });
  const { data: tasks } = useActionQuery(getTaskList, row.filter['taskcode'] === undefined ? undefined : {}, { quiet: true });
  return (
    <FormDrawer title="审批导出申请" onClose={onClose} form={form} save="提交">
      <Facts
        facts={[
          ['申请人', row.applicantname],
          ['导出内容', row.title],
          ['人数', `${row.persons} 人，其中未成年人 ${row.minors} 人`],
          ['范围', describeFilter(row, tasks ?? [])],
          ['用途', row.purpose],
        ]}
      />
      <EnumRadio
        {...form.field('agreed')}
        of={{
          options: [
            { value: 1, label: '同意' },
            { value: 0, label: '不同意' },
          ],
        }}
      />
      <LongTextField {...form.field('reason')} required={form.values.agreed === 0} maxLength={500} />
      <Text size="sm" c="dimmed">
        同意后申请人可在 24 小时内下载。请确认用途正当、范围必要。
      </Text>
    </FormDrawer>
  );
}
