import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Can } from '#ui/api/Can.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { voidExam } from '#features/staffexam/void.contract.ts';

interface Props {
  examcode: string;
  /** the name of the person, as the caller reads it */
  who: string;
  onDone?: () => void;
}

/** 作废答卷, for staff who may. The drawer says what follows and asks for the reason. */
export function VoidSheetButton({ isInList = false, ...sheet }: Props & { isInList?: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Can call={voidExam}>
      <Button
        color="red"
        variant="subtle"
        size="compact-sm"
        // A rare step: it stands below the usual ones and takes no line of its own.
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setIsOpen(true)}
      >
        {isInList ? '作废' : '作废答卷'}
      </Button>
      {isOpen && <VoidSheetDrawer {...sheet} onClose={() => setIsOpen(false)} />}
    </Can>
  );
}

const CONSEQUENCES = [
  '报告和得分不再显示，本人也看不到；列表、导出、趋势和统计都不再计入。',
  '使用的 1 次退回；任务进行中的，名单回到“未开始”，本人可以重新作答。',
  '已经产生的个案不会关闭，负责人会收到通知，请核实后按流程处理。',
  '作废不能撤销，原始作答和作废原因会留存备查。',
];

function VoidSheetDrawer({ examcode, who, onDone, onClose }: Props & { onClose: () => void }) {
  const form = useActionForm(voidExam, {
    initial: { examcode },
    successMessage: '',
    onDone: ({ returned, canretest, opencases }) => {
      const facts = [
        returned === 1 && (canretest === 1 ? '次数已退回，可以重新作答' : '次数已退回'),
        opencases > 0 && '相关个案仍在进行，已通知负责人',
      ].filter((text) => text !== false);
      notify.done(['答卷已作废', ...facts].join('；'));
      onClose();
      onDone?.();
    },
  });
  return (
    <FormDrawer title={`作废答卷 · ${who}`} onClose={onClose} form={form} save="确认作废" isDanger>
      <Alert color="orange" title="是否确认作废这份答卷？" style={{ flex: 'none' }} styles={{ title: { color: 'var(--ink)' } }}>
        <Stack gap={4}>
          {CONSEQUENCES.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Stack>
      </Alert>
      <LongTextField {...form.field('reason')} maxLength={200} data-autofocus />
    </FormDrawer>
  );
}
