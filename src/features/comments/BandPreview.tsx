import { Text } from '@mantine/core';
import { findTextFaults } from '#domain/scoring/bandset/checkTexts.ts';
import { fillTemplate } from '#domain/report/commentary/commentary.ts';
import type { BandOptionInput } from '#features/bandset/bandset.contract.ts';
import classes from './bands.module.css';

interface Props {
  option: BandOptionInput;
  formcode: string;
  formname: string;
  scorecodes: readonly string[];
}

/** How the texts of a band look in a report, with an example of a score; and what a report would refuse. */
export function BandPreview({ option, formcode, formname, scorecodes }: Props) {
  const example = String(option.minscore ?? option.maxscore ?? 0);
  const placeholders = {
    'form.title': formname,
    'form.score': example,
    'form.level': option.levelname || `${option.level} 级`,
    hotline: '12356',
    nightline: '12356',
    ...Object.fromEntries(
      scorecodes.flatMap((code) => [
        [`score.${formcode}.${code}`, example],
        [`level.${formcode}.${code}`, option.levelname],
      ]),
    ),
  };
  const faults = findTextFaults(option, { formcode, scores: scorecodes.map((c) => ({ c })) });
  const texts = (
    [
      ['报告（本人）', option.comment],
      ['报告（工作人员）', option.staffcomment],
      ['建议', option.suggestion],
    ] as const
  ).filter(([, text]) => text);
  if (texts.length === 0) return null;
  return (
    <div className={classes['preview']} aria-live="polite">
      {faults.map(({ message }) => (
        <Text key={message} size="sm" c="var(--level-3-ink)">
          {message}
        </Text>
      ))}
      {texts.map(([title, text]) => (
        <div key={title}>
          <Text size="xs" c="dimmed" mt={6}>
            {title}
          </Text>
          {(fillTemplate(text ?? '', placeholders) ?? text ?? '').split('\n').map((paragraph, index) => (
            <p key={index}>{paragraph}</p>
          ))}
        </div>
      ))}
    </div>
  );
}
