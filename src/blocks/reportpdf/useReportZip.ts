import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxPendingExports } from '#domain/files/exportJob.ts';
import type { RequestOf } from '#contract/action.ts';
import { getExportPageList, insertExport } from '#contract/exportJob.ts';
import { call } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { checkReportZip, exportReportZip } from '#features/reportpdf/reportpdf.contract.ts';

export type ZipRequest = RequestOf<typeof checkReportZip>;

/** Starts the ZIP files of reports in 下载中心: one job a part. Returns whether they were started. */
export function useReportZip(): { isBusy: boolean; start: (request: ZipRequest, approvalid?: number) => Promise<boolean> } {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const start = async (request: ZipRequest, approvalid?: number): Promise<boolean> => {
    setIsBusy(true);
    try {
      const { parts } = await call(checkReportZip, request);
      const count = Math.min(parts, maxPendingExports);
      for (let part = 1; part <= count; part++)
        await call(insertExport, {
          action: exportReportZip.name,
          request: { ...request, part, ...(approvalid === undefined ? {} : { approvalid }) },
        });
      const rest = parts > count ? `前 ${count} 个文件` : parts > 1 ? `${parts} 个文件` : '';
      notify.done(`${rest}已转到后台生成，完成后在右上角“下载中心”下载${parts > count ? '；其余请缩小范围后再导出' : ''}`);
      return count > 0;
    } catch (error) {
      notifyError(error);
      return false;
    } finally {
      await invalidateActions(client, [getExportPageList]);
      setIsBusy(false);
    }
  };
  return { isBusy, start };
}
