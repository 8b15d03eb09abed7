import { ActionIcon, Button, Divider, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { locallyConfirmed, teenGuardianLabels, type ConsentTerms } from '#domain/exam/consentTerms.ts';
import { formatHours } from '#domain/exam/hotline.ts';
import type { ResponseOf } from '#contract/action.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { withLabels } from '#ui/form/FieldConflict.tsx';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getConsentSettings, saveConsentSettings, type OwnHotline } from '#features/consent/settings/settings.contract.ts';

type SettingsOf = ResponseOf<typeof getConsentSettings>;
type TextTerm = Exclude<keyof ConsentTerms, 'teenguardian'>;
const termLabels: readonly (readonly [TextTerm, string, string])[] = [
  ['contactname', '联系人', '受测者有疑问时找谁'],
  ['contactphone', '联系电话', ''],
  ['channel', '查询、更正与投诉渠道', '不填时写联系人'],
  ['answersterm', '回答保存期限', ''],
  ['casesterm', '安全个案保存期限', ''],
  ['leader', '危险时告知的负责人', ''],
  ['authority', '主管部门', ''],
  ['recipient', '接收方', '把信息提供给其他机构自用时填写；受测者会单独勾选'],
];
const teenOptions = (['none', 'inform', 'agree'] as const).map((value) => ({ value, label: teenGuardianLabels[value] }));

/** The terms of the consent text and the institution's own hotlines, with the text that results. */
export function ConsentSettings({ musercode }: { musercode: string }) {
  const read = useActionQuery(getConsentSettings, { musercode });
  return (
    <Loaded read={read} skeleton={<Skeletons.Form count={4} />}>
      {(settings) => <SettingsForm key={settings.textversion} musercode={musercode} settings={settings} />}
    </Loaded>
  );
}

function SettingsForm({ musercode, settings }: { musercode: string; settings: SettingsOf }) {
  const form = useActionForm(saveConsentSettings, {
    initial: {
      musercode,
      version: settings.version,
      terms: settings.terms,
      hotlines: settings.hotlines.map(({ number, name, hours }) => ({ number, name, hours })),
    },
    invalidates: [getConsentSettings],
    successMessage: '已保存；同意书内容有变化时，受测者会再次阅读并同意',
  });
  const terms = form.values.terms as ConsentTerms;
  const lines = form.values.hotlines as OwnHotline[];
  const setTerm = (key: keyof ConsentTerms, value: string) => form.set('terms', { ...terms, [key]: value });
  const setLines = (next: OwnHotline[]) => form.set('hotlines', next);
  const changeLine = (index: number, part: Partial<OwnHotline>) =>
    setLines(lines.map((line, position) => (position === index ? { ...line, ...part } : line)));
  const at = (path: string) => ({ error: form.error(path), 'data-path': path });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <ConflictNotice form={form} />
        <Divider label="知情同意" labelPosition="left" />
        {termLabels.map(([key, label, hint]) => (
          <TextInput
            key={key}
            label={label}
            description={locallyConfirmed.has(key) ? '需按当地规定确认' : hint}
            placeholder={settings.defaults[key]}
            maxLength={60}
            value={terms[key]}
            {...at(`terms.${key}`)}
            onChange={(event) => setTerm(key, event.currentTarget.value)}
          />
        ))}
        <Select
          label="14–17 岁的监护人"
          description="未满 14 岁或年龄不明的学生必须由监护人同意"
          allowDeselect={false}
          data={teenOptions}
          value={terms.teenguardian}
          error={withLabels(form.error('terms.teenguardian'), teenOptions)}
          data-path="terms.teenguardian"
          onChange={(value) => setTerm('teenguardian', value ?? 'inform')}
        />
        <Divider label="求助热线" labelPosition="left" />
        <Text size="sm" c="dimmed">
          保存即表示今天核对过号码和时间。超过 180 天没有核对的，只显示“时间以当地公布为准”。
        </Text>
        {form.error('hotlines') && (
          <Text component="div" size="xs" c="red" data-path="hotlines" tabIndex={-1}>
            {form.error('hotlines')}
          </Text>
        )}
        {lines.map((line, index) => (
          <Group key={index} align="flex-end" wrap="nowrap" gap="xs" role="group" aria-label={`热线 ${index + 1}`}>
            <TextInput
              label="名称"
              flex={1}
              maxLength={20}
              value={line.name}
              {...at(`hotlines.${index}.name`)}
              onChange={(event) => changeLine(index, { name: event.currentTarget.value })}
            />
            <TextInput
              label="号码"
              w={130}
              maxLength={20}
              value={line.number}
              {...at(`hotlines.${index}.number`)}
              onChange={(event) => changeLine(index, { number: event.currentTarget.value })}
            />
            <TextInput
              label="服务时间"
              w={120}
              placeholder="08:30-17:00"
              maxLength={11}
              value={line.hours}
              {...at(`hotlines.${index}.hours`)}
              onChange={(event) => changeLine(index, { hours: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mb={6}
              aria-label={`删除热线 ${index + 1}`}
              onClick={() => setLines(lines.filter((_, position) => position !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        {lines.length < 6 && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setLines([...lines, { number: '', name: '', hours: '' }])}
          >
            添加本单位热线
          </Button>
        )}
        <Stack gap={2}>
          {settings.shared.map((line) => (
            <Text key={`${line.number} ${line.name}`} size="xs" c="dimmed">
              {line.number} {line.name} · {formatHours(line, new Date())}（{line.source}，{line.checkedon} 核对）
            </Text>
          ))}
        </Stack>
        <Divider label={`同意书全文（版本 ${settings.textversion}）`} labelPosition="left" />
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {settings.text}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={form.busy}>
            保存同意书与热线
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
