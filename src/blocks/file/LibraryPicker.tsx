import { Modal, Pagination, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMovie, IconMusic, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { FileGroup, FileUseKey } from '#domain/files/filekind.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { getFilePageList, type FileRow } from '#features/file/file.contract.ts';
import { sizeLabel } from '#blocks/file/upload/upload.labels.ts';
import classes from './UploadField.module.css';

const PAGE_SIZE = 20;

interface Props {
  title: string;
  use: FileUseKey;
  /** the type of the files that fit */
  group: FileGroup;
  /** only public files fit: their links stay valid */
  mustBePublic?: boolean;
  onPick: (file: FileRow) => void;
  onClose: () => void;
}

/** A dialog to choose one of the institution's uploaded files of a use and a type, with search by name. */
export function LibraryPicker({ title, use, group, mustBePublic = false, onPick, onClose }: Props) {
  const [text, setText] = useState('');
  const [filename] = useDebouncedValue(text.trim(), 300);
  const [page, setPage] = useState(1);
  const request = {
    biztype: use,
    group,
    page,
    pageSize: PAGE_SIZE,
    ...(filename ? { filename } : {}),
    ...(mustBePublic ? { ispublic: 1 } : {}),
  };
  const { data, error, refetch } = useActionQuery(getFilePageList, request, { keepPrevious: true, quiet: true });
  const pages = Math.ceil((data?.total ?? 0) / PAGE_SIZE);
  return (
    <Modal opened onClose={onClose} title={title} size={560}>
      <Stack gap="sm">
        <TextInput
          data-autofocus
          aria-label="按文件名查找"
          placeholder="按文件名查找"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setPage(1);
          }}
        />
        {error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeletons.Lines />
        ) : data.rows.length === 0 ? (
          <EmptyState
            title={filename ? '没有找到这个文件' : '还没有上传过'}
            hint={filename ? '可以换一个名字查找' : '先上传一个文件'}
          />
        ) : (
          <ul className={classes['choices']} aria-label="已上传的文件">
            {data.rows.map((row) => (
              <li key={row.fileid}>
                <UnstyledButton className={classes['choice']} onClick={() => onPick(row)}>
                  <Picture row={row} group={group} />
                  <span className={classes['name']} title={row.filename}>
                    {row.filename}
                  </span>
                  <Text component="span" size="xs" c="dimmed" style={{ flex: 'none' }}>
                    {sizeLabel(row.size)}，{row.createtime.slice(0, 10)}
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
        {pages > 1 && <Pagination size="sm" total={pages} value={page} onChange={setPage} aria-label="文件的页" />}
      </Stack>
    </Modal>
  );
}

function Picture({ row, group }: { row: FileRow; group: FileGroup }) {
  if (group === 'image') return <img className={classes['preview']} src={row.url} alt="" loading="lazy" />;
  const Icon = group === 'audio' ? IconMusic : IconMovie;
  return <Icon size={20} stroke={1.5} aria-hidden />;
}
