import { Chip, Group, Input, Select, TextInput } from '@mantine/core';
import { Appid } from '#domain/base/enums.ts';
import { NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { getExamStageList, insertExamStage, updateExamStage, type AutoRule, type StageRow } from '#features/app/app.contract.ts';

interface Category {
  categoryid: string;
  categoryname: string;
}
const kinds = [
  { value: 'gestation', label: '按孕期天数' },
  { value: 'afterdelivery', label: '按产后天数' },
  { value: 'months', label: '按月份' },
] as const;

/** Returns the Chinese text that says when the server proposes a stage. */
export function formatRule(rule: AutoRule | null): string {
  if (!rule) return '人工选择';
  if (rule.kind === 'months') return `${rule.months.join('、')} 月自动`;
  return `${rule.kind === 'gestation' ? '孕' : '产后'} ${rule.from}–${rule.to} 天自动`;
}

/** The form of a new stage or of a stage that the institution made. */
export function StageDrawer({
  row,
  appid,
  categories,
  onClose,
}: {
  row: StageRow | 'new';
  appid: string;
  categories: readonly Category[];
  onClose: () => void;
}) {
  return row === 'new' ? (
    <NewStage appid={appid} categories={categories} onClose={onClose} />
  ) : (
    <EditStage row={row} categories={categories} onClose={onClose} />
  );
}

const categoryOptions = (categories: readonly Category[]) =>
  categories.map((category) => ({ value: category.categoryid, label: category.categoryname }));

function NewStage({ appid, categories, onClose }: { appid: string; categories: readonly Category[]; onClose: () => void }) {
  const form = useActionForm(insertExamStage, {
    initial: { appid, ordernum: 10 },
    invalidates: [getExamStageList],
    onDone: onClose,
  });
  return (
    <FormDrawer title={`新增阶段：${Appid.label(appid)}`} onClose={onClose} form={form}>
      <TextInput {...form.field('stagename')} data-autofocus />
      <TextInput {...form.field('stagecode')} placeholder="例如 XS05" />
      <SelectField {...form.field('categoryid')} options={categoryOptions(categories)} placeholder="全部类别" />
      <NumberField {...form.field('ordernum')} min={0} max={999} />
      <RuleField form={form} appid={appid} />
    </FormDrawer>
  );
}

function EditStage({ row, categories, onClose }: { row: StageRow; categories: readonly Category[]; onClose: () => void }) {
  const { stageid, version, stagename, categoryid, ordernum, autorule } = row;
  const form = useActionForm(updateExamStage, {
    initial: { stageid, version, stagename, categoryid, ordernum, autorule },
    invalidates: [getExamStageList],
    onDone: onClose,
  });
  return (
    <FormDrawer title={`修改阶段：${stagename}`} onClose={onClose} form={form}>
      <TextInput {...form.field('stagename')} required />
      <SelectField {...form.field('categoryid')} options={categoryOptions(categories)} placeholder="全部类别" />
      <NumberField {...form.field('ordernum')} min={0} max={999} />
      <RuleField form={form} appid={row.appid} />
    </FormDrawer>
  );
}

function RuleField({
  form,
  appid,
}: {
  form: ActionForm<typeof insertExamStage> | ActionForm<typeof updateExamStage>;
  appid: string;
}) {
  const rule = (form.values.autorule ?? null) as AutoRule | null;
  const setRule = (next: object | null) => form.set('autorule', next);
  const changeKind = (kind: string | null) =>
    setRule(kind === null ? null : kind === 'months' ? { kind, months: [9] } : { kind: kind as 'gestation', from: 0, to: 97 });
  const dayInput = (key: 'from' | 'to', label: string) =>
    rule && rule.kind !== 'months' ? (
      <NumberField
        label={label}
        min={0}
        max={400}
        suffix=" 天"
        value={rule[key]}
        error={form.error(`autorule.${key}`)}
        data-path={`autorule.${key}`}
        onChange={((next: number | undefined) => setRule({ ...rule, [key]: next })) as never}
      />
    ) : null;
  return (
    <>
      <Select
        label="自动阶段"
        description="系统按此规则为受测者推荐阶段"
        placeholder="人工选择"
        clearable
        data-path="autorule"
        error={form.error('autorule')}
        data={kinds.filter(({ value }) => appid === Appid.maternity || value === 'months')}
        value={rule?.kind ?? null}
        onChange={changeKind}
      />
      <Group grow>
        {dayInput('from', '从')}
        {dayInput('to', '到')}
      </Group>
      {rule?.kind === 'months' && (
        <Input.Wrapper label="月份">
          <Chip.Group
            multiple
            value={rule.months.map(String)}
            onChange={(next: string[]) =>
              next.length > 0 && setRule({ kind: 'months', months: next.map(Number).sort((a, b) => a - b) })
            }
          >
            <Group gap={6} mt={4}>
              {Array.from({ length: 12 }, (_, index) => (
                <Chip key={index} size="xs" value={String(index + 1)}>
                  {index + 1} 月
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
    </>
  );
}
