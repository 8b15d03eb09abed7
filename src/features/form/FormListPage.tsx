import { Anchor, Button, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { Appid, FormType, LicenceTier } from '#domain/base/enums.ts';
import { ImportScaleButton } from '#blocks/scaleexchange/ImportScaleButton.tsx';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { savePreference, readPreference } from '#ui/api/preference.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { useList, type List } from '#ui/list/useList.ts';
import { NewFormDialog } from '#blocks/scaleversions/NewFormDialog.tsx';
import { Can } from '#ui/api/Can.tsx';
import { insertForm } from '#features/scaleeditor/scaleeditor.contract.ts';
import { getFormPageList, type FormRow } from '#features/form/form.contract.ts';
import { formatAgeRange, formPath, formatPopulations, tierTones } from '#features/form/form.labels.ts';
import classes from './form.module.css';

const column = columnsOf(getFormPageList);
const columns = [
  column(
    'formname',
    '量表',
    (name, row) => (
      <Anchor component={Link} fz={14} to={formPath(row.formcode)}>
        {name}
      </Anchor>
    ),
    { sort: true },
  ),
  column('formcode', '编码', { width: 110 }),
  column('formtype', '类型', FormType.label, { width: 100 }),
  column('tier', '授权', (tier) => <EnumBadge of={LicenceTier} code={tier} tones={tierTones} />, { width: 130, sort: true }),
  column('appids', '适用人群', formatPopulations, { width: 170 }),
  column.of('age', '适用年龄', (row) => formatAgeRange(row.agemin, row.agemax), { width: 110 }),
  column('itemcount', '题数', { width: 70, align: 'right', sort: true }),
  column('minutes', '用时', (minutes) => `${minutes} 分钟`, { width: 80, align: 'right', sort: true }),
  column.of('usable', '状态', (row) => <UsableBadge row={row} />, { width: 110 }),
  column('currentversion', '版本', { width: 80, hidden: true }),
  column('citation', '出处', { hidden: true }),
];

/** Shows whether the institution may use a form, and otherwise why not. */
export function UsableBadge({
  row,
}: {
  row: Pick<FormRow, 'usable' | 'staffonly' | 'tier' | 'enabled' | 'status' | 'blockers'>;
}) {
  if (row.status === 0) return <Badge tone="amber">草稿</Badge>;
  if (!row.enabled || row.status === 2) return <Badge tone="gray">已停用</Badge>;
  if (!row.usable)
    return (
      <Badge tone="amber" shape={1}>
        {blockedTitle(row)}
      </Badge>
    );
  return row.staffonly ? <Badge tone="lime">仅工作人员施测</Badge> : <Badge tone="green">可用</Badge>;
}

function blockedTitle({ tier, blockers }: Pick<FormRow, 'tier' | 'blockers'>): string {
  if (blockers.some((reason) => reason.includes('撤回'))) return '现行版本已撤回';
  if (blockers.some((reason) => reason.includes('到期'))) return '授权已到期';
  return tier === 'B' ? '待确认条件' : '待上传文字';
}

const FORM_STATUSES = [
  { value: 1, label: '已发布' },
  { value: 0, label: '草稿' },
  { value: 2, label: '已停用' },
];

type View = 'cards' | 'table';

/** 量表库: the forms that the institution can see, with the reasons why it may not use one. */
export default function FormListPage() {
  const list = useList(getFormPageList);
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  const [view, setView] = useState<View>(readPreference<View>('form.view') ?? 'cards');
  const chooseView = (next: string) => {
    setView(next as View);
    savePreference('form.view', next);
  };
  const empty = (
    <EmptyState
      filtered={Object.keys(list.filters).length > 0}
      reset={() => list.setFilters({})}
      {...(Object.keys(list.filters).length > 0 ? {} : { title: '还没有量表', hint: '可以新建量表，或请平台、服务商开通' })}
    />
  );
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="formname" label="名称或编码" />
          <EnumFilter name="appid" label="适用人群" of={Appid} />
          <EnumFilter name="formtype" label="类型" of={FormType} />
          <EnumFilter name="tier" label="授权" of={LicenceTier} />
          <EnumFilter name="status" label="状态" of={{ options: FORM_STATUSES }} />
        </>
      }
      lead={`共 ${formatNumber(list.total)} 个量表`}
      toolbar={
        <Group gap="sm">
          <Can call={insertForm}>
            <Button size="sm" onClick={() => setIsAdding(true)}>
              新建量表
            </Button>
          </Can>
          <ImportScaleButton />
          <SegmentedControl
            aria-label="显示方式"
            value={view}
            onChange={chooseView}
            data={[
              { value: 'cards', label: '卡片' },
              { value: 'table', label: '表格' },
            ]}
          />
          {isAdding && <NewFormDialog onClose={() => setIsAdding(false)} />}
        </Group>
      }
    >
      {view === 'cards' ? (
        <Cards list={list} empty={empty} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          rowKey="formcode"
          label="量表列表"
          onOpen={(row) => void navigate(formPath(row.formcode))}
          empty={empty}
        />
      )}
    </ListPage>
  );
}

function Cards({ list, empty }: { list: List<typeof getFormPageList>; empty: React.ReactNode }) {
  if (list.error) return <ErrorState error={list.error} retry={list.refresh} />;
  if (list.loading) return <Skeletons.Tiles count={3} />;
  if (list.rows.length === 0) return empty;
  return (
    <ul className={classes['cards']} aria-busy={list.refreshing}>
      {list.rows.map((row) => (
        <li key={row.formcode}>
          <Link to={formPath(row.formcode)} className={classes['card']}>
            <span className={classes['top']}>
              <EnumBadge of={LicenceTier} code={row.tier} tones={tierTones} />
              <UsableBadge row={row} />
            </span>
            <strong className={classes['name']}>{row.formname}</strong>
            <span className={classes['meta']}>
              {FormType.label(row.formtype)} · {row.itemcount} 题 · 约 {row.minutes} 分钟
            </span>
            <span className={classes['meta']}>
              {formatPopulations(row.appids)} · {formatAgeRange(row.agemin, row.agemax)}
            </span>
            {row.blockers[0] && <span className={classes['blocker']}>{row.blockers[0]}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
