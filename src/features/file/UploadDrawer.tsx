import { ActionIcon, Button, Drawer, Group, Progress, Radio, Stack, Switch, Text } from '@mantine/core';
import { IconCircleCheck, IconUpload, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { acceptedMimeTypes, fileUses, describeAcceptedKinds, type FileUseKey } from '#domain/files/filekind.ts';
import { Dropzone } from '#ui/form/Dropzone.tsx';
import { useLeave } from '#ui/form/useLeave.ts';
import { fileUseOptions, sizeLabel } from '#features/file/file.labels.ts';
import { useUploads, type Upload } from '#features/file/useUploads.ts';
import classes from './file.module.css';

/** Uploads files that the user chooses or drops, one after the other, each with its progress. */
export function UploadDrawer({ onUploaded, onClose }: { onUploaded: () => void; onClose: () => void }) {
  const [use, setUse] = useState<FileUseKey>('article');
  const [isPublic, setIsPublic] = useState(false);
  const { uploads, isBusy, add, again, drop } = useUploads(onUploaded);
  const leave = useLeave(isBusy, onClose, '还有文件没有传完，离开后不再上传，确定离开吗？');
  return (
    <Drawer opened onClose={leave} title="上传文件" size="min(520px, 100vw)">
      <Stack gap="md">
        <Radio.Group label="用途" value={use} onChange={(next) => setUse(next as FileUseKey)}>
          <Group gap="lg" mt={6}>
            {fileUseOptions().map(({ value, label }) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Group>
        </Radio.Group>
        <Switch
          label="公开：知道地址的人都能看，地址长期有效"
          checked={isPublic}
          onChange={(event) => setIsPublic(event.currentTarget.checked)}
        />
        <Dropzone
          label="选择文件"
          accept={acceptedMimeTypes(use)}
          multiple
          icon={<IconUpload size={32} stroke={1.3} aria-hidden />}
          onFiles={(files) => add(files, use, isPublic ? 1 : 0)}
        >
          <Text size="sm" c="dimmed">
            {fileUses[use].title}：{describeAcceptedKinds(use)}，可以多选
          </Text>
        </Dropzone>
        {uploads.length > 0 && (
          <ul className={classes['uploads']} aria-label="上传的文件">
            {uploads.map((upload) => (
              <UploadLine key={upload.key} upload={upload} again={() => again(upload.key)} drop={() => drop(upload.key)} />
            ))}
          </ul>
        )}
        {uploads.length > 0 && !isBusy && (
          <Group justify="flex-end">
            <Button onClick={onClose}>完成</Button>
          </Group>
        )}
      </Stack>
    </Drawer>
  );
}

const STATE_LABELS = { waiting: '等待上传', done: '已上传' } as const;

function UploadLine({
  upload: { file, state, share, error, isFinal },
  again,
  drop,
}: {
  upload: Upload;
  again: () => void;
  drop: () => void;
}) {
  const percent = Math.floor(share * 100);
  return (
    <li className={classes['upload']}>
      <div className={classes['uploadname']}>
        {state === 'done' && <IconCircleCheck size={16} color="var(--ink-brand)" aria-hidden />}
        <span className={classes['name']} title={file.name}>
          {file.name}
        </span>
        <Text component="span" size="xs" c="dimmed" style={{ flex: 'none' }}>
          {sizeLabel(file.size)}
        </Text>
        {state === 'failed' && !isFinal && (
          <Button variant="subtle" size="compact-sm" onClick={again} aria-label={`重新上传 ${file.name}`}>
            重试
          </Button>
        )}
        {state !== 'done' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`${state === 'failed' ? '移除' : '取消'} ${file.name}`}
            onClick={drop}
          >
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      {state === 'sending' && (
        <Progress.Root size="sm" mt={6}>
          {/* At 100 % the server still checks the file. */}
          <Progress.Section value={percent} animated={percent === 100} aria-label={`${file.name}的上传进度`} />
        </Progress.Root>
      )}
      <Text size="xs" mt={2} role="status" c={state === 'failed' ? 'var(--level-4-ink)' : 'dimmed'}>
        {state === 'failed'
          ? error
          : state === 'sending'
            ? percent === 100
              ? '正在检查'
              : `已上传 ${percent}%`
            : STATE_LABELS[state]}
      </Text>
    </li>
  );
}
