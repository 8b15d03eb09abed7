import { Button, Group, Input, Menu, SimpleGrid, Stack, Switch, Text, TextInput, Textarea } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { Gender } from '#domain/base/enums.ts';
import { textFaults, textLimit } from '#domain/report/commentary/checkText.ts';
import type { CommentaryCond } from '#domain/report/commentary/commentary.ts';
import type { Audience } from '#domain/report/forbiddenWording.ts';
import { placeholdersIn } from '#domain/report/commentary/placeholders.ts';
import type { RequestOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { MoreFields } from '#ui/form/MoreFields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { NumberField, SelectField, SwitchField, type Field } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getQuotaList } from '#features/form/form.contract.ts';
import {
  getCommentCoverage,
  getCommentPageList,
  getCommentPlaceholders,
  insertComment,
  updateComment,
  type CommentRow,
} from '#features/comments/comments.contract.ts';
import { CondBuilder } from '#features/comments/texts/CondBuilder.tsx';
import {
  appOptions,
  audienceOptions,
  levelOptions,
  ownerLabel,
  sectionOptions,
  tierOptions,
} from '#features/comments/texts/words.ts';
import classes from './texts.module.css';

/** What a new paragraph begins with. */
export type NewText = Partial<RequestOf<typeof insertComment>>;

interface Props {
  onClose: () => void;
}
const invalidates = [getCommentPageList, getCommentCoverage];

/** The form of a new paragraph, of an own one, or of one from above, which becomes an own copy. */
export const TextDrawer = ({ row, start, onClose }: Props & { row?: CommentRow | undefined; start?: NewText | undefined }) =>
  row ? <EditText row={row} onClose={onClose} /> : <AddText start={start ?? {}} onClose={onClose} />;

function AddText({ start, onClose }: Props & { start: NewText }) {
  const form = useActionForm(insertComment, {
    initial: { section: 'form', audience: 'self', priority: 0, enabled: 1, ...start },
    invalidates,
    onDone: onClose,
    successMessage: '新增成功',
  });
  return (
    <FormDrawer title="新增段落" onClose={onClose} form={form} width={720}>
      <Fields form={form as unknown as FormOf} />
    </FormDrawer>
  );
}

function EditText({ row, onClose }: Props & { row: CommentRow }) {
  const { commentid, version, section, audience, appid, formcode, quotacode, level, agemin, agemax, priority, cond, template } =
    row;
  const form = useActionForm(updateComment, {
    initial: {
      ...{ commentid, version, section, audience, appid, formcode, quotacode, level, agemin, agemax, priority, cond, template },
      gender: row.gender as '01' | '02' | null,
      reader: row.reader as 'child' | null,
      ...{ tier: row.tier, excl: row.excl, enabled: row.enabled },
    },
    invalidates,
    onDone: onClose,
  });
  const isOwn = row.owner === 'own';
  return (
    <FormDrawer
      title={isOwn ? `修改段落 ${commentid}` : `修改${ownerLabel(row.owner)}的段落`}
      onClose={onClose}
      form={form}
      width={720}
    >
      <Text size="sm" c="dimmed">
        {isOwn
          ? '改动用于保存之后提交的测评；以前的报告保持当时的文字。'
          : '保存后成为本机构的一段，代替上面的文字，只用于本机构及下级；删除后恢复使用上面的文字。'}
      </Text>
      <Fields form={form as unknown as FormOf} />
    </FormDrawer>
  );
}

interface FormOf {
  field: (name: keyof RequestOf<typeof insertComment>) => Field;
  values: NewText;
  set: (name: string, value: unknown) => void;
  error: (name: string) => ReactNode;
}

function Fields({ form }: { form: FormOf }) {
  const { field, values, set } = form;
  const quotas = useActionQuery(getQuotaList, {}, { quiet: true });
  const scores = (quotas.data ?? []).map((row) => ({ value: row.quotacode, label: `${row.formname} · ${row.quotaname}` }));
  const forms = [
    ...new Map((quotas.data ?? []).map((row) => [row.formcode, { value: row.formcode, label: row.formname }])).values(),
  ];
  const section = values.section ?? 'form';
  const ofForm = values.formcode ? scores.filter(({ value }) => value.startsWith(`${values.formcode}.`)) : scores;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <SelectField
          {...field('section')}
          options={sectionOptions.filter(({ value }) => (value === 'group') === (section === 'group'))}
          clearable={false}
        />
        <SelectField
          {...field('audience')}
          options={audienceOptions.filter(({ value }) => (value === 'group') === (section === 'group'))}
          clearable={false}
        />
        {section !== 'group' && <SelectField {...field('formcode')} options={forms} clearable placeholder="不限" />}
        {section !== 'group' && <SelectField {...field('quotacode')} options={ofForm} clearable placeholder="不限" />}
        {section !== 'group' && <SelectField {...field('level')} options={levelOptions} clearable placeholder="不限" />}
        <SelectField {...field('appid')} options={appOptions} clearable placeholder="不限" />
      </SimpleGrid>
      <TextInputWithCheck form={form} />
      <MoreFields title="更多条件">
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
            <SelectField {...field('gender')} options={Gender.options} clearable placeholder="不限" />
            <NumberField {...field('agemin')} min={0} max={120} suffix=" 岁" />
            <NumberField {...field('agemax')} min={0} max={120} suffix=" 岁" />
            <NumberField {...field('priority')} min={-100} max={100} />
            {section === 'suggestion' && <SelectField {...field('tier')} options={tierOptions} clearable />}
            <TextInput {...(field('excl') as object)} maxLength={20} description="同组只用一段" />
          </SimpleGrid>
          {values.audience === 'self' && (
            <Switch
              label="只用于小学生版（每句不超过 20 个字）"
              checked={values.reader === 'child'}
              onChange={(event) => set('reader', event.currentTarget.checked ? 'child' : null)}
            />
          )}
          <CondBuilder
            value={values.cond as CommentaryCond | null | undefined}
            onChange={(cond) => set('cond', cond)}
            error={form.error('cond')}
            scores={scores}
          />
        </Stack>
      </MoreFields>
      <SwitchField {...field('enabled')} words="用于以后的报告" />
    </>
  );
}

