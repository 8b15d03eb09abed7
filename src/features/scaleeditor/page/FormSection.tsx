import { Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Appid, FormPurpose } from '#domain/base/enums.ts';
import { purposeOf } from '#domain/consult/consult.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { Section } from '#ui/display/Section.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { listOrNothing, put } from '#features/scaleeditor/page/edits/put.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';

const numberOrNothing = (value: string | number): number | undefined => (typeof value === 'number' ? value : undefined);

/** 基本信息: name, instruction, populations. */
export function FormSection() {
  const { scale, change } = useEditor();
  const set = (changes: { [K in keyof Scale]?: Scale[K] | undefined }) =>
    change((before) => put(before, changes), `form ${Object.keys(changes).join()}`);
  const isScale = scale.formtype === '01' || scale.formtype === '04';
  return (
    <Section title="基本信息">
      <Stack gap="md">
        <TextInput
          label="量表名称"
          required
          maxLength={50}
          value={scale.title}
          data-place="form:::title"
          onChange={(event) => set({ title: event.currentTarget.value })}
        />
        <Textarea
          label="指导语"
          description="受测者作答前看到的一段话"
          placeholder="例如：请根据最近两周的实际感受作答，答案没有对错之分。"
          autosize
          minRows={2}
          maxLength={1000}
          value={scale.instruction ?? ''}
          data-place="form:::instruction"
          onChange={(event) => set({ instruction: event.currentTarget.value || undefined })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {isScale && (
            <TextInput
              label="时间范围"
              placeholder="例如：过去两周"
              maxLength={40}
              value={scale.recall ?? ''}
              data-place="form:::recall"
              onChange={(event) => set({ recall: event.currentTarget.value || undefined })}
            />
          )}
          <NumberInput
            label="作答时长"
            suffix=" 分钟"
            min={1}
            max={120}
            allowDecimal={false}
            value={scale.minutes ?? ''}
            data-place="form:::minutes"
            onChange={(value) => set({ minutes: numberOrNothing(value) })}
          />
          <NumberInput
            label="最小年龄"
            suffix=" 岁"
            min={0}
            max={120}
            allowDecimal={false}
            value={scale.agemin ?? ''}
            data-place="form:::agemin"
            onChange={(value) => set({ agemin: numberOrNothing(value) })}
          />
          <NumberInput
            label="最大年龄"
            suffix=" 岁"
            min={0}
            max={120}
            allowDecimal={false}
            value={scale.agemax ?? ''}
            data-place="form:::agemax"
            onChange={(value) => set({ agemax: numberOrNothing(value) })}
          />
          <TextInput
            label="外文名称"
            maxLength={100}
            value={scale.entitle ?? ''}
            onChange={(event) => set({ entitle: event.currentTarget.value || undefined })}
          />
          {isScale && (
            <Select
              label="作答方式"
              allowDeselect={false}
              data={[
                { value: 'self', label: '受测者自己作答' },
                { value: 'staff', label: '仅由工作人员面询填写' },
              ]}
              value={scale.capturemode ?? 'self'}
              data-place="form:::capturemode"
              onChange={(value) => set({ capturemode: value === 'staff' ? 'staff' : undefined })}
            />
          )}
          {scale.formtype === '03' && (
            <Select
              label="用途"
              allowDeselect={false}
              description={purposeOf(scale) === '01' ? '可在登记表设置中启用，供受测者申请咨询' : '只由工作人员填写'}
              data={[...FormPurpose.options]}
              value={purposeOf(scale) ?? null}
              data-place="form:::purpose"
              onChange={(value) => set({ purpose: value as Scale['purpose'] })}
            />
          )}
        </SimpleGrid>
        <Populations scale={scale} onChange={(appids) => set({ appids })} />
        <FaultLines place={{ part: 'form' }} />
      </Stack>
    </Section>
  );
}

/** The populations of a form. None chosen means all; an archive form belongs to one. */
function Populations({ scale, onChange }: { scale: Scale; onChange: (appids: readonly string[] | undefined) => void }) {
  if (scale.formtype === '02')
    return (
      <Select
        label="适用人群"
        required
        description="题目取自这个人群的档案字段"
        data={Appid.options.map(({ value, label }) => ({ value, label }))}
        value={scale.appids?.[0] ?? null}
        data-place="form:::appids"
        onChange={(value) => onChange(value ? [value] : undefined)}
      />
    );
  return (
    <Checkbox.Group
      label="适用人群"
      value={[...(scale.appids ?? [])]}
      onChange={(values) => onChange(listOrNothing(values))}
      data-place="form:::appids"
    >
      <Group gap="md" mt={4}>
        {Appid.options.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        一个都不选表示适用于全部人群
      </Text>
    </Checkbox.Group>
  );
}
