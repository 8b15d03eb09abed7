import { ActionIcon, Button, Checkbox, Input, Radio, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { MeansStatus, PlanMeans } from '#domain/warning/safetyPlan.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import type { SafetyPlanDraft } from '#features/warning/plan/planDraft.ts';
import classes from './plan.module.css';

/** What the parts of the form share. */
export interface SafetyPlanPartProps {
  draft: SafetyPlanDraft;
  change: (changes: Partial<SafetyPlanDraft>) => void;
  /** the error of a field of the plan, by its path in the plan */
  errorOf: (path: string) => string | undefined;
  /** the path of a field in the request, for the focus on errors */
  pathOf: (path: string) => string;
}

/** A part of the plan with several rows. */
function Part({
  title,
  hint,
  error,
  children,
}: {
  title: string;
  hint: string;
  error?: string | undefined;
  children: ReactNode;
}) {
  return (
    <fieldset className={classes['part']}>
      <legend>
        {title} <b aria-hidden>*</b>
      </legend>
      <p className={classes['hint']}>{hint}</p>
      {children}
      {error && <Input.Error>{error}</Input.Error>}
    </fieldset>
  );
}

type TextColumn = readonly [key: string, label: string, maxLength: number];

/** The text inputs of one row, and the button that removes the row. */
function RowInputs<T extends object>({
  row,
  rowName,
  columns,
  path,
  part: { errorOf, pathOf },
  isNew,
  set,
  remove,
}: {
  row: T;
  rowName: string;
  columns: readonly TextColumn[];
  path: string;
  part: SafetyPlanPartProps;
  isNew: boolean;
  set: (changes: Record<string, string>) => void;
  remove: () => void;
}) {
  return (
    <>
      {columns.map(([key, label, maxLength], index) => (
        <TextInput
          key={key}
          className={index === 0 ? classes['first'] : undefined}
          aria-label={`${rowName}：${label}`}
          placeholder={label}
          maxLength={maxLength}
          autoFocus={isNew && index === 0}
          inputMode={key === 'phonenumber' ? 'tel' : undefined}
          value={String((row as Record<string, unknown>)[key] ?? '')}
          error={errorOf(`${path}.${key}`)}
          data-path={pathOf(`${path}.${key}`)}
          onChange={(event) => set({ [key]: event.currentTarget.value })}
        />
      ))}
      <ActionIcon
        className={classes['remove'] ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`删除${rowName}`}
        onClick={remove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </>
  );
}

const AddRow = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button
    variant="default"
    size="compact-sm"
    style={{ justifySelf: 'start' }}
    leftSection={<IconPlus size={14} aria-hidden />}
    onClick={onClick}
  >
    {label}
  </Button>
);

const HELPER_COLUMNS: readonly TextColumn[] = [
  ['name', '姓名或称呼', 32],
  ['relation', '关系', 32],
  ['phonenumber', '电话', 30],
];
const HELPER_MAX = 8;

/** The persons who can help. A suspected source of harm stays in the record and is not printed. */
export function HelperRows({ isMinor, ...part }: SafetyPlanPartProps & { isMinor: boolean }) {
  const { draft, change, errorOf } = part;
  const [newIndex, setNewIndex] = useState(-1);
  const helpers = draft.helpers ?? [];
  const setRow = (index: number, changes: object) =>
    change({ helpers: helpers.map((row, at) => (at === index ? { ...row, ...changes } : row)) });
  return (
    <Part
      title="我可以求助的人（电话）"
      hint={
        isMinor ? '未成年人至少写一位可信赖的成年人；疑似伤害过本人的人不算，也不会印出来。' : '疑似伤害过本人的人不会印出来。'
      }
      error={errorOf('helpers')}
    >
      <ul className={classes['rows']}>
        {helpers.map((row, index) => (
          <li key={index} className={classes['row']}>
            <RowInputs
              row={row}
              rowName={`第 ${index + 1} 位`}
              columns={HELPER_COLUMNS}
              path={`helpers.${index}`}
              part={part}
              isNew={index === newIndex}
              set={(changes) => setRow(index, changes)}
              remove={() => change({ helpers: helpers.filter((_, at) => at !== index) })}
            />
            <div className={classes['ticks']}>
              <Checkbox
                label="成年人"
                checked={Number(row.isadult) === 1}
                onChange={(event) => setRow(index, { isadult: event.currentTarget.checked ? 1 : 0 })}
              />
              <Checkbox
                label="疑似伤害来源（不印出）"
                checked={Number(row.issuspect) === 1}
                onChange={(event) => setRow(index, { issuspect: event.currentTarget.checked ? 1 : 0 })}
              />
            </div>
          </li>
        ))}
      </ul>
      {helpers.length < HELPER_MAX && (
        <AddRow
          label="添加一位"
          onClick={() => {
            setNewIndex(helpers.length);
            change({ helpers: [...helpers, { name: '', relation: '', phonenumber: '', isadult: 1, issuspect: 0 }] });
          }}
        />
      )}
    </Part>
  );
}

const SERVICE_COLUMNS: readonly TextColumn[] = [
  ['name', '名称', 50],
  ['phonenumber', '电话', 30],
  ['hours', '时间', 50],
];
const SERVICE_MAX = 6;

/** Professional help with telephone numbers and hours. */
export function ServiceRows(part: SafetyPlanPartProps) {
  const { draft, change, errorOf } = part;
  const [newIndex, setNewIndex] = useState(-1);
  const services = draft.services ?? [];
  return (
    <Part
      title="专业帮助（电话、时间）"
      hint="学校或医院的心理老师、医生，以及热线。只写真的有人接听的时间。"
      error={errorOf('services')}
    >
      <ul className={classes['rows']}>
        {services.map((row, index) => (
          <li key={index} className={classes['row']}>
            <RowInputs
              row={row}
              rowName={`第 ${index + 1} 项专业帮助`}
              columns={SERVICE_COLUMNS}
              path={`services.${index}`}
              part={part}
              isNew={index === newIndex}
              set={(changes) => change({ services: services.map((item, at) => (at === index ? { ...item, ...changes } : item)) })}
              remove={() => change({ services: services.filter((_, at) => at !== index) })}
            />
          </li>
        ))}
      </ul>
      {services.length < SERVICE_MAX && (
        <AddRow
          label="添加一项"
          onClick={() => {
            setNewIndex(services.length);
            change({ services: [...services, { name: '', phonenumber: '', hours: '' }] });
          }}
        />
      )}
    </Part>
  );
}

/** The five kinds of means, each with its state. */
export function MeansRows({ draft, change, errorOf, pathOf }: SafetyPlanPartProps) {
  const means = draft.means ?? [];
  const setRow = (kind: (typeof PlanMeans.codes)[number], changes: object) =>
    change({
      means: PlanMeans.codes.flatMap((code) => {
        const row = means.find((candidate) => candidate.kind === code);
        if (code !== kind) return row ? [row] : [];
        return [{ kind, status: MeansStatus.none, keeper: '', storeddate: '', note: '', ...row, ...changes }];
      }),
    });
  return (
    <Part title="让环境更安全" hint="逐项问清楚；已收好的写明由谁、哪一天。" error={errorOf('means')}>
      {PlanMeans.options.map(({ value: kind, label }) => {
        const index = means.findIndex((row) => row.kind === kind);
        const row = means[index];
        const path = `means.${index}`;
        return (
          <div key={kind} className={classes['means']} data-open={row?.status === MeansStatus.open}>
            <Radio.Group label={label} value={row?.status ?? ''} onChange={(status) => setRow(kind, { status })}>
              <div className={classes['ticks']} style={{ paddingTop: 6 }}>
                {MeansStatus.options.map((status) => (
                  <Radio key={status.value} value={status.value} label={status.label} />
                ))}
              </div>
            </Radio.Group>
            {row && row.status !== MeansStatus.none && (
              <div className={classes['kept']} style={{ marginTop: 8 }}>
                {row.status === MeansStatus.stored && (
                  <>
                    <TextInput
                      label="由谁收好"
                      maxLength={32}
                      value={row.keeper ?? ''}
                      error={errorOf(`${path}.keeper`)}
                      data-path={pathOf(`${path}.keeper`)}
                      onChange={(event) => setRow(kind, { keeper: event.currentTarget.value })}
                    />
                    <DayField
                      label="收好日期"
                      max={shanghaiDate(new Date())}
                      value={row.storeddate ?? ''}
                      error={errorOf(`${path}.storeddate`)}
                      data-path={pathOf(`${path}.storeddate`)}
                      onChange={((day: string | undefined) => setRow(kind, { storeddate: day ?? '' })) as (value: never) => void}
                    />
                  </>
                )}
                <TextInput
                  style={{ gridColumn: '1 / -1' }}
                  label={kind === PlanMeans.named ? '是什么' : '说明'}
                  maxLength={200}
                  value={row.note ?? ''}
                  error={errorOf(`${path}.note`)}
                  data-path={pathOf(`${path}.note`)}
                  onChange={(event) => setRow(kind, { note: event.currentTarget.value })}
                />
              </div>
            )}
          </div>
        );
      })}
    </Part>
  );
}
