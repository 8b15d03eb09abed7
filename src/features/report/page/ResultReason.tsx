import { Tooltip, UnstyledButton } from '@mantine/core';
import type { Paragraph } from '#domain/report/report.content.ts';
import classes from '#features/report/report.module.css';

/** Renders a sentence. On hover or focus staff see the rule and the score behind it. */
export function Sentence({ paragraph, as: Tag = 'p' }: { paragraph: Paragraph; as?: 'p' | 'span' }) {
  const { text, because = [] } = paragraph;
  return (
    <Tag className={classes['sentence']}>
      {text}
      {because.length > 0 && (
        <Tooltip label={because.join('；')} position="top-start">
          <UnstyledButton className={classes['because'] ?? ''} aria-label={`依据：${because.join('；')}`} data-noprint>
            依据
          </UnstyledButton>
        </Tooltip>
      )}
    </Tag>
  );
}
