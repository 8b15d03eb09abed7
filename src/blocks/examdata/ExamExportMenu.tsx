import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { can, isHiddenField } from '#ui/api/session.ts';
import { useApprovedExport } from '#blocks/export/useApprovedExport.tsx';
import {
  exportCUserDetailData,
  exportCUserExamData,
  exportCUserStatData,
  getCUserExamDataPageList,
} from '#features/examdata/examdata.contract.ts';
import { exportBundle } from '#features/fhir/fhir.contract.ts';

type Filters = Readonly<Record<string, unknown>>;

/** The filters that the exports of reports share with the list. */
const reportFilters = (filters: Filters) =>
  Object.fromEntries(Object.entries(filters).filter(([key]) => key in exportCUserDetailData.request.shape));

/** The exports of the shown results: sheets, with or without their items, reports, and counts; of a task also for other systems. */
export function ExamExportMenu({ filters }: { filters: Filters }) {
  const { isBusy, fetchFile, dialog } = useApprovedExport();
  const { taskcode } = filters;
  const isForOthers = typeof taskcode === 'string' && can(exportBundle);
  if (!isForOthers && ![exportCUserExamData, exportCUserDetailData, exportCUserStatData].some((action) => can(action)))
    return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            loading={isBusy}
          >
            导出
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {can(exportCUserExamData) && (
            <>
              <Menu.Item onClick={() => fetchFile(exportCUserExamData, { ...filters, answers: 0 }, '测评数据')}>
                测评数据（每个量表一张表）
              </Menu.Item>
              {!isHiddenField(getCUserExamDataPageList, 'answers') && (
                <Menu.Item onClick={() => fetchFile(exportCUserExamData, { ...filters, answers: 1 }, '测评数据')}>
                  测评数据含逐题得分（须审批）
                </Menu.Item>
              )}
            </>
          )}
          {can(exportCUserDetailData) && (
            <Menu.Item onClick={() => fetchFile(exportCUserDetailData, reportFilters(filters), '测评明细')}>
              测评明细（每份报告一行）
            </Menu.Item>
          )}
          {can(exportCUserStatData) && (
            <Menu.Item onClick={() => fetchFile(exportCUserStatData, reportFilters(filters), '测评统计')}>
              测评统计（各等级人次，不含姓名）
            </Menu.Item>
          )}
          {isForOthers && (
            <Menu.Item onClick={() => fetchFile(exportBundle, { taskcode }, 'FHIR 数据')}>
              FHIR 数据（全部名单，供其他系统读取）
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
