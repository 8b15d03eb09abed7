import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from './Dropzone.module.css';

/** A field for files: a click or the keyboard opens the file dialog, and files can be dropped. */
export function Dropzone({
  label,
  accept,
  multiple = false,
  busy = false,
  icon,
  children,
  onFiles,
}: {
  /** label for screen readers */
  label: string;
  /** accepted suffixes or types, as an input takes them */
  accept: string;
  multiple?: boolean;
  /** a file is being read; the field takes no other file */
  busy?: boolean;
  icon: ReactNode;
  /** the accepted files, in words */
  children: ReactNode;
  onFiles: (files: readonly File[]) => void;
}) {
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => !busy && files?.length && onFiles([...files]);
  return (
    <label
      className={classes['drop']}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        type="file"
        multiple={multiple}
        accept={accept}
        aria-label={label}
        disabled={busy}
        onChange={(event) => {
          take(event.currentTarget.files);
          // Without this the reader could not choose a corrected file of the same name.
          event.currentTarget.value = '';
        }}
      />
      {icon}
      <Text fw={500}>{busy ? '正在读取和检查，请稍候…' : '点击选择文件，或把文件拖到这里'}</Text>
      {children}
    </label>
  );
}
