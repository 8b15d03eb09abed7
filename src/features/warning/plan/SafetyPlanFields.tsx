import { TextInput, Textarea } from '@mantine/core';
import { DayField } from '#ui/dates/dateFields.tsx';
import { HelperRows, MeansRows, ServiceRows, type SafetyPlanPartProps } from '#features/warning/plan/SafetyPlanRows.tsx';
import classes from './plan.module.css';

interface Props extends SafetyPlanPartProps {
  isMinor: boolean;
}

const TEXTS = {
  warningsigns: { label: '我的预警信号', hint: '快要撑不住时，想法、心情、身体会有什么变化？', isRequired: true },
  coping: { label: '我自己能做的事', hint: '不靠别人，先做什么能让自己缓一缓？', isRequired: true },
  distractions: { label: '让我分心的人和地方', hint: '和谁待着、去哪里，会好一些？', isRequired: false },
} as const;

/** The fields of a safety plan. An incomplete plan can be saved; the parts with a star make it complete. */
export function SafetyPlanFields({ isMinor, ...part }: Props) {
  const { draft, change, errorOf, pathOf } = part;
  return (
    <>
      <p className={classes['hint']}>和本人一起商量，用本人自己的话写。带 * 的写全才算完整；可以先保存，稍后再补。</p>
      {(Object.keys(TEXTS) as (keyof typeof TEXTS)[]).map((key) => (
        <Textarea
          key={key}
          label={TEXTS[key].label}
          description={TEXTS[key].hint}
          withAsterisk={TEXTS[key].isRequired}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={1000}
          value={draft[key] ?? ''}
          error={errorOf(key)}
          data-path={pathOf(key)}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
      <HelperRows {...part} isMinor={isMinor} />
      <ServiceRows {...part} />
      <MeansRows {...part} />
      <Textarea
        label="对我重要的人和事"
        description="让我愿意再等一等的人、动物、约定"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1000}
        value={draft.importantthings ?? ''}
        error={errorOf('importantthings')}
        data-path={pathOf('importantthings')}
        onChange={(event) => change({ importantthings: event.currentTarget.value })}
      />
      <div className={classes['kept']}>
        <TextInput
          label="副本给谁"
          placeholder="例如 本人、妈妈、班主任"
          maxLength={200}
          value={draft.copies ?? ''}
          error={errorOf('copies')}
          data-path={pathOf('copies')}
          onChange={(event) => change({ copies: event.currentTarget.value })}
        />
        <DayField
          label="复查日"
          value={draft.reviewdate ?? ''}
          error={errorOf('reviewdate')}
          data-path={pathOf('reviewdate')}
          onChange={((day: string | undefined) => change({ reviewdate: day ?? '' })) as (value: never) => void}
        />
      </div>
    </>
  );
}
