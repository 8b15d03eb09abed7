import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { FormType } from '#domain/base/enums.ts';
import { itemsText } from '#domain/scoring/scoringText.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { xlsxMime } from '#contract/file.ts';
import { save } from '#ui/api/transfer.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import type { ImportFault, ReadForm } from '#features/scaleexchange/scaleexchange.contract.ts';
import classes from './scaleexchange.module.css';

interface Props {
  read: ReadForm;
  isBusy: boolean;
  hasDraft: boolean;
  isWording: boolean;
  onBack: () => void;
  onTake: (title: string) => void;
}

/** Where a finding is: sheet, row and column, or the line of the text. */
const placeText = ({ sheet, row, column }: ImportFault, source: ReadForm['source']): string => {
  if (source === 'text') return row > 0 ? `第 ${row} 行` : '';
  const parts = [sheet && `“${sheet}”表`, row > 0 ? `第 ${row} 行` : '', column && `“${column}”`];
  return parts.filter(Boolean).join(' ');
};

const saveFaults = (content: string) =>
  save(new Blob([Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))], { type: xlsxMime }), '量表_错误说明.xlsx');

function Faults({ read }: { read: ReadForm }) {
  const { faults, faultfile, source } = read;
  const errors = faults.filter(({ kind }) => kind === 'error').length;
  if (faults.length === 0) return null;
  return (
    <Alert
      color={errors > 0 ? 'red' : 'orange'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={errors > 0 ? `有 ${errors} 处需要改正，改正后再导入` : `有 ${faults.length} 处请核对`}
      styles={{ title: { color: 'var(--ink)' } }}
    >
      <ul className={classes['faults']} aria-label="需要核对的地方">
        {faults.map((fault, index) => (
          <li key={index}>
            <strong>{placeText(fault, source)}</strong> {fault.message}
          </li>
        ))}
      </ul>
      {faultfile && (
        <Button
          mt="sm"
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => saveFaults(faultfile)}
        >
          下载标出问题的表格
        </Button>
      )}
    </Alert>
  );
}

const USE_TONES: Readonly<Record<string, Tone>> = { 题目: 'green', 未导入: 'amber', 反向: 'lime' };

/** The pasted lines, each with the way it was taken. */
const SourceLines = ({ lines }: Pick<ReadForm, 'lines'>) => (
  <section className={classes['pane']} aria-label="原文">
    <h3 className={classes['head']}>原文</h3>
    <ol className={classes['lines']} tabIndex={0}>
      {lines.map(({ line, use, text }, index) => (
        <li key={index}>
          <span className={classes['number']}>{line}</span>
          <span className={classes['text']}>{text}</span>
          <Badge tone={USE_TONES[use] ?? 'gray'}>{use}</Badge>
        </li>
      ))}
    </ol>
  </section>
);

const optionsText = (scale: Scale, set: string | undefined): string =>
  (scale.optionsets[set ?? ''] ?? []).map(([, label, points]) => (points === null ? label : `${label} ${points}`)).join(' · ');

/** The questions and scores that were understood. */
function Understood({ scale }: { scale: Scale }) {
  const facts = [
    FormType.label(scale.formtype),
    `${scale.items.length} 题`,
    scale.scores.length > 0 ? `得分：${scale.scores.map(({ n }) => n).join('、')}` : '不计分',
    scale.reverse?.length ? `反向计分：${itemsText(scale, scale.reverse)}` : '',
    scale.alerts?.length ? `预警 ${scale.alerts.length} 条` : '',
  ];
  return (
    <section className={classes['pane']} aria-label="识别结果">
      <h3 className={classes['head']}>识别结果</h3>
      <Text size="sm" c="dimmed" mb="xs">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      <ol className={classes['items']} tabIndex={0}>
        {scale.items.map((item, index) => (
          <li key={index}>
            {item.head && <strong className={classes['section']}>{item.head}</strong>}
            <span>{item.t || '（没有题干）'}</span>
            <span className={classes['options']}>
              {item.type === 0 ? '填空' : `${item.type === 2 ? '多选：' : ''}${optionsText(scale, item.o) || '没有选项'}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Second step: what was understood beside the source, what to look at, and the name of the form. */
export function ImportResult({ read, isBusy, hasDraft, isWording, onBack, onTake }: Props) {
  const { definition, lines } = read;
  const [title, setTitle] = useState(definition?.title ?? '');
  const isNamed = title.trim().length >= 2;
  return (
    <Stack gap="md">
      <Faults read={read} />
      {definition && !isWording && (
        <TextInput
          label="量表名称"
          withAsterisk
          maxLength={50}
          value={title}
          error={isNamed ? undefined : '请填写量表名称'}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      )}
      <div className={classes['panes']}>
        {lines.length > 0 && <SourceLines lines={lines} />}
        {definition && <Understood scale={definition} />}
      </div>
      {hasDraft && definition && (
        <Text size="sm" c="dimmed">
          替换后，草稿变为这里的内容；在编辑页可以撤销。
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          返回修改
        </Button>
        {definition && !isWording && (
          <Button loading={isBusy} disabled={!isNamed} onClick={() => onTake(title.trim())}>
            {hasDraft ? '替换草稿' : '新建量表'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
