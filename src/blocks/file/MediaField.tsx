import { Button, Input } from '@mantine/core';
import { IconFolderOpen, IconMovie, IconMusic, IconUpload } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { fileGroups } from '#domain/files/filekind.ts';
import { can } from '#ui/api/session.ts';
import { Dropzone } from '#ui/form/Dropzone.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { getFilePageList } from '#features/file/file.contract.ts';
import { UnfinishedUploads, useUnfinished } from '#blocks/file/upload/UnfinishedUploads.tsx';
import { UploadLine } from '#blocks/file/upload/UploadLine.tsx';
import { useUploads } from '#blocks/file/upload/useUploads.ts';
import { readDuration } from '#blocks/file/readDuration.ts';
import { useHeldForm } from '#blocks/file/useHeldForm.ts';
import { durationLabel } from '#blocks/file/durationLabel.ts';
import classes from './UploadField.module.css';

const LibraryPicker = lazyDialog(() => import('#blocks/file/LibraryPicker.tsx').then((file) => file.LibraryPicker));

/** A recording that a form saves: the file, and its duration in seconds. */
export interface MediaValue {
  fileid: string;
  filename: string;
  duration: number;
}

interface Props {
  label?: ReactNode;
  required?: boolean;
  error?: ReactNode;
  'data-path'?: string;
  /** The recording of a piece of music is an MP3, that of a course an MP4. */
  use: 'music' | 'course';
  value: MediaValue | undefined;
  onChange: (value: MediaValue | undefined) => void;
}

const KINDS = {
  music: { group: 'audio', mime: 'audio/mpeg', ending: '.mp3', word: '音频', Icon: IconMusic },
  course: { group: 'video', mime: 'video/mp4', ending: '.mp4', word: '视频', Icon: IconMovie },
} as const;

/**
 * The recording of a form: uploaded at once, or chosen from 文件上传. The browser reads its duration before a byte is sent. While the
 * upload runs, the form cannot be saved, and leaving asks.
 */
export function MediaField({ label, required = false, error, use, value, onChange, 'data-path': path }: Props) {
  const { group, mime, ending, word, Icon } = KINDS[use];
  const place = useRef<HTMLDivElement>(null);
  const duration = useRef(0);
  const [fault, setFault] = useState<string>();
  const [isReading, setIsReading] = useState(false);
  const [isPicking, setIsPicking] = useState(false);
  const [isReplacing, setIsReplacing] = useState(false);
  const take = ({ fileid, filename }: Pick<MediaValue, 'fileid' | 'filename'>) => {
    setFault(undefined);
    setIsReplacing(false);
    onChange({ fileid, filename, duration: duration.current });
  };
  const { uploads, isBusy, add, goOn, again, drop } = useUploads(take);
  const upload = uploads.find(({ state }) => state !== 'done');
  const unfinished = useUnfinished(
    uploads,
    ({ biztype, ispublic, filename }) => biztype === use && ispublic === 0 && filename.toLowerCase().endsWith(ending),
  );
  const isHeld = isBusy || isReading;
  useUnsaved(isHeld);
  useHeldForm(place, isHeld, () => {
    setFault(`${word}还没有传完，传完后再保存`);
    place.current?.focus();
  });

  const read = async (source: File | string, next: () => void) => {
    setFault(undefined);
    setIsReading(true);
    try {
      duration.current = await readDuration(source, group);
      next();
    } catch (failure) {
      setFault(failure instanceof Error ? failure.message : '没有读到时长，请换一个文件');
    } finally {
      setIsReading(false);
    }
  };
  const choose = (files: readonly File[]) => {
    const [file] = files;
    if (!file) return;
    const { title, maxBytes } = fileGroups[group];
    if (file.type !== mime) return setFault(`这里需要${title}，“${file.name}”不是`);
    if (file.size > maxBytes) return setFault(`${title}不能超过 ${maxBytes / 1024 ** 2} MB，请压缩后再上传`);
    void read(file, () => add([file], use, 0));
  };
  const isChoosing = !upload && (!value || isReplacing);

  return (
    <Input.Wrapper label={label ?? word} withAsterisk={required} error={fault ?? error}>
      <div ref={place} className={classes['media']} data-path={path} data-uploading={isHeld || undefined} tabIndex={-1}>
        {value && !upload && (
          <div className={classes['recording']}>
            <Icon size={18} stroke={1.5} aria-hidden />
            <span className={classes['name']} title={value.filename}>
              {value.filename}
            </span>
            <span className={classes['length']}>{durationLabel(value.duration)}</span>
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => {
                setFault(undefined);
                setIsReplacing(!isReplacing);
              }}
            >
              {isReplacing ? '不更换' : '更换'}
            </Button>
          </div>
        )}
        {upload && <UploadLine upload={upload} again={() => again(upload.key)} drop={() => drop(upload.key)} />}
        {isChoosing && (
          <>
            <Dropzone
              label={`选择${word}`}
              accept={mime}
              busy={isReading}
              icon={<IconUpload size={24} stroke={1.3} aria-hidden />}
              onFiles={choose}
            >
              <Input.Description>
                {fileGroups[group].title}，{fileGroups[group].maxBytes / 1024 ** 2} MB 以内。上传中断后可以继续
              </Input.Description>
            </Dropzone>
            <UnfinishedUploads uploads={unfinished} onGoOn={(begun, file) => void read(file, () => goOn(begun, file))} />
            {can(getFilePageList) && (
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconFolderOpen size={16} aria-hidden />}
                disabled={isReading}
                onClick={() => setIsPicking(true)}
              >
                从已上传的{word}中选择
              </Button>
            )}
          </>
        )}
      </div>
      {isPicking && (
        <LibraryPicker
          use={use}
          group={group}
          title={`选择${word}`}
          onClose={() => setIsPicking(false)}
          onPick={(file) => {
            setIsPicking(false);
            void read(file.url, () => take(file));
          }}
        />
      )}
    </Input.Wrapper>
  );
}
