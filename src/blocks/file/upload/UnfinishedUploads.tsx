import { Button, FileButton, Text } from '@mantine/core';
import { useState } from 'react';
import { acceptedMimeTypes } from '#domain/files/filekind.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getUploadList, type UnfinishedUpload } from '#features/file/upload/upload.contract.ts';
import { findDifference } from '#blocks/file/upload/sameFile.ts';
import { expiryLabel, sizeLabel } from '#blocks/file/upload/upload.labels.ts';
import type { Upload } from '#blocks/file/upload/useUploads.ts';
import { useEndUpload } from '#blocks/file/upload/useEndUpload.ts';
import classes from './upload.module.css';

/** Returns the caller's uploads that were interrupted, without those that this screen sends now. */
export function useUnfinished(running: readonly Upload[] = [], fits?: (upload: UnfinishedUpload) => boolean) {
  const { data } = useActionQuery(getUploadList, {}, { quiet: true, keepPrevious: true });
  const known = new Set(running.map(({ uploadid }) => uploadid));
  return (data ?? []).filter((upload) => !known.has(upload.uploadid) && (fits?.(upload) ?? true));
}

interface Props {
  uploads: readonly UnfinishedUpload[];
  /** The person has chosen the same file. */
  onGoOn: (upload: UnfinishedUpload, file: File) => void;
}

/** The uploads that were interrupted: the person chooses the same file again, and the upload goes on, or gives it up. */
export function UnfinishedUploads({ uploads, onGoOn }: Props) {
  if (uploads.length === 0) return null;
  return (
    <section aria-label="没有传完的文件">
      <Text size="sm" fw={600}>
        没有传完的文件
      </Text>
      <Text size="xs" c="dimmed">
        再次选择同一个文件，就从中断的地方继续。
      </Text>
      <ul className={classes['uploads']} aria-label="没有传完的文件">
        {uploads.map((upload) => (
          <li key={upload.uploadid} className={classes['upload']}>
            <UnfinishedLine upload={upload} onGoOn={onGoOn} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function UnfinishedLine({ upload, onGoOn }: { upload: UnfinishedUpload; onGoOn: Props['onGoOn'] }) {
  const { filename, size, sent, expiretime, biztype } = upload;
  const [fault, setFault] = useState<string>();
  const end = useEndUpload();
  const take = async (file: File | null) => {
    if (!file) return;
    const difference = await findDifference(upload, file).catch(() => '文件打不开，请重新选择');
    setFault(difference);
    if (difference === undefined) onGoOn(upload, file);
  };
  const giveUp = async () => {
    if (await confirm({ text: `放弃“${filename}”？已经传到的部分会删除。`, danger: true }))
      end.mutate({ uploadid: upload.uploadid });
  };
  return (
    <>
      <div className={classes['line']}>
        <span className={classes['name']} title={filename}>
          {filename}
        </span>
        <FileButton
          accept={acceptedMimeTypes(biztype)}
          onChange={(file) => void take(file)}
          inputProps={{ 'aria-label': `选择${filename}` }}
        >
          {(props) => (
            <Button {...props} variant="light" size="compact-sm" aria-label={`继续上传 ${filename}`}>
              选择文件继续
            </Button>
          )}
        </FileButton>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={`放弃 ${filename}`}
          loading={end.isPending}
          onClick={() => void giveUp()}
        >
          放弃
        </Button>
      </div>
      <Text size="xs" mt={2} c="dimmed">
        已传到 {sizeLabel(sent)}，共 {sizeLabel(size)}，{expiryLabel(expiretime)}
      </Text>
      {fault && (
        <Text size="xs" mt={2} role="alert" c="var(--level-4-ink)">
          {fault}
        </Text>
      )}
    </>
  );
}
