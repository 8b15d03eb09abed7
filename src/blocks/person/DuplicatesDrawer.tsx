import { Anchor, Button, Drawer, Group, Pagination, Paper, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid, Gender } from '#domain/base/enums.ts';
import { archivePathOf } from '#contract/population.ts';
import type { Action, ResponseOf } from '#contract/action.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { pageLabels } from '#ui/display/pageLabels.ts';
import { MergeDrawer } from '#blocks/person/MergeDrawer.tsx';
import { getDuplicatePageList, keepDistinct } from '#features/identity/duplicates.contract.ts';

type Pair = ResponseOf<typeof getDuplicatePageList>['rows'][number];
type Candidate = Pair['persons'][number];
const PAGE_SIZE = 10;

/** 疑似重复: pairs of persons who are probably the same, side by side. */
export function DuplicatesDrawer({ invalidates, onClose }: { invalidates: readonly Action[]; onClose: () => void }) {
  const [page, setPage] = useState(1);
  // The drawer outlives its pair, which leaves the list with the merge.
  const [merging, setMerging] = useState<Pair>();
  const [first, second] = merging?.persons ?? [];
  const list = useActionQuery(getDuplicatePageList, { page, pageSize: PAGE_SIZE }, { quiet: true });
  return (
    <Drawer opened onClose={onClose} position="right" title="疑似重复" size="min(720px, 100vw)">
      <Loaded read={list} skeleton={<Skeletons.Form />}>
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyState title="没有疑似重复的档案" hint="姓名与生日或电话相同，或同班同音的受测者会出现在这里" />
          ) : (
            <Stack gap="md">
              <Text size="sm" c="dimmed">
                共 {total} 组。确是同一人的请合并，30 天内可以撤销；不是同一人的标记后不再提示。
              </Text>
              {rows.map((pair) => (
                <PairCard key={pair.persons.map(({ cuserid }) => cuserid).join()} pair={pair} onMerge={() => setMerging(pair)} />
              ))}
              {total > PAGE_SIZE && (
                <Pagination {...pageLabels} value={page} onChange={setPage} total={Math.ceil(total / PAGE_SIZE)} />
              )}
            </Stack>
          )
        }
      </Loaded>
      {first && second && (
        <MergeDrawer
          person={second}
          other={first.cuserid}
          invalidates={[getDuplicatePageList, ...invalidates]}
          onClose={() => setMerging(undefined)}
        />
      )}
    </Drawer>
  );
}

const FACTS: readonly [title: string, value: (person: Candidate) => string][] = [
  ['性别', ({ gender }) => Gender.label(gender)],
  ['出生日期', ({ birthday }) => birthday ?? ''],
  ['联系电话', ({ phonenumber }) => phonenumber],
  ['人群', ({ appid }) => Appid.label(appid)],
  ['学号/工号/建册号', ({ studentno }) => studentno],
  ['所属', ({ belongs }) => belongs],
  ['档案号', ({ archiveno }) => archiveno],
  ['建档日期', ({ opendate }) => opendate],
  ['测评', ({ examcount }) => `${examcount} 次`],
  ['最近测评', ({ lastexamtime }) => lastexamtime?.slice(0, 10) ?? ''],
];

/** One pair: what is equal, both persons side by side, and the decision. */
function PairCard({ pair, onMerge }: { pair: Pair; onMerge: () => void }) {
  const { persons } = pair;
  const keep = useActionMutation(keepDistinct, { invalidates: [getDuplicatePageList], successMessage: '已记住，不再提示这一组' });
  const names = persons.map(({ username }) => username).join('、');
  const decide = async () => {
    const isSure = await confirm({ text: `确定${names}不是同一人？这一组以后不再提示。`, yes: '不是同一人', no: '再看看' });
    if (isSure) keep.mutate({ cuserids: persons.map(({ cuserid }) => cuserid) });
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={`疑似重复：${names}`}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="xs">
          {pair.samebirthday === 1 && <Badge tone="orange">生日相同</Badge>}
          {pair.samephone === 1 && <Badge tone="orange">电话相同</Badge>}
          {pair.sameclass === 1 && <Badge tone="orange">同班同音</Badge>}
        </Group>
        <Group gap="xs">
          <Button size="compact-sm" onClick={onMerge}>
            合并…
          </Button>
          <Button variant="default" size="compact-sm" loading={keep.isPending} onClick={() => void decide()}>
            不是同一人
          </Button>
        </Group>
      </Group>
      <Table layout="fixed" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={128}>姓名</Table.Th>
            {persons.map(({ cuserid, appid, username }) => (
              <Table.Th key={cuserid}>
                <Anchor component={Link} to={archivePathOf(appid, cuserid)} size="sm">
                  {username}
                </Anchor>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {FACTS.map(([title, valueOf]) => {
            const values = persons.map(valueOf);
            const isEqual = values[0] !== '' && values[0] === values[1];
            return (
              <Table.Tr key={title}>
                <Table.Th fw={400} c="dimmed">
                  {title}
                </Table.Th>
                {values.map((value, index) => (
                  <Table.Td key={index} fw={isEqual ? 600 : 400}>
                    {value || '—'}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
