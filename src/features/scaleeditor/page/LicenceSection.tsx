import { Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { Scale } from '#domain/scoring/scale.ts';
import { Section } from '#ui/display/Section.tsx';
import { useEditor } from '#features/scaleeditor/page/editorContext.ts';
import { put } from '#features/scaleeditor/page/edits/put.ts';
import { FaultLines } from '#features/scaleeditor/page/FaultLines.tsx';

const tiers: readonly { tier: Scale['tier']; name: string; text: string }[] = [
  { tier: 'S', name: '自编', text: '题目由本机构编写。未经标准化的结果不作诊断依据。' },
  { tier: 'A', name: '公有领域', text: '权利人声明可以自由使用。请写明出处。' },
  { tier: 'B', name: '附条件使用', text: '免费但有条件，须由机构管理员确认接受；不得单独收费。' },
  { tier: 'C', name: '已获授权', text: '题目受版权保护。发布后在量表详情上传授权证明并填写有效期。' },
];

/** 授权: where the wording comes from, and what the form and its reports print about it. */
export function LicenceSection() {
  const { scale, change } = useEditor();
  const set = (changes: { [K in keyof Scale]?: Scale[K] | undefined }) =>
    change((before) => put(before, changes), `licence ${Object.keys(changes).join()}`);
  return (
    <Section title="授权">
      <Stack gap="md">
        <Radio.Group
          label="题目的来源"
          value={scale.tier}
          onChange={(tier) => set({ tier: tier as Scale['tier'] })}
          data-place="licence:::tier"
        >
          <Stack gap="sm" mt={6}>
            {tiers.map(({ tier, name, text }) => (
              <Radio key={tier} value={tier} label={name} description={text} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label="出处"
          required={scale.tier === 'A'}
          description="印在报告末尾。只写核对过的文献"
          autosize
          minRows={2}
          maxLength={500}
          value={scale.citation ?? ''}
          data-place="licence:::citation"
          onChange={(event) => set({ citation: event.currentTarget.value || undefined })}
        />
        <TextInput
          label="版权说明"
          description="印在问卷和报告下方"
          maxLength={300}
          value={scale.licencetext ?? ''}
          data-place="licence:::licencetext"
          onChange={(event) => set({ licencetext: event.currentTarget.value || undefined })}
        />
        {scale.tier === 'S' && (
          <Text size="sm" c="dimmed">
            自编量表的报告会注明“自编，未经标准化，不作诊断依据”。
          </Text>
        )}
        <FaultLines place={{ part: 'licence' }} />
      </Stack>
    </Section>
  );
}
