import { ActionIcon, Button, Progress, Text } from '@mantine/core';
import { IconCircleCheck, IconX } from '@tabler/icons-react';
import { progressLabel, sizeLabel } from '#blocks/file/upload/upload.labels.ts';
import type { Upload } from '#blocks/file/upload/useUploads.ts';
import classes from './upload.module.css';

/** Returns the state of an upload in words; '' while its figures change. */
function stateLabel({ state, file, sent, error }: Upload): string {
  switch (state) {
    case 'waiting':
      return '等待上传';
    case 'paused':
      return '连接已断开，恢复后自动继续';
    case 'failed':
      return error ?? '';
    case 'done':
      return '已上传';
    default:
      // At 100 % the server still checks the file.
      return sent >= file.size ? '正在检查' : '';
  }
}

/** Shows one upload: its file, its state in words, its progress, and the buttons for it. */
export function UploadLine({ upload, again, drop }: { upload: Upload; again: () => void; drop: () => void }) {
  const { file, state, sent, speed, isFinal } = upload;
  const isChecked = state === 'sending' && sent >= file.size;
  const isPart = state !== 'done' && !isFinal && sent > 0;
  const share = (sent / file.size) * 100;
  return (
    <>
      <div className={classes['line']}>
        {state === 'done' && <IconCircleCheck size={16} color="var(--ink-brand)" aria-hidden />}
        <span className={classes['name']} title={file.name}>
          {file.name}
        </span>
        <span className={classes['size']}>{sizeLabel(file.size)}</span>
        {state === 'failed' && !isFinal && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={again}
            aria-label={sent > 0 && upload.uploadid ? `继续上传 ${file.name}` : `重新上传 ${file.name}`}
          >
            {sent > 0 && upload.uploadid ? '继续' : '重试'}
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
      {(state === 'sending' || isPart) && (
        <Progress.Root size="sm" mt={6}>
          <Progress.Section
            value={share}
            color={state === 'sending' ? 'brand' : 'gray'}
            animated={isChecked}
            aria-label={`${file.name}的上传进度`}
          />
        </Progress.Root>
      )}
      {(state === 'sending' || isPart) && !isChecked && (
        <Text size="xs" mt={2} c="dimmed" className={classes['figures'] ?? ''}>
          {progressLabel(sent, file.size, speed)}
        </Text>
      )}
      <Text size="xs" mt={2} role="status" c={state === 'failed' ? 'var(--level-4-ink)' : 'dimmed'}>
        {stateLabel(upload)}
      </Text>
    </>
  );
}
