import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useState } from 'react';
import { can } from '#ui/api/session.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { exportReportZip } from '#features/reportpdf/reportpdf.contract.ts';
import type { ZipRequest } from '#blocks/reportpdf/useReportZip.ts';

const Dialog = lazyDialog(() => import('#blocks/reportpdf/ReportZipDialog.tsx').then((file) => file.ReportZipDialog));

/** Exports the reports of a list's filters, or the chosen ones, as PDF files. Hidden without the right. */
export function ReportZipButton({ request, isSmall = false }: { request: ZipRequest; isSmall?: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!can(exportReportZip)) return null;
  return (
    <>
      <Button
        variant="default"
        {...(isSmall ? { size: 'compact-sm' } : { leftSection: <IconFileTypePdf size={16} aria-hidden /> })}
        onClick={() => setIsOpen(true)}
      >
        批量导出 PDF
      </Button>
      {isOpen && <Dialog request={request} onClose={() => setIsOpen(false)} />}
    </>
  );
}
