import { Button, Drawer, Group, Radio, Stack, Switch, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { acceptedMimeTypes, fileUses, describeAcceptedKinds, type FileUseKey } from '#domain/files/filekind.ts';
import { Dropzone } from '#ui/form/Dropzone.tsx';
import { useLeave } from '#ui/form/useLeave.ts';
import { UnfinishedUploads, useUnfinished } from '#blocks/file/upload/UnfinishedUploads.tsx';
import { UploadLine } from '#blocks/file/upload/UploadLine.tsx';
import { useUploads } from '#blocks/file/upload/useUploads.ts';
import { fileUseOptions } from '#features/file/file.labels.ts';
import classes from '#blocks/file/upload/upload.module.css';

/** Uploads files that the user chooses or drops, one after the other, each with its progress. Interrupted uploads can go on. */
export function UploadDrawer({ onUploaded, onClose }: { onUploaded: () => void; onClose: () => void }) {
  const [use, setUse] = useState<FileUseKey>('article');
  const [isPublic, setIsPublic] = useState(false);
  const { uploads, isBusy, add, goOn, again, drop } = useUploads(onUploaded);
  const unfinished = useUnfinished(uploads);
  const leave = useLeave(isBusy, onClose, '还有文件没有传完，离开后上传会停下。大于 8 MB 的文件 24 小时内可以回到这里继续。');
  return (
    <Drawer opened onClose={leave} title="上传文件" size="min(520px, 100vw)">
      <Stack gap="md">
        <UnfinishedUploads uploads={unfinished} onGoOn={goOn} />
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
            {fileUses[use].title}：{describeAcceptedKinds(use)}，可以多选。上传中断后可以继续
          </Text>
        </Dropzone>
        {uploads.length > 0 && (
          <ul className={classes['uploads']} aria-label="上传的文件">
            {uploads.map((upload) => (
              <li key={upload.key} className={classes['upload']}>
                <UploadLine upload={upload} again={() => again(upload.key)} drop={() => drop(upload.key)} />
              </li>
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
