import { Checkbox, Group, Input } from '@mantine/core';
import { Appid } from '#domain/base/enums.ts';
import { ContentAudience, MAX_RECOMMENDED_LEVEL } from '#domain/content/content.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { EnumRadio, type Field } from '#ui/form/fields.tsx';

/** The populations that a content can be for. */
export const populations = Appid.options.filter(({ value }) => value !== Appid.custom);
/** The levels of reports that may recommend a content. */
const levels = OVERALL_LEVELS.slice(0, MAX_RECOMMENDED_LEVEL + 1);

/** The populations of a content in words. */
export const populationWords = (appids: readonly string[]): string =>
  appids.length === 0 ? '全部人群' : appids.map((appid) => Appid.label(appid)).join('、');
/** The levels of reports that recommend a content, in words. */
export const levelWords = (chosen: readonly number[]): string =>
  chosen.length === 0 ? '不推荐' : chosen.map((level) => OVERALL_LEVELS[level]).join('、');

interface PopulationForm {
  field: (name: 'appids') => Field;
  values: { appids?: unknown };
  set: (name: 'appids', value: unknown) => void;
}
interface ReaderForm {
  field: (name: 'audience' | 'appids' | 'levels') => Field;
  values: { audience?: unknown; appids?: unknown; levels?: unknown };
  set: (name: 'appids' | 'levels', value: unknown) => void;
}

/** The populations of a content or of goods; none means all. */
export function PopulationField({ form }: { form: PopulationForm }) {
  const chosen = (form.values.appids ?? []) as string[];
  return (
    <Checkbox.Group
      label="人群"
      description="不选表示全部人群"
      error={form.field('appids').error}
      value={chosen}
      onChange={(next) =>
        form.set(
          'appids',
          populations.map(({ value }) => value).filter((value) => next.includes(value)),
        )
      }
    >
      <Group gap="8px 20px" mt={8} data-path="appids" tabIndex={-1}>
        {populations.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** The fields of articles, music and courses that say who reads them, and which reports recommend them. */
export function ReaderFields({ form }: { form: ReaderForm }) {
  const chosenLevels = (form.values.levels ?? []) as number[];
  const { error: levelsError } = form.field('levels');
  return (
    <>
      <EnumRadio {...form.field('audience')} of={ContentAudience} />
      <PopulationField form={form} />
      <Checkbox.Group
        label="推荐给结果等级"
        error={levelsError}
        value={chosenLevels.map(String)}
        onChange={(next) => form.set('levels', next.map(Number).sort())}
      >
        <Group gap="8px 20px" mt={8} data-path="levels" tabIndex={-1}>
          {levels.map((label, level) => (
            <Checkbox key={label} value={String(level)} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Input.Description mt={-8}>
        结果为{OVERALL_LEVELS.slice(MAX_RECOMMENDED_LEVEL + 1).join('、')}或有预警的报告不推荐内容，由工作人员联系本人。
      </Input.Description>
    </>
  );
}
