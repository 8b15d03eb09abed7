import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { exportReportPdf } from '#features/reportpdf/reportpdf.contract.ts';

interface Props {
  reportcode: string;
  audience: 'self' | 'staff';
  /** the two pages of 孕产妇1.0 */
  isShortForm: boolean;
}

/** Downloads one report as PDF, in the version that the page shows. Hidden without the right. */
export const ReportPdfButton = ({ reportcode, audience, isShortForm }: Props) => (
  <ExportButton
    action={exportReportPdf}
    request={{ reportcode, audience, shortform: isShortForm ? 1 : 0 }}
    title={`报告_${reportcode}.pdf`}
    small
  >
    下载 PDF
  </ExportButton>
);
