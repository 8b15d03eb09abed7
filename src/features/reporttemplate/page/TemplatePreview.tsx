import { Alert, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { ReportTemplate } from '#domain/report/template/template.ts';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { ReportPaper } from '#blocks/report/ReportPaper.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getCUserReportPageList } from '#features/report/report.contract.ts';
import {
  exportTemplatePreview,
  previewReportTemplate,
  previewTemplateOnReport,
} from '#features/reporttemplate/reporttemplate.contract.ts';
import classes from '#features/reporttemplate/page/template.module.css';

/** The template at work: on an invented person's report, or on a real one that the caller may read; both versions, also as PDF. */
export function TemplatePreview({ template }: { template: ReportTemplate }) {
  const user = useUser();
  const [audience, setAudience] = useState<'self' | 'staff'>('self');
  const [reportcode, setReportcode] = useState('');
  const [settled] = useDebouncedValue(template, 300);
  const canReadReports = can(previewTemplateOnReport) && can(getCUserReportPageList);
  const reports = useActionQuery(getCUserReportPageList, canReadReports ? { page: 1, pageSize: 20 } : undefined, { quiet: true });
  const sections = settled as never;
  const example = useActionQuery(previewReportTemplate, reportcode ? undefined : { sections }, {
    keepPrevious: true,
    quiet: true,
  });
  const real = useActionQuery(previewTemplateOnReport, reportcode ? { sections, reportcode } : undefined, {
    keepPrevious: true,
    quiet: true,
  });
  const request = { sections, audience, ...(reportcode ? { reportcode } : {}) };
  return (
    <>
      <Group gap="sm" mb="sm" justify="space-between">
        <SegmentedControl
          aria-label="读者"
          value={audience}
          onChange={(next) => setAudience(next as 'self' | 'staff')}
          data={[
            { value: 'self', label: '本人版' },
            { value: 'staff', label: '工作人员版' },
          ]}
        />
        {canReadReports && (
          <Select
            aria-label="预览用的报告"
            w={240}
            clearable
            placeholder="示例数据"
            value={reportcode || null}
            onChange={(next) => setReportcode(next ?? '')}
            data={(reports.data?.rows ?? []).map((row) => ({
              value: row.reportcode,
              label: `${row.username} ${row.submittime.slice(0, 10)} ${row.planname}`,
            }))}
          />
        )}
        <ExportButton action={exportTemplatePreview} request={request as never} title="报告模板预览.pdf" small>
          下载 PDF
        </ExportButton>
      </Group>
      {reportcode && (
        <Alert mb="sm" role="note" color="gray">
          <Text size="sm">这是真实报告按模板排列后的样子，报告本身不变。这次查看已记入审计日志。</Text>
        </Alert>
      )}
      <div className={classes['preview']} tabIndex={0} role="region" aria-label="报告预览">
        <Loaded read={reportcode ? real : example} skeleton={<Skeletons.Lines count={12} />}>
          {(response) => <ReportPaper content={response[audience]} version={1} reader={user.realname || user.username} />}
        </Loaded>
      </div>
    </>
  );
}
