import { Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getCommentCoverage, insertComment, type CoverageRow } from '#features/comments/comments.contract.ts';
import { TextDrawer, type NewText } from '#features/comments/texts/TextDrawer.tsx';
import { appOptions, audienceLabel } from '#features/comments/texts/words.ts';
import classes from './texts.module.css';

/** 覆盖检查: which paragraph a report has at each level, and where only the fallback is left. */
export function CoverageTab() {
  const [appid, setAppid] = useState<string | null>(null);
  const [isOnlyHoles, setIsOnlyHoles] = useState(true);
  const [start, setStart] = useState<NewText>();
  const coverage = useActionQuery(getCommentCoverage, appid ? { appid } : {});
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <Select label="人群" w={180} clearable placeholder="本机构的人群" data={appOptions} value={appid} onChange={setAppid} />
        <Button variant="default" onClick={() => setIsOnlyHoles(!isOnlyHoles)}>
          {isOnlyHoles ? '显示全部' : '只看缺口'}
        </Button>
      </Group>
      <Loaded read={coverage} skeleton={<Skeletons.Lines count={8} />}>
        {({ rows, holes }) => {
          const lines = linesOf(rows).filter(({ cells }) => !isOnlyHoles || cells.some(({ commentid }) => commentid === ''));
          return (
            <>
              <Text size="sm">
                {holes === 0 ? '每个等级都有专门的段落。' : `有 ${holes} 处只有兜底文字。`}
                {can(insertComment) && holes > 0 ? '点“缺”可以直接补写。' : ''}
              </Text>
              {lines.length === 0 ? (
                <EmptyState title="没有缺口" />
              ) : (
                <div className={classes['grid']} role="region" aria-label="各等级的段落" tabIndex={0}>
                  <Table>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>量表与得分</Table.Th>
                        <Table.Th>人群</Table.Th>
                        <Table.Th>读者</Table.Th>
                        {[0, 1, 2, 3, 4].map((level) => (
                          <Table.Th key={level} className={classes['cell'] ?? ''}>
                            {level} 级
                          </Table.Th>
                        ))}
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {lines.map(({ key, cells }) => (
                        <CoverageLine key={key} cells={cells} onFill={setStart} />
                      ))}
                    </Table.Tbody>
                  </Table>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      {start && <TextDrawer start={start} onClose={() => setStart(undefined)} />}
    </Stack>
  );
}

function linesOf(rows: readonly CoverageRow[]): { key: string; cells: CoverageRow[] }[] {
  const lines = new Map<string, CoverageRow[]>();
  for (const row of rows) {
    const key = [row.quotacode, row.appid, row.audience].join(' ');
    lines.set(key, [...(lines.get(key) ?? []), row]);
  }
  return [...lines].map(([key, cells]) => ({ key, cells }));
}

function CoverageLine({ cells, onFill }: { cells: readonly CoverageRow[]; onFill: (start: NewText) => void }) {
  const [first] = cells;
  if (!first) return null;
  const isWriter = can(insertComment);
  return (
    <Table.Tr>
      <Table.Td>
        {first.formname} · {first.quotaname}
      </Table.Td>
      <Table.Td>{Appid.label(first.appid)}</Table.Td>
      <Table.Td>{audienceLabel(first.audience)}</Table.Td>
      {[0, 1, 2, 3, 4].map((level) => {
        const cell = cells.find((candidate) => candidate.level === level);
        const fill = () => {
          const { formcode, quotacode, audience, appid } = first;
          onFill({ section: 'form', audience, formcode, quotacode, level, appid });
        };
        return (
          <Table.Td key={level} className={classes['cell'] ?? ''}>
            {cell === undefined ? (
              <Text span c="dimmed" aria-label="没有这个等级">
                —
              </Text>
            ) : cell.commentid ? (
              <Text span size="sm" title={`${cell.levelname}：${cell.commentid}`}>
                有
              </Text>
            ) : isWriter ? (
              <Button
                size="compact-sm"
                variant="light"
                color="orange"
                onClick={fill}
                aria-label={`补写 ${first.formname} ${first.quotaname} ${audienceLabel(first.audience)} ${level} 级`}
              >
                缺
              </Button>
            ) : (
              <Text span size="sm" c="orange">
                缺
              </Text>
            )}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}
