import { Popover, Text, UnstyledButton } from '@mantine/core';
import type { Paragraph } from '#domain/report/report.content.ts';
import classes from '#blocks/report/report.module.css';

/** Renders a sentence. Staff open 依据: the rule and the values behind it. */
export function Sentence({ paragraph, as: Tag = 'p' }: { paragraph: Paragraph; as?: 'p' | 'span' }) {
  const { text, because = [] } = paragraph;
  return (
    <Tag className={classes['sentence']}>
      {text}
      {because.length > 0 && (
        <Popover position="top-start" withArrow width={320} shadow="md">
          <Popover.Target>
            <UnstyledButton className={classes['because'] ?? ''} aria-label={`依据：${because.join('；')}`} data-noprint>
              依据
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown data-noprint>
            {because.map((reason) => (
              <Text key={reason} size="sm" component="span" display="block">
                {reason}
              </Text>
            ))}
          </Popover.Dropdown>
        </Popover>
      )}
    </Tag>
  );
}
