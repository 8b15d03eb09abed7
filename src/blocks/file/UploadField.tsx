import { Button, CloseButton, FileButton, Input, Loader } from '@mantine/core';
import { IconFileText, IconPaperclip } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { acceptedMimeTypes, describeAcceptedKinds, type FileUseKey } from '#domain/files/filekind.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { upload } from '#ui/api/transfer.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import classes from './UploadField.module.css';

interface Props {
  label?: ReactNode;
  required?: boolean;
  error?: ReactNode;
  value?: unknown;
  'data-path'?: string;
  /** Purpose of the files: decides which are accepted. */
  use: FileUseKey;
  onPick: (fileids: string[]) => void;
  most?: number;
}

/** Files that are uploaded at once; the form sends their ids. The server deletes the files of an abandoned form after a day. */
export function UploadField({ label, required, error, value, use, onPick, most = 6, 'data-path': path }: Props) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(0);
  const kept = Array.isArray(value) ? (value as string[]) : [];
  const take = async (files: File[]) => {
    const fits = files.slice(0, most - kept.length);
    setBusy(fits.length);
    const added: string[] = [];
    for (const file of fits) {
      try {
        const { fileid, filename } = await upload(updateToOSS, file, { biztype: use });
        setNames((before) => ({ ...before, [fileid]: filename }));
        added.push(fileid);
        onPick([...kept, ...added]);
      } catch (fault) {
        notifyError(fault);
      } finally {
        setBusy((left) => left - 1);
      }
    }
  };
  return (
    <Input.Wrapper
      label={label}
      withAsterisk={required ?? false}
      error={error}
      description={describeAcceptedKinds(use)}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <div className={classes['place']} data-path={path} tabIndex={-1}>
        {kept.map((fileid) => (
          <span key={fileid} className={classes['file']}>
            <IconFileText size={16} aria-hidden />
            <span className={classes['name']}>{names[fileid] ?? '附件'}</span>
            <CloseButton
              size="sm"
              aria-label={`移除${names[fileid] ?? '附件'}`}
              onClick={() => onPick(kept.filter((text) => text !== fileid))}
            />
          </span>
        ))}
        {busy > 0 && (
          <span className={classes['file']} role="status">
            <Loader size={14} /> 正在上传
          </span>
        )}
        {kept.length < most && (
          <FileButton multiple accept={acceptedMimeTypes(use)} onChange={(files) => void take(files)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="compact-md"
                leftSection={<IconPaperclip size={16} aria-hidden />}
                disabled={busy > 0}
              >
                选择文件
              </Button>
            )}
          </FileButton>
        )}
      </div>
    </Input.Wrapper>
  );
}
