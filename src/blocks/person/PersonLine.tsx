import { Text } from '@mantine/core';
import { Gender } from '#domain/base/enums.ts';

interface Props {
  person: { gender?: string; age?: number | null; belongs?: string; insname?: string };
  /** a number of the person and its name, as 建册号 */
  number?: readonly [name: string, number: string];
  mb?: 'md';
}

/** One line that tells a person from others whose masked names look alike. */
export function PersonLine({ person: { gender, age, belongs, insname }, number, mb }: Props) {
  const facts = [
    gender && Gender.label(gender),
    typeof age === 'number' && `${age} 岁`,
    number?.[1] && number.join(' '),
    belongs,
    insname,
  ];
  return (
    <Text size="sm" c="dimmed" {...(mb ? { mb } : {})}>
      {facts.filter(Boolean).join(' · ')}
    </Text>
  );
}
