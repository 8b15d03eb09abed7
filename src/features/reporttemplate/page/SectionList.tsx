import { ActionIcon, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  requiredKeys,
  sectionTitles,
  templateOptions,
  type TemplateKey,
  type TemplateSection,
} from '#domain/report/template/template.ts';
import classes from '#features/reporttemplate/page/template.module.css';

interface Props {
  sections: readonly TemplateSection[];
  onChange: (sections: TemplateSection[]) => void;
  readOnly: boolean;
  errorAt: (field: string) => ReactNode;
}

const optionsOf = (key: TemplateKey): [string, string][] =>
  Object.entries((templateOptions as Partial<Record<TemplateKey, Readonly<Record<string, string>>>>)[key] ?? {});

/** The sections of a template: on or off, in order (buttons, or Alt with an arrow key), with an own heading and their options. */
export function SectionList({ sections, onChange, readOnly, errorAt }: Props) {
  const change = (index: number, part: Partial<TemplateSection>) =>
    onChange(sections.map((section, at) => (at === index ? { ...section, ...part } : section)));
  const move = (index: number, by: number) => {
    const target = index + by;
    // The cover stays the first section.
    if (target < 1 || target >= sections.length || index < 1) return;
    const next = [...sections];
    const [moved] = next.splice(index, 1);
    if (moved) next.splice(target, 0, moved);
    onChange(next);
  };
  return (
    <ol className={classes['sections']}>
      {sections.map((section, index) => {
        const name = sectionTitles[section.key];
        const isRequired = requiredKeys.includes(section.key);
        const options = optionsOf(section.key);
        return (
          <li
            key={section.key}
            data-off={!section.on || undefined}
            onKeyDown={(event) => {
              if (readOnly || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
              event.preventDefault();
              move(index, event.key === 'ArrowUp' ? -1 : 1);
            }}
          >
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Switch
                label={name}
                checked={section.on}
                disabled={readOnly || isRequired}
                description={isRequired ? '每份报告都有' : undefined}
                onChange={(event) => change(index, { on: event.currentTarget.checked })}
              />
              {!readOnly && section.key !== 'cover' && (
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`上移${name}`}
                    disabled={index <= 1}
                    onClick={() => move(index, -1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`下移${name}`}
                    disabled={index === sections.length - 1}
                    onClick={() => move(index, 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                </Group>
              )}
            </Group>
            {section.on && section.key !== 'cover' && (
              <Stack gap={6} className={classes['details'] ?? ''}>
                <TextInput
                  size="xs"
                  aria-label={`${name}的标题`}
                  placeholder={`标题：${name}`}
                  maxLength={20}
                  readOnly={readOnly}
                  value={section.title ?? ''}
                  error={errorAt(`sections.sections.${index}.title`) ?? errorAt(`sections.sections.${index}`)}
                  data-path={`sections.sections.${index}.title`}
                  onChange={(event) => change(index, { title: event.currentTarget.value })}
                />
                {options.map(([option, label]) => (
                  <Checkbox
                    key={option}
                    size="xs"
                    label={label}
                    disabled={readOnly}
                    checked={section.options?.[option] !== false}
                    onChange={(event) =>
                      change(index, { options: { ...section.options, [option]: event.currentTarget.checked } })
                    }
                  />
                ))}
              </Stack>
            )}
          </li>
        );
      })}
      <li data-off>
        <Text size="sm">重要提示</Text>
        <Text size="xs" c="dimmed">
          每份报告的最后一段，不能改动。工作人员版还有审核与作答明细。
        </Text>
      </li>
    </ol>
  );
}
