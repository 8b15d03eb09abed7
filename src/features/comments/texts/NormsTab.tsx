import { Button, Group, Select, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Gender } from '#domain/base/enums.ts';
import { Can } from '#ui/api/Can.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { NumberField, SelectField, SwitchField, type Field } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getQuotaList } from '#features/form/form.contract.ts';
import { deleteNorm, getNormPageList, insertNorm, updateNorm, type NormRow } from '#features/norm/norm.contract.ts';
import { ownerLabel, whoLabel } from '#features/comments/texts/words.ts';
import classes from './texts.module.css';

/** 常模: means and standard deviations that versions of questionnaires copy. */
export function NormsTab() {
  const [quotacode, setQuotacode] = useState<string | null>(null);
  const [editing, setEditing] = useState<NormRow | 'new'>();
  const quotas = useActionQuery(getQuotaList, {}, { quiet: true });
  const norms = useActionQuery(getNormPageList, { pageSize: 200, ...(quotacode ? { quotacode } : {}) }, { keepPrevious: true });
  const remove = useActionMutation(deleteNorm, { invalidates: [getNormPageList], successMessage: '删除成功' });
  const options = (quotas.data ?? []).map((row) => ({ value: row.quotacode, label: `${row.formname} · ${row.quotaname}` }));
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <Select
          label="得分"
          w={300}
          clearable
          searchable
          placeholder="全部"
          data={options}
          value={quotacode}
          onChange={setQuotacode}
        />
        <Can call={insertNorm}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            新增常模
          </Button>
        </Can>
      </Group>
      <Text size="sm" c="dimmed">
        这里是备选的常模。量表的每个版本带着自己的一份，改动这里不会改变已发布版本的得分。
      </Text>
      <Loaded read={norms} skeleton={<Skeletons.Lines count={6} />}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title="还没有常模" hint="录入本地普查或文献中的均值与标准差，并写明来源" />
          ) : (
            <div className={classes['grid']} role="region" aria-label="常模列表" tabIndex={0}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    {['名称', '得分', '适用', '均值 ± 标准差', '样本量', '来源', '归属', ''].map((head, index) => (
                      <Table.Th key={head || index}>{head}</Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((row) => (
                    <Table.Tr key={row.normid}>
                      <Table.Td>
                        {row.normname}
                        {row.enabled === 0 ? '（停用）' : ''}
                      </Table.Td>
                      <Table.Td>
                        {row.formname} · {row.quotaname}
                      </Table.Td>
                      <Table.Td>{[whoLabel({ ...row, appid: null }), row.region].filter(Boolean).join(' · ') || '不限'}</Table.Td>
                      <Table.Td>
                        {row.mean} ± {row.sd}
                      </Table.Td>
                      <Table.Td>{row.n ?? '—'}</Table.Td>
                      <Table.Td>
                        {row.source}
                        {row.year ? `（${row.year}）` : ''}
                      </Table.Td>
                      <Table.Td>
                        <Badge tone={row.owner === 'own' ? 'green' : 'gray'}>{ownerLabel(row.owner)}</Badge>
                      </Table.Td>
                      <Table.Td>
                        {row.owner === 'own' && (
                          <Can call={updateNorm}>
                            <Group gap={4} wrap="nowrap">
                              <Button variant="subtle" size="compact-sm" onClick={() => setEditing(row)}>
                                修改
                              </Button>
                              <ConfirmButton name={row.normname} onConfirm={() => remove.mutateAsync({ normid: row.normid })} />
                            </Group>
                          </Can>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )
        }
      </Loaded>
      {editing === 'new' && <NewNorm options={options} quotacode={quotacode} onClose={() => setEditing(undefined)} />}
      {editing && editing !== 'new' && <EditNorm row={editing} onClose={() => setEditing(undefined)} />}
    </Stack>
  );
}

interface NewProps {
  options: readonly { value: string; label: string }[];
  quotacode: string | null;
  onClose: () => void;
}

function NewNorm({ options, quotacode, onClose }: NewProps) {
  const form = useActionForm(insertNorm, {
    initial: { enabled: 1, ...(quotacode ? { quotacode } : {}) },
    invalidates: [getNormPageList],
    onDone: onClose,
    successMessage: '新增成功',
  });
  return (
    <FormDrawer title="新增常模" onClose={onClose} form={form}>
      <SelectField {...form.field('quotacode')} options={options} />
      <NormFields field={form.field} />
    </FormDrawer>
  );
}

function EditNorm({ row, onClose }: { row: NormRow; onClose: () => void }) {
  const { normid, version, normname, agemin, agemax, region, mean, sd, n, source, year, enabled } = row;
  const form = useActionForm(updateNorm, {
    initial: {
      ...{ normid, version, normname, agemin, agemax, region, mean, sd, n, source, year, enabled },
      gender: row.gender as '01' | '02' | null,
    },
    invalidates: [getNormPageList],
    onDone: onClose,
  });
  return (
    <FormDrawer title={`修改常模：${normname}`} onClose={onClose} form={form}>
      <NormFields field={form.field} />
    </FormDrawer>
  );
}

type Name = 'normname' | 'gender' | 'agemin' | 'agemax' | 'region' | 'mean' | 'sd' | 'n' | 'source' | 'year' | 'enabled';

function NormFields({ field }: { field: (name: Name) => Field }) {
  return (
    <>
      <TextInput {...(field('normname') as object)} maxLength={50} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <NumberField {...field('mean')} />
        <NumberField {...field('sd')} />
        <SelectField {...field('gender')} options={Gender.options} clearable placeholder="不限" />
        <NumberField {...field('n')} min={1} />
        <NumberField {...field('agemin')} min={0} max={120} suffix=" 岁" />
        <NumberField {...field('agemax')} min={0} max={120} suffix=" 岁" />
        <NumberField {...field('year')} />
        <TextInput {...(field('region') as object)} maxLength={50} />
      </SimpleGrid>
      <TextInput {...(field('source') as object)} maxLength={200} />
      <SwitchField {...field('enabled')} words="可以复制到量表" />
    </>
  );
}
