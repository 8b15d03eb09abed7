import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { Dropzone } from '#ui/form/Dropzone.tsx';
import { exportForm } from '#features/scaleexchange/scaleexchange.contract.ts';

/** Where the questions come from. The text stays when the author goes back. */
export interface Source {
  kind: 'file' | 'text';
  text: string;
}
interface Props {
  source: Source;
  setSource: (source: Source) => void;
  isBusy: boolean;
  isWording: boolean;
  onCancel: () => void;
  onCheck: (file?: File) => void;
}

const MB = 1024 * 1024;
const PLACEHOLDER = `学习压力小问卷
选项：从不=0；偶尔=1；经常=2
1. 作业太多，做不完
2. 考试前睡不好
3. 我喜欢上学（反向）`;

/** First step: a file, or text from Word, PDF or a web page. */
export function ImportSource({ source, setSource, isBusy, isWording, onCancel, onCheck }: Props) {
  const take = (file: File | undefined) => {
    if (!file) return;
    // The server refuses it too; this spares the upload.
    if (file.size > 5 * MB) return notify.warn('量表文件不能超过 5 MB');
    onCheck(file);
  };
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="来源"
        value={source.kind}
        onChange={(kind) => setSource({ ...source, kind: kind as Source['kind'] })}
        data={[
          { value: 'file', label: '上传文件' },
          { value: 'text', label: '粘贴文字' },
        ]}
      />
      {isWording && (
        <Text size="sm" c="dimmed">
          只保存题干和选项文字，计分规则不变；题数和题号须与量表一致。请先上传授权证明。
        </Text>
      )}
      {source.kind === 'file' ? (
        <>
          <Dropzone
            label="选择量表文件"
            accept=".xlsx,.csv,.json,.txt"
            busy={isBusy}
            icon={<IconFileSpreadsheet size={34} stroke={1.3} aria-hidden />}
            onFiles={([file]) => take(file)}
          >
            <Text size="sm" c="dimmed">
              支持 Excel（.xlsx）、从本系统导出的数据文件（.json）和文本（.txt），5 MB 以内，最多 500 题
            </Text>
          </Dropzone>
          <Group justify="space-between">
            <ExportButton action={exportForm} request={{}} title="量表模板.xlsx">
              下载 Excel 模板
            </ExportButton>
            <Button variant="default" onClick={onCancel}>
              取消
            </Button>
          </Group>
        </>
      ) : (
        <>
          <Textarea
            label="题目文字"
            description="从 Word、PDF 或网页复制即可：每题一行、以题号开头；选项写在题目下面，或在最前面写一行共用的选项"
            placeholder={PLACEHOLDER}
            autosize
            minRows={10}
            maxRows={20}
            maxLength={200_000}
            value={source.text}
            onChange={(event) => setSource({ ...source, text: event.currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              取消
            </Button>
            <Button loading={isBusy} disabled={source.text.trim() === ''} onClick={() => onCheck()}>
              识别题目
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
