import { Alert, Button, FileButton } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { download } from '#ui/api/transfer.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { checkAuditReceipt, exportAuditReceipt } from '#features/audit/audit.contract.ts';

/** 审计凭证: a download that the institution keeps itself, and a comparison of the log with one of before. */
export function ReceiptButtons() {
  const check = useActionMutation(checkAuditReceipt, { invalidates: [], successMessage: '' });
  return (
    <>
      {check.data && (
        <Alert color={check.data.intact ? 'green' : 'red'} variant="light" py={6} role="status">
          {check.data.message}
          {check.data.faults.map((fault) => (
            <div key={fault}>{fault}</div>
          ))}
        </Alert>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => void download(exportAuditReceipt, {}, { title: '审计凭证' }).catch(notifyError)}
      >
        下载审计凭证
      </Button>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => void file?.text().then((receipt) => check.mutate({ receipt: receipt.slice(0, 4000) }), notifyError)}
      >
        {(props) => (
          <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} loading={check.isPending} {...props}>
            核对凭证
          </Button>
        )}
      </FileButton>
    </>
  );
}
