import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { exportReportPdf } from '#features/reportpdf/reportpdf.contract.ts';

/** Downloads one report as PDF, in the version that the page shows. Hidden without the right. */
export const ReportPdfButton = ({ reportcode, audience }: { reportcode: string; audience: 'self' | 'staff' }) => (
  <ExportButton action={exportReportPdf} request={{ reportcode, audience }} title={`报告_${reportcode}.pdf`} small>
    下载 PDF
  </ExportButton>
);
