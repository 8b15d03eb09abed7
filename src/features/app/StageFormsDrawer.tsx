import { Button, Drawer, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { SortableFormList } from '#blocks/questionnaire/SortableFormList.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { getExamStageForms, getExamStageList, updateExamStageForms, type StageRow } from '#features/app/app.contract.ts';
import { getFormPageList } from '#features/form/form.contract.ts';

interface StageForm {
  formcode: string;
  formname: string;
  required: number;
}

/** The questionnaires of a stage, in the order in which the respondent answers them. */
export function StageFormsDrawer({ row, onClose }: { row: StageRow; onClose: () => void }) {
  const read = useActionQuery(getExamStageForms, { stageid: row.stageid });
  const [changed, setChanged] = useState(false);
  const leave = useLeave(changed, onClose);
  return (
    <Drawer opened onClose={leave} title={`阶段量表：${row.stagename}`} size="min(520px, 100vw)">
      <Text size="sm" c="dimmed" mb="md">
        {row.own ? '新建方案时按此顺序带出。' : '这是平台阶段。在此修改只影响本机构，平台的设置不变。'}
      </Text>
      <Loaded read={read.isFetchedAfterMount ? read : { ...read, data: undefined }} skeleton={<Skeletons.Lines />}>
        {(forms) => (
          <StageForms row={row} initialForms={forms} onClose={onClose} onLeave={leave} onChange={() => setChanged(true)} />
        )}
      </Loaded>
    </Drawer>
  );
}

function StageForms({
  row,
  initialForms,
  onClose,
  onLeave,
  onChange,
}: {
  row: StageRow;
  initialForms: readonly StageForm[];
  onClose: () => void;
  onLeave: () => void;
  onChange: () => void;
}) {
  const [lines, setLines] = useState<readonly StageForm[]>(initialForms);
  const changeLines = (next: readonly StageForm[]) => {
    setLines(next);
    onChange();
  };
  const all = useActionQuery(getFormPageList, { appid: row.appid, page: 1, pageSize: 200 });
  const save = useActionMutation(updateExamStageForms, {
    invalidates: [getExamStageForms, getExamStageList],
    successMessage: '保存成功',
    onDone: onClose,
    onAdopt: onClose,
  });
  const available = (all.data?.rows ?? []).filter(
    (form) => form.formtype === '01' && form.enabled && !lines.some((line) => line.formcode === form.formcode),
  );
  return (
    <Stack gap="sm">
      <Select
        label="加入量表"
        searchable
        value={null}
        placeholder={all.isPending ? '正在加载…' : '请选择'}
        data={available.map((form) => ({ value: form.formcode, label: form.formname }))}
        onChange={(code) => {
          const form = available.find((candidate) => candidate.formcode === code);
          if (form) changeLines([...lines, { formcode: form.formcode, formname: form.formname, required: 1 }]);
        }}
      />
      {lines.length === 0 && <EmptyState title="还没有量表" hint="选择量表后按作答顺序排列" />}
      <SortableFormList lines={lines} onChange={changeLines} nameOf={(line) => line.formname} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onLeave}>
          取消
        </Button>
        <Button
          loading={save.isPending}
          onClick={() =>
            save.mutate({
              stageid: row.stageid,
              version: row.formsversion,
              forms: lines.map(({ formcode, required }, index) => ({ formcode, required, ordernum: index + 1 })),
            })
          }
        >
          保存
        </Button>
      </Group>
    </Stack>
  );
}
