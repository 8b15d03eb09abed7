import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { scorecodeOf } from '#domain/scoring/bandset/applyBandsets.ts';
import { Can } from '#ui/api/Can.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import { getQuotaFormOptionList, insertQuotaFormOption } from '#features/bandset/bandset.contract.ts';
import { toSets, type ShownSet } from '#features/comments/bandSets.ts';
import { SetCard } from '#features/comments/SetCard.tsx';
import { getQuotaList } from '#features/form/form.contract.ts';

const BandSetDrawer = lazyDialog(() => import('#features/comments/BandSetDrawer.tsx').then((file) => file.BandSetDrawer));

/** 分级与评语: the bands of a score by the definition, above and of the own institution, with their texts. */
export function BandsTab() {
  const [params, setParams] = useSearchParams();
  const quotas = useActionQuery(getQuotaList, {});
  const named = params.get('quotacode') ?? 'PHQ9.total';
  const formcode = params.get('formcode') ?? named.slice(0, named.indexOf('.'));
  const choose = (next: string) => setParams(new URLSearchParams({ quotacode: next }), { replace: true });
  return (
    <Loaded read={quotas} skeleton={<Skeletons.Lines count={6} />}>
      {(rows) => {
        const forms = [...new Map(rows.map((row) => [row.formcode, row.formname]))];
        const scores = rows.filter((row) => row.formcode === formcode);
        const firstOf = (code: string) =>
          rows.find((row) => row.formcode === code && row.isprimary === 1) ?? rows.find((row) => row.formcode === code);
        // A link may name the questionnaire only.
        const quotacode = scores.some((row) => row.quotacode === named) ? named : (firstOf(formcode)?.quotacode ?? named);
        return (
          <Stack gap="md">
            <Group gap="sm" align="flex-end">
              <Select
                label="量表"
                searchable
                allowDeselect={false}
                w={{ base: '100%', xs: 320 }}
                value={formcode}
                data={forms.map(([value, label]) => ({ value, label }))}
                onChange={(next) => next && choose(firstOf(next)?.quotacode ?? quotacode)}
              />
              <Select
                label="得分"
                allowDeselect={false}
                w={{ base: '100%', xs: 220 }}
                value={quotacode}
                data={scores.map((row) => ({ value: row.quotacode, label: row.quotaname }))}
                onChange={(next) => next && choose(next)}
              />
            </Group>
            <Sets key={quotacode} quotacode={quotacode} scorecodes={scores.map((row) => row.scorecode)} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** The sets of a score: the definition first, then those above, then the own ones. */
function Sets({ quotacode, scorecodes }: { quotacode: string; scorecodes: readonly string[] }) {
  const list = useActionQuery(getQuotaFormOptionList, { quotacode, pageSize: 200 });
  const [editing, setEditing] = useState<{ from: ShownSet; isNew: boolean }>();
  return (
    <Loaded read={list} skeleton={<Skeletons.Lines count={6} />}>
      {({ rows }) => {
        const sets = toSets(rows);
        const [definition] = sets.filter(({ source }) => source === 'definition');
        const others = sets.filter(({ source }) => source !== 'definition');
        if (!definition) return <EmptyState title="该得分没有分级" hint="没有分级的得分不产生等级和预警" />;
        return (
          <Stack gap="md">
            <SetCard set={definition} definition={definition} />
            {others.map((set) => (
              <SetCard
                key={set.key}
                set={set}
                definition={definition}
                onEdit={() => setEditing({ from: set, isNew: set.source === 'above' })}
              />
            ))}
            {others.length === 0 && (
              <Text size="sm" c="dimmed">
                目前全部人群都按定义分级。可以为本机构设置更严的分级，或只改名称与评语；等级不能低于定义和上级。
              </Text>
            )}
            <Can call={insertQuotaFormOption}>
              <Group>
                <Button
                  variant="default"
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onClick={() => setEditing({ from: definition, isNew: true })}
                >
                  新建本机构分级
                </Button>
              </Group>
            </Can>
            {editing && (
              <BandSetDrawer
                {...editing}
                rows={rows}
                code={scorecodeOf(quotacode)}
                scorecodes={scorecodes}
                onClose={() => setEditing(undefined)}
              />
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
