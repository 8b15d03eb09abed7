import { Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { archivePathOf } from '#contract/population.ts';
import { Link } from '#ui/router/router.tsx';

interface Props {
  row: { cuserid: string; appid: string; username: string; age: number | null; focus?: number };
  number: string;
}

/** A name in a list, with age and number below it: masked names of different persons look alike. */
export const PersonCell = ({ row: { cuserid, appid, username, age, focus }, number }: Props) => (
  <>
    <Link to={archivePathOf(appid, cuserid)}>{username}</Link>
    {focus === 1 && <IconStarFilled size={14} color="var(--level-2)" role="img" aria-label="重点关注" />}
    <Text component="div" size="xs" c="dimmed" truncate maw={150} title={number}>
      {[age !== null && `${age} 岁`, number].filter(Boolean).join(' · ')}
    </Text>
  </>
);
