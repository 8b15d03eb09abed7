import { Button, Group, Pagination, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { Can } from '#ui/api/Can.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { scrollToTop } from '#ui/display/scrollToTop.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { pageLabels } from '#ui/display/pageLabels.ts';
import { getQuotaList } from '#features/form/form.contract.ts';
import {
  deleteComment,
  getCommentCoverage,
  getCommentPageList,
  insertComment,
  updateComment,
  type CommentRow,
} from '#features/comments/comments.contract.ts';
import { TextDrawer } from '#features/comments/texts/TextDrawer.tsx';
import {
  appOptions,
  audienceLabel,
  audienceOptions,
  levelOptions,
  ownerLabel,
  ownerOptions,
  sectionLabel,
  sectionOptions,
  whoLabel,
} from '#features/comments/texts/words.ts';
import classes from './texts.module.css';

const PAGE_SIZE = 20;
type Filters = Partial<Record<'section' | 'audience' | 'quotacode' | 'appid' | 'level' | 'owner' | 'enabled', string>>;

/** 段落: the paragraphs of the institution, of those above and of the platform. */
export function TextsTab() {
  const [filters, setFilters] = useState<Filters>({});
  const [keyword, setKeyword] = useState('');
  const [words] = useDebouncedValue(keyword.trim(), 300);
  const [page, setPage] = useState(1);
  const [editing, setEditing] = useState<CommentRow | 'new'>();
  const { level, enabled, ...codes } = filters;
  const list = useActionQuery(
    getCommentPageList,
    {
      ...(codes as object),
      ...(level === undefined ? {} : { level: Number(level) }),
      ...(enabled === undefined ? {} : { enabled: Number(enabled) }),
      ...(words ? { keyword: words } : {}),
      ...{ page, pageSize: PAGE_SIZE },
    },
    { keepPrevious: true },
  );
  const quotas = useActionQuery(getQuotaList, {}, { quiet: true });
  const remove = useActionMutation(deleteComment, {
    invalidates: [getCommentPageList, getCommentCoverage],
    successMessage: '删除成功',
  });
  const filter = (
    name: keyof Filters,
    label: string,
    options: readonly { value: string | number; label: string }[],
    width = 150,
  ) => (
    <Select
      label={label}
      w={width}
      clearable
      placeholder="全部"
      searchable={options.length > 8}
      data={options.map((option) => ({ value: String(option.value), label: option.label }))}
      value={filters[name] ?? null}
      onChange={(next) => {
        setPage(1);
        setFilters(({ [name]: _, ...rest }) => (next === null ? rest : { ...rest, [name]: next }));
      }}
    />
  );
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        {filter('section', '位置', sectionOptions, 170)}
        {filter('audience', '读者', audienceOptions, 130)}
        {filter(
          'quotacode',
          '得分',
          (quotas.data ?? []).map((row) => ({ value: row.quotacode, label: `${row.formname} · ${row.quotaname}` })),
          240,
        )}
        {filter('level', '等级', levelOptions, 110)}
        {filter('appid', '人群', appOptions, 150)}
        {filter('owner', '来源', ownerOptions, 120)}
        {filter(
          'enabled',
          '状态',
          [
            { value: '1', label: '启用' },
            { value: '0', label: '停用' },
          ],
          110,
        )}
        <TextInput
          label="文字或编号"
          placeholder="搜索"
          w={180}
          value={keyword}
          onChange={(event) => {
            setPage(1);
            setKeyword(event.currentTarget.value);
          }}
        />
        <Can call={insertComment}>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            新增段落
          </Button>
        </Can>
      </Group>
      <Loaded read={list} skeleton={<Skeletons.Lines count={8} />}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <EmptyState title="没有符合条件的段落" hint="可以放宽筛选条件，或新增一段" />
          ) : (
            <>
              <Text size="sm" c="dimmed">
                共 {total} 段。报告使用提交测评时有效的文字；本机构的优先于上级，上级的优先于平台。
              </Text>
              <ol className={classes['rows']}>
                {rows.map((row) => (
                  <li key={row.commentid}>
                    <TextLine
                      row={row}
                      onEdit={() => setEditing(row)}
                      onDelete={() => remove.mutateAsync({ commentid: row.commentid })}
                    />
                  </li>
                ))}
              </ol>
              {total > PAGE_SIZE && (
                <Pagination
                  {...pageLabels}
                  total={Math.ceil(total / PAGE_SIZE)}
                  value={page}
                  onChange={(to) => {
                    setPage(to);
                    scrollToTop();
                  }}
                />
              )}
            </>
          )
        }
      </Loaded>
      {editing && <TextDrawer row={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </Stack>
  );
}

function TextLine({ row, onEdit, onDelete }: { row: CommentRow; onEdit: () => void; onDelete: () => unknown }) {
  const score = row.quotaname ? `${row.formname} · ${row.quotaname}` : row.formname;
  const facts = [
    sectionLabel(row.section),
    audienceLabel(row.audience),
    score,
    row.level === null ? '' : `${row.level} 级`,
    whoLabel(row),
    row.cond ? '另有条件' : '',
  ];
  return (
    <Group justify="space-between" gap="sm" align="flex-start">
      <div className={classes['words']}>
        <Group gap="xs" mb={4}>
          <Badge tone={row.owner === 'own' ? 'green' : row.owner === 'above' ? 'lime' : 'gray'}>
            {row.owner === 'above' ? row.insname : ownerLabel(row.owner)}
          </Badge>
          {row.isoutdated === 1 && <Badge tone="orange">上级已更新</Badge>}
          {row.enabled === 0 && <Badge tone="gray">已停用</Badge>}
          <Text size="sm" c="dimmed">
            {facts.filter(Boolean).join(' · ')}
          </Text>
        </Group>
        <Text className={classes['text'] ?? ''}>{row.template}</Text>
        <Text size="xs" c="dimmed" mt={4}>
          {row.commentid}
          {row.originid ? ` · 改自 ${row.originid}` : ''}
        </Text>
      </div>
      <Can call={updateComment}>
        <Group gap={4}>
          <Button variant="subtle" size="compact-sm" onClick={onEdit} aria-label={`修改 ${row.commentid}`}>
            {row.owner === 'own' ? '修改' : '改为本机构的'}
          </Button>
          {row.owner === 'own' && <ConfirmButton name={row.commentid} onConfirm={onDelete} />}
        </Group>
      </Can>
    </Group>
  );
}
