import { Group, Select, Stack, Text } from '@mantine/core';
import { useSearchParams } from '#ui/router/router.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getQuotaFilterConditions, getQuotaList } from '#features/form/form.contract.ts';

/** 分级与评语: the bands of a score and their texts. */
export function BandsTab() {
  const [params, setParams] = useSearchParams();
  const quotas = useActionQuery(getQuotaList, {});
  const levels = useActionQuery(getQuotaFilterConditions, {});
  const quotacode = params.get('quotacode') ?? 'PHQ9.total';
  const options = levels.data?.flatMap((form) => form.quotas).find((quota) => quota.quotacode === quotacode)?.options ?? [];
  return (
    <Loaded read={quotas} skeleton={<Skeletons.Lines count={6} />}>
      {(rows) => (
        <Stack gap="md">
          <Group gap="sm">
            <Select
              label="得分"
              searchable
              allowDeselect={false}
              w={320}
              value={quotacode}
              data={rows.map((row) => ({ value: row.quotacode, label: `${row.formname} · ${row.quotaname}` }))}
              onChange={(next) => next && setParams(new URLSearchParams({ quotacode: next }), { replace: true })}
            />
          </Group>
          {options.length === 0 ? (
            <EmptyState title="该得分没有分级" hint="没有分级的得分不产生等级和预警" />
          ) : (
            <Text size="sm">{options.map(({ level, levelname }) => `${levelname}（${level} 级）`).join('；')}</Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
