import {
  ActionIcon,
  Anchor,
  Button,
  Divider,
  Drawer,
  Group,
  MultiSelect,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { archiveFieldsOf, type ArchiveFieldDef, type ArchiveValue } from '#domain/person/archive.ts';
import { Appid, Gender } from '#domain/base/enums.ts';
import { parseGrade } from '#domain/person/grades.ts';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type { ApiError } from '#contract/apiError.ts';
import { archivePathOf } from '#contract/population.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EnumField, EnumRadio, NumberField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useUser } from '#ui/api/session.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { call } from '#ui/api/call.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Link } from '#ui/router/router.tsx';
import { useOwnFields } from '#blocks/person/useOwnFields.ts';
import { getCUserPageList, insertCUser, revealCUser, updateCUser } from '#features/cuser/cuser.contract.ts';

type Archive = Readonly<Record<string, ArchiveValue>>;
type Guardian = NonNullable<RequestOf<typeof insertCUser>['guardian']>[number];
const RELATIONS = [
  { value: '01', label: '父亲' },
  { value: '02', label: '母亲' },
  { value: '03', label: '其他监护人' },
];

/** Creates a person, or edits one. The server audits each opening of an existing person. */
export function PersonDrawer({ row, onClose, ...more }: { row: { cuserid: string } | 'new'; appid?: string } & Closing) {
  return row === 'new' ? (
    <NewPerson onClose={onClose} {...more} />
  ) : (
    <ExistingPerson cuserid={row.cuserid} onClose={onClose} {...more} />
  );
}

interface Closing {
  onClose: () => void;
  /** Other lists that show the person. */
  invalidates?: readonly Action[];
}

function NewPerson({ appid, onClose, invalidates = [] }: { appid?: string } & Closing) {
  const { appid: ownAppid } = useUser();
  const form = useActionForm(insertCUser, {
    initial: { appid: appid || ownAppid || Appid.students, archive: {}, guardian: [] },
    onDone: onClose,
    invalidates: [getCUserPageList, ...invalidates],
    names: ['username'],
    successMessage: '新增成功',
    describeFault: describeExisting,
  });
  const own = useOwnFields(form.values.appid);
  return (
    <FormDrawer title="新增受测者" onClose={onClose} form={form} width={560}>
      <EnumField
        {...form.field('appid')}
        of={Appid}
        onChange={(value: never) => {
          form.set('appid', value);
          form.set('archive', {});
          form.set('idno', '');
        }}
      />
      <TextInput {...form.field('username')} data-autofocus />
      <EnumRadio {...form.field('gender')} of={Gender} />
      <DayField {...form.field('birthday')} />
      <TextInput {...form.field('phonenumber')} inputMode="tel" />
      {form.values.appid !== Appid.students && (
        <TextInput {...form.field('idno')} description="只用来识别同一个人，不保存号码本身" autoComplete="off" />
      )}
      <Archives
        appid={form.values.appid ?? ''}
        own={own}
        values={(form.values.archive ?? {}) as Archive}
        set={(next) => form.set('archive', next)}
        error={form.error}
      />
      <Guardians values={form.values.guardian ?? []} set={(next) => form.set('guardian', next)} error={form.error} />
    </FormDrawer>
  );
}

function ExistingPerson({ cuserid, onClose, ...more }: { cuserid: string } & Closing) {
  const personQuery = useActionQuery(revealCUser, { cuserid }, { quiet: true });
  return personQuery.data && !personQuery.isFetching ? (
    <EditPerson person={personQuery.data} onClose={onClose} {...more} />
  ) : (
    <Drawer opened onClose={onClose} position="right" title="修改受测者" size="min(560px, 100vw)">
      <Loaded read={personQuery} skeleton={<Skeletons.Form />}>
        {() => <Skeletons.Form />}
      </Loaded>
    </Drawer>
  );
}

/** The form's values of a person. */
const toForm = (person: ResponseOf<typeof revealCUser>) => ({
  cuserid: person.cuserid,
  version: person.version,
  username: person.username,
  gender: person.gender,
  birthday: person.birthday ?? '',
  phonenumber: person.phonenumber,
  idno: '',
  focus: person.focus,
  archive: person.archive,
  guardian: person.guardian.map(({ name, relation, phonenumber }) => ({ name, relation: relation as '01', phonenumber })),
});

function EditPerson({ person, onClose, invalidates = [] }: { person: ResponseOf<typeof revealCUser> } & Closing) {
  const form = useActionForm(updateCUser, {
    initial: toForm(person),
    onDone: onClose,
    invalidates: [getCUserPageList, ...invalidates],
    names: ['username'],
    successMessage: '修改成功',
    describeFault: describeExisting,
    reread: async () => toForm(await call(revealCUser, { cuserid: person.cuserid })),
  });
  const own = useOwnFields(person.appid, person.musercode);
  return (
    <FormDrawer title={`修改受测者 · ${person.username}`} onClose={onClose} form={form} width={560}>
      <Text size="sm" c="dimmed">
        {Appid.label(person.appid)} · 档案号 {person.archiveno || '—'}
      </Text>
      <TextInput {...form.field('username')} />
      <EnumRadio {...form.field('gender')} of={Gender} />
      <DayField {...form.field('birthday')} />
      <TextInput {...form.field('phonenumber')} inputMode="tel" />
      {person.appid !== Appid.students && (
        <TextInput
          {...form.field('idno')}
          placeholder={person.hasidno === 1 ? '******************' : ''}
          description={
            person.hasidno === 1
              ? '已登记，号码本身不保存。需要更正时填写新号码'
              : '还没有登记。只用来识别同一个人，不保存号码本身'
          }
          autoComplete="off"
        />
      )}
      <SwitchField {...form.field('focus')} label="重点关注" words="列入重点关注" />
      <Archives
        appid={person.appid}
        own={own}
        values={(form.values.archive ?? {}) as Archive}
        set={(next) => form.set('archive', next)}
        error={form.error}
      />
      <Guardians values={form.values.guardian ?? []} set={(next) => form.set('guardian', next)} error={form.error} />
    </FormDrawer>
  );
}

/** A number that another person has: the message with a link to that person's archive. */
const describeExisting = (error: ApiError): ReactNode => {
  const { cuserid, appid } = (error.data ?? {}) as { cuserid?: string; appid?: string };
  if (error.code !== 130002 || !cuserid || !appid) return undefined;
  return (
    <>
      {error.message}{' '}
      <Anchor component={Link} to={archivePathOf(appid, cuserid)} inherit>
        打开已有档案
      </Anchor>
    </>
  );
};

interface ArchivesProps {
  appid: string;
  /** the institution's own fields */
  own: readonly ArchiveFieldDef[];
  values: Archive;
  set: (values: Archive) => void;
  error: (name: string) => ReactNode;
}

/** Shows the archive fields of a population, the institution's own last. */
function Archives({ appid, own, values, set, error }: ArchivesProps) {
  const fields = [...(archiveFieldsOf[appid] ?? []).filter((def) => def.code !== 'gradecode'), ...own];
  const change = (code: string) => (value: unknown) => {
    const next: Record<string, ArchiveValue> = { ...values, [code]: (value ?? null) as ArchiveValue };
    // Lists and statistics sort by the grade code, so a new grade name also changes the code.
    if (code === 'gradename')
      next['gradecode'] = parseGrade(String(value ?? ''), { eduphase: String(values['eduphase'] ?? '') }).gradecode || null;
    set(next);
  };
  return (
    <>
      <Divider label="档案信息" labelPosition="left" />
      {fields.map((def) => (
        <ArchiveInput
          key={`${appid}${def.code}`}
          def={def}
          value={values[def.code] ?? null}
          change={change(def.code)}
          error={error(`archive.${def.code}`)}
        />
      ))}
    </>
  );
}

function ArchiveInput({
  def,
  value,
  change,
  error,
}: {
  def: ArchiveFieldDef;
  value: ArchiveValue;
  change: (value: unknown) => void;
  error: ReactNode;
}) {
  const field = {
    label: def.title,
    required: def.isRequired === true,
    value,
    onChange: change as (value: never) => void,
    error,
    'data-path': `archive.${def.code}`,
  };
  switch (def.kind) {
    case 'date':
      return <DayField {...field} />;
    case 'integer':
      return (
        <NumberField
          {...field}
          value={value === null ? undefined : Number(value)}
          {...(def.min !== undefined ? { min: def.min } : {})}
          {...(def.max !== undefined ? { max: def.max } : {})}
        />
      );
    case 'yesno':
      return (
        <SelectField
          {...field}
          value={value === null ? null : Number(value)}
          options={[
            { value: 1, label: '是' },
            { value: 0, label: '否' },
          ]}
          clearable
        />
      );
    case 'choice':
      return <SelectField {...field} options={(def.choices ?? []).map(([code, label]) => ({ value: code, label }))} clearable />;
    case 'list':
      return def.choices ? (
        <MultiSelect
          label={def.title}
          required={field.required}
          error={error}
          value={Array.isArray(value) ? [...value] : []}
          onChange={change}
          data={def.choices.map(([code, label]) => ({ value: code, label }))}
          placeholder="可选多项"
          data-path={field['data-path']}
        />
      ) : (
        <TagsInput
          label={def.title}
          error={error}
          value={Array.isArray(value) ? [...value] : []}
          onChange={change}
          placeholder="输入后按回车"
          data-path={field['data-path']}
        />
      );
    default:
      return (
        <TextInput
          label={def.title}
          required={field.required}
          error={error}
          value={value === null ? '' : String(value)}
          maxLength={500}
          onChange={(event) => change(event.currentTarget.value)}
          data-path={field['data-path']}
        />
      );
  }
}

/** Edits up to four guardians. */
function Guardians({
  values,
  set,
  error,
}: {
  values: readonly Guardian[];
  set: (values: Guardian[]) => void;
  error: (name: string) => ReactNode;
}) {
  const change = (index: number, part: Partial<Guardian>) =>
    set(values.map((value, position) => (position === index ? { ...value, ...part } : value)));
  return (
    <>
      <Divider label="监护人" labelPosition="left" />
      {error('guardian') && (
        <Text component="div" size="xs" c="red" data-path="guardian" tabIndex={-1}>
          {error('guardian')}
        </Text>
      )}
      {values.map((value, index) => (
        <Stack key={index} gap={6} role="group" aria-label={`监护人 ${index + 1}`}>
          <Group align="flex-start" wrap="nowrap" gap="xs">
            <TextInput
              label="姓名"
              required
              flex={1}
              value={value.name}
              maxLength={32}
              error={error(`guardian.${index}.name`)}
              data-path={`guardian.${index}.name`}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            <Select
              label="关系"
              w={120}
              allowDeselect={false}
              data={RELATIONS}
              value={value.relation ?? '03'}
              onChange={(relation) => change(index, { relation: (relation ?? '03') as '01' })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              aria-label={`删除监护人 ${index + 1}`}
              onClick={() => set(values.filter((_, position) => position !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          <TextInput
            label="电话"
            inputMode="tel"
            value={value.phonenumber ?? ''}
            error={error(`guardian.${index}.phonenumber`)}
            data-path={`guardian.${index}.phonenumber`}
            onChange={(event) => change(index, { phonenumber: event.currentTarget.value })}
          />
        </Stack>
      ))}
      {values.length < 4 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => set([...values, { name: '', relation: '03', phonenumber: '' }])}
        >
          添加监护人
        </Button>
      )}
    </>
  );
}