/** The text with its placeholders, the check while typing, and how the reader sees it. */
function TextInputWithCheck({ form }: { form: FormOf }) {
  const { values, field, set } = form;
  const input = useRef<HTMLTextAreaElement>(null);
  const template = values.template ?? '';
  const audience = (values.audience ?? 'self') as Audience;
  const section = values.section ?? 'form';
  const formcode = values.formcode ?? values.quotacode?.split('.')[0];
  const { data: placeholders = [] } = useActionQuery(
    getCommentPlaceholders,
    { section, audience, ...(formcode ? { formcode } : {}) },
    { quiet: true, keepPrevious: true },
  );
  const names = new Set(placeholders.map(({ name }) => name));
  // The server knows placeholders of other questionnaires too: only it refuses them.
  const others = placeholdersIn(template).filter((name) => !names.has(name) && !name.startsWith('form.') && name.includes('.'));
  const faults = template ? textFaults({ template, audience, reader: values.reader }, new Set([...names, ...others])) : [];
  const examples = new Map(placeholders.map(({ name, example }) => [name, example]));
  const filled = template.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (whole, name: string) => examples.get(name) ?? whole);
  const insert = (name: string) => {
    const at = input.current?.selectionStart ?? template.length;
    set('template', `${template.slice(0, at)}{{${name}}}${template.slice(input.current?.selectionEnd ?? at)}`);
    input.current?.focus();
  };
  const { error, ...rest } = field('template');
  return (
    <Stack gap="xs">
      <Textarea
        {...(rest as object)}
        ref={input}
        label="文字"
        required
        autosize
        minRows={4}
        maxRows={14}
        maxLength={textLimit}
        error={error ?? (faults.length > 0 ? faults.join('；') : undefined)}
        description={`${template.length} / ${textLimit}，换行分段，每段不超过 150 个字`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      {placeholders.length > 0 && (
        <Group gap="xs">
          <Menu position="bottom-start" shadow="md">
            <Menu.Target>
              <Button variant="default" size="compact-sm" leftSection={<IconBraces size={14} aria-hidden />}>
                插入占位符
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
              {placeholders.map(({ name, title }) => (
                <Menu.Item key={name} onClick={() => insert(name)}>
                  {title}
                  <Text span size="xs" c="dimmed">{` {{${name}}}`}</Text>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Text size="sm" c="dimmed">
            报告里没有对应内容时，不用这一段。
          </Text>
        </Group>
      )}
      {template && (
        <Input.Wrapper label={audience === 'self' ? '预览：成人读到 / 学生读到' : '预览'}>
          <SimpleGrid cols={{ base: 1, xs: audience === 'self' ? 2 : 1 }} spacing="xs" mt={4}>
            <div className={classes['preview']}>{filled}</div>
            {audience === 'self' && <div className={classes['preview']}>{filled.replaceAll('您', '你')}</div>}
          </SimpleGrid>
        </Input.Wrapper>
      )}
    </Stack>
  );
}
