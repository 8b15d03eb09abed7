import { Button, FileButton, Input } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { acceptedMimeTypes, describeAcceptedKinds, type FileUseKey } from '#domain/files/filekind.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { upload } from '#ui/api/transfer.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import classes from './UploadField.module.css';

interface Props {
  label?: ReactNode;
  error?: ReactNode;
  'data-path'?: string;
  /** Purpose of the picture: decides which files are accepted. */
  use: FileUseKey;
  /** Address of the saved picture; '' for none. */
  savedUrl: string;
  /** undefined: unchanged; null: removed; otherwise the uploaded file. */
  value: unknown;
  /** `url` shows an uploaded picture until the form is saved. */
  onPick: (fileid: string | null | undefined, url?: string) => void;
  /** The best size of the picture and where it appears. */
  hint?: string;
}

/** One picture. It is uploaded at once; the form sends its id. The server deletes a file that no form saved after a day. */
export function PictureField({ label, error, use, savedUrl, value, onPick, hint, 'data-path': path }: Props) {
  const [fresh, setFresh] = useState<{ fileid: string; url: string }>();
  const [busy, setBusy] = useState(false);
  const shown = value === undefined ? savedUrl : value !== null && fresh?.fileid === value ? fresh.url : '';
  const take = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    try {
      const { fileid, url } = await upload(updateToOSS, file, { biztype: use });
      setFresh({ fileid, url });
      onPick(fileid, url);
    } catch (fault) {
      notifyError(fault);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Input.Wrapper label={label} error={error}>
      <div className={classes['picture']} data-path={path} tabIndex={-1}>
        <span className={classes['frame']} data-empty={shown === '' || undefined}>
          {shown ? (
            <img
              src={shown}
              alt={typeof label === 'string' ? label : '图片'}
              onError={() => fresh?.url === shown && notify.warn('预览已过期，保存后可见')}
            />
          ) : (
            <IconPhoto size={24} stroke={1.4} aria-hidden />
          )}
        </span>
        <div>
          <div className={classes['buttons']}>
            <FileButton accept={acceptedMimeTypes(use, 'image')} onChange={(file) => void take(file)}>
              {(props) => (
                <Button {...props} variant="default" size="compact-sm" loading={busy}>
                  {shown ? '更换' : '选择图片'}
                </Button>
              )}
            </FileButton>
            {shown && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                disabled={busy}
                onClick={() => onPick(savedUrl ? null : undefined)}
              >
                移除
              </Button>
            )}
            {value === null && (
              <Button variant="subtle" color="gray" size="compact-sm" disabled={busy} onClick={() => onPick(undefined)}>
                恢复
              </Button>
            )}
          </div>
          <Input.Description mt={6}>{[describeAcceptedKinds(use, 'image'), hint].filter(Boolean).join('。')}</Input.Description>
        </div>
      </div>
    </Input.Wrapper>
  );
}
