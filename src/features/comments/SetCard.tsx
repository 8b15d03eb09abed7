import { Button, Group, Text } from '@mantine/core';
import { bandText } from '#domain/scoring/scoringText.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { Can } from '#ui/api/Can.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { ReplayPanel } from '#blocks/replay/ReplayPanel.tsx';
import { BandBar } from '#ui/charts/BandBar.tsx';
import { Badge, LevelBadge, type Tone } from '#ui/display/badges.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import {
  deleteQuotaFormOption,
  getQuotaFormOptionList,
  insertQuotaFormOption,
  updateQuotaFormOption,
} from '#features/bandset/bandset.contract.ts';
import { toBarBands, toTrial, type ShownSet } from '#features/comments/bandSets.ts';
import classes from './bands.module.css';

const states: Record<ShownSet['state'], [Tone, string]> = {
  inforce: ['green', '使用中'],
  edited: ['amber', '有修改未启用'],
  draft: ['gray', '草稿'],
};
const sources = { definition: '定义', above: '上级', own: '本机构' } as const;

/** One set of bands: its institution and persons, its bar, its rows with their texts, and what may be done with it. */
export function SetCard({ set, definition, onEdit }: { set: ShownSet; definition: ShownSet; onEdit?: () => void }) {
  const { rows, source, state } = set;
  const [first] = rows;
  const mode = rows[0]?.halfopen === 1 ? 'halfopen' : 'closed';
  const [tone, words] = states[state];
  return (
    <section className={classes['set']} aria-label={`${sources[source]}分级，${set.persons}`}>
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Text fw={600}>{sources[source]}</Text>
          <Text size="sm" c="dimmed">
            {source === 'definition'
              ? `版本 ${rows[0]?.formversion}`
              : source === 'above'
                ? `${set.insname} · ${set.persons}`
                : set.persons}
          </Text>
          {source !== 'definition' && <Badge tone={tone}>{words}</Badge>}
          {set.isOriginChanged && <Badge tone="amber">上级已更新</Badge>}
          {set.validfrom && (
            <Text size="xs" c="dimmed">
              {state === 'edited' ? '原分级' : ''}自 {set.validfrom.slice(0, 16)} 起使用
            </Text>
          )}
        </Group>
        {onEdit && <Acts set={set} onEdit={onEdit} />}
      </Group>
      <BandBar
        bands={toBarBands(rows)}
        min={definition.rows[0]?.minscore ?? null}
        max={definition.rows.at(-1)?.maxscore ?? null}
        halfopen={mode === 'halfopen'}
        label={`${sources[source]}分级：${rows.map((row) => row.levelname).join('，')}`}
      />
      <ul className={classes['rows']}>
        {rows.map((row) => (
          <li key={`${row.optionid} ${row.minscore} ${row.ordernum}`}>
            <span className={classes['limits']}>
              {bandText([row.minscore, row.maxscore, row.level as Level, row.levelname], mode)} 分
            </span>
            <LevelBadge level={row.level} label={`${row.level} 级`} />
            <span>{row.levelname}</span>
            {[row.comment && '评语', row.staffcomment && '工作人员评语', row.suggestion && '建议'].some(Boolean) && (
              <span className={classes['texts']}>
                已写：
                {[row.comment && '评语', row.staffcomment && '工作人员评语', row.suggestion && '建议'].filter(Boolean).join('、')}
              </span>
            )}
          </li>
        ))}
      </ul>
      {first && source === 'own' && state !== 'inforce' && (
        <Can call={updateQuotaFormOption}>
          <ReplayPanel kind="bands" content={toTrial(first.quotacode, first, rows)} />
        </Can>
      )}
    </section>
  );
}

/** The buttons of a set of the own institution, or of one above. */
function Acts({ set, onEdit }: { set: ShownSet; onEdit: () => void }) {
  const invalidates = [getQuotaFormOptionList];
  const update = useActionMutation(updateQuotaFormOption, { invalidates, successMessage: '操作成功' });
  const remove = useActionMutation(deleteQuotaFormOption, { invalidates, successMessage: '删除成功' });
  const optionid = set.rows[0]?.optionid;
  if (optionid === null || optionid === undefined) return null;
  const switchTo = async (enabled: 0 | 1) => {
    const text =
      enabled === 1
        ? `启用后，${set.persons}新交的答卷按这套分级判定等级、预警和报告用语；已交的答卷不变。`
        : `停用后，${set.persons}新交的答卷按上级或定义的分级判定；已交的答卷不变。`;
    if (await confirm({ title: enabled === 1 ? '启用分级' : '停用分级', text, yes: enabled === 1 ? '启用' : '停用' }))
      update.mutate({ optionid, enabled });
  };
  const askToRemove = async () => {
    if (await confirm({ text: `删除${set.persons}的这套分级草稿？`, yes: '删除', danger: true }))
      remove.mutate({ optionid, whole: 1 });
  };
  if (set.source === 'above')
    return (
      <Can call={insertQuotaFormOption}>
        <Button variant="subtle" size="compact-sm" onClick={onEdit}>
          复制为本机构分级
        </Button>
      </Can>
    );
  return (
    <Can call={updateQuotaFormOption}>
      <Group gap={4}>
        <Button variant="subtle" size="compact-sm" onClick={onEdit}>
          修改
        </Button>
        {set.state !== 'inforce' && (
          <Button variant="light" size="compact-sm" loading={update.isPending} onClick={() => void switchTo(1)}>
            启用
          </Button>
        )}
        {set.validfrom && (
          <Button variant="subtle" size="compact-sm" onClick={() => void switchTo(0)}>
            停用
          </Button>
        )}
        {!set.validfrom && (
          <Button variant="subtle" color="red" size="compact-sm" onClick={() => void askToRemove()}>
            删除
          </Button>
        )}
      </Group>
    </Can>
  );
}
