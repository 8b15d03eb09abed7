import { Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { Gender } from '#domain/base/enums.ts';
import { archivePathOf } from '#contract/population.ts';
import { Link } from '#ui/router/router.tsx';

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

interface CellProps {
  row: { cuserid: string; appid: string; username: string; age: number | null; focus?: number };
  number: string;
}

/** A name in a list, with age and number below it: masked names of different persons look alike. */
export const PersonCell = ({ row: { cuserid, appid, username, age, focus }, number }: CellProps) => (
  <>
    <Link to={archivePathOf(appid, cuserid)}>{username}</Link>
    {focus === 1 && <IconStarFilled size={14} color="var(--level-2)" role="img" aria-label="重点关注" />}
    <Text component="div" size="xs" c="dimmed" truncate maw={150} title={number}>
      {[age !== null && `${age} 岁`, number].filter(Boolean).join(' · ')}
    </Text>
  </>
);
