import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Cond, Scale } from '#domain/scoring/scale.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getNormPageList, type NormRow } from '#features/norm/norm.contract.ts';

type NormLine = NonNullable<Scale['norms']>[string][number];

interface Props {
  onCopy: (name: string, line: NormLine) => void;
  onClose: () => void;
}

/** Persons of a norm in words: sex, ages, grade and region. */
function personsOf({ gender, agemin, agemax, gradecode, region }: NormRow): string {
  const ages = agemin === null && agemax === null ? '' : `${agemin ?? 0}–${agemax ?? '…'} 岁`;
  return (
    [gender === '01' ? '男' : gender === '02' ? '女' : '', ages, gradecode ? '分年级' : '', region ?? '']
      .filter(Boolean)
      .join(' · ') || '不限'
  );
}

/** A norm of the shelf as a line of a questionnaire. Sex and ages become its condition. */
function toLine(row: NormRow): NormLine {
  const parts: Cond[] = [
    ...(row.gender ? [{ person: 'gender', eq: row.gender }] : []),
    ...(row.agemin === null ? [] : [{ person: 'age', gte: row.agemin }]),
    ...(row.agemax === null ? [] : [{ person: 'age', lte: row.agemax }]),
  ];
  const where = parts.length > 1 ? { all: parts } : parts[0];
  const source = [row.source, row.year ? `（${row.year}）` : '', row.n ? `，n=${row.n}` : ''].join('').slice(0, 200);
  return { ...(where ? { where } : {}), mean: row.mean, sd: row.sd, source };
}

/** 从常模库复制: copies one enabled norm with its source. A later change of the shelf does not change the copy. */
export function CopyNormDialog({ onCopy, onClose }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  const norms = useActionQuery(getNormPageList, { page: 1, pageSize: 200 }, { quiet: true });
  return (
    <Modal opened onClose={onClose} title="从常模库复制">
      <Loaded read={norms} skeleton={<Skeletons.Lines count={3} />}>
        {({ rows }) => {
          const usable = rows.filter(({ enabled }) => enabled === 1);
          const row = usable.find(({ normid }) => String(normid) === chosen);
          if (usable.length === 0)
            return <EmptyState title="常模库还没有常模" hint="可以在资料库的“常模”里录入，再回到这里复制" />;
          return (
            <Stack gap="md">
              <Select
                label="常模"
                searchable
                data-autofocus
                placeholder="请选择"
                nothingFoundMessage="没有符合的常模"
                data={usable.map((norm) => ({
                  value: String(norm.normid),
                  label: `${norm.normname} · ${norm.quotaname} · ${personsOf(norm)}`,
                }))}
                value={chosen}
                onChange={setChosen}
              />
              {row && (
                <Text size="sm">
                  {row.formname} · {row.quotaname}，{personsOf(row)}，{row.mean} ± {row.sd}。来源：{row.source}
                </Text>
              )}
              <Text size="sm" c="dimmed">
                复制后是量表自己的一份，常模库以后的修改不会影响它。
              </Text>
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  取消
                </Button>
                <Button disabled={!row} onClick={() => row && onCopy(row.normname.slice(0, 40), toLine(row))}>
                  复制
                </Button>
              </Group>
            </Stack>
          );
        }}
      </Loaded>
    </Modal>
  );
}
