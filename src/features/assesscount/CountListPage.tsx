import { Anchor, Button, Text } from '@mantine/core';
import { pathOf } from '#contract/menu.ts';
import { formatNumber } from '#domain/base/number.ts';
import { CountKind } from '#domain/base/enums.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { SelectFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { CountFilters } from '#features/assesscount/CountFilters.tsx';
import { figures, formatSharedFilters } from '#features/assesscount/count.labels.ts';
import { NoCounts } from '#features/assesscount/NoCounts.tsx';
import { SumSkeleton, SumLine } from '#features/assesscount/SumLine.tsx';
import {
  exportPlanAuthorizeCount,
  getPlanAuthorizeCount,
  getPlanAuthorizeDetails,
  type CountRow,
} from '#features/assesscount/ledger.contract.ts';

const figureOptions = { width: 76, align: 'right', sort: true } as const;
const column = columnsOf(getPlanAuthorizeCount);
const columns = [
  column('insname', '机构', { sort: true, width: 150 }),
  column('planname', '方案', (name, row) => <Uses name={name} row={row} />, { width: 150 }),
  column('granted', '获得', (value, row) => <FigureLink value={value} row={row} />, figureOptions),
  column('used', '已使用', (value, row) => <FigureLink value={value} row={row} kind={CountKind.use} />, figureOptions),
  column('frozen', '冻结', (value, row) => <FigureLink value={value} row={row} />, {
    ...figureOptions,
    hint: '当前数，不随日期变化',
  }),
  column('expired', '已过期', (value, row) => <FigureLink value={value} row={row} kind={CountKind.expiry} />, figureOptions),
  column('free', '剩余', (free, row) => <Free free={free} low={row.low} />, {
    ...figureOptions,
    width: 112,
    hint: '当前数，不随日期变化；不足获得次数的十分之一时标出',
  }),
  column('enddate', '有效期至', (day, row) => <End day={day} row={row} />, {
    width: 150,
    sort: true,
    hint: '最近一批到期的日期和次数；每次发放的次数各有各的有效期，先到期的先使用',
  }),
  column('peoplecount', '授权人数', (value, row) => <FigureLink value={value} row={row} kind={CountKind.freeze} />, {
    width: 72,
    align: 'right',
  }),
  column('lastusetime', '最近使用', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 104, hidden: true }),
];

/** A figure with a link to its ledger lines. */
function FigureLink({ value, row, kind }: { value: number; row: CountRow; kind?: string }) {
  const [params] = useSearchParams();
  if (!value || !can(getPlanAuthorizeDetails)) return formatNumber(value);
  const { musercode, plancode, insname } = row;
  const to = `${pathOf('data.details')}${formatSharedFilters(params, { musercode, plancode, ...(kind ? { kind } : {}) })}`;
  return (
    <Link to={to} aria-label={`${insname} ${formatNumber(value)}，查看明细`}>
      {formatNumber(value)}
    </Link>
  );
}

/** The plan of a wallet. For a wallet for any plan it also shows the three plans with the most use. */
function Uses({ name, row }: { name: string; row: CountRow }) {
  const [params] = useSearchParams();
  if (row.uses.length === 0) return name;
  const { musercode, plancode } = row;
  const text = (use: CountRow['uses'][number]) => `${use.planname} ${formatNumber(use.used)} 次`;
  return (
    <>
      {name}
      {row.uses.slice(0, 3).map((use) => (
        <Text key={use.plancode} size="xs" c="dimmed" component="div">
          {can(getPlanAuthorizeDetails) && use.plancode !== plancode ? (
            <Anchor
              component={Link}
              inherit
              to={`${pathOf('data.details')}${formatSharedFilters(params, { musercode, plancode, forplan: use.plancode })}`}
            >
              {text(use)}
            </Anchor>
          ) : (
            text(use)
          )}
        </Text>
      ))}
      {row.uses.length > 3 && (
        <Text size="xs" c="dimmed">
          等 {row.uses.length} 个方案
        </Text>
      )}
    </>
  );
}

function Free({ free, low }: { free: number; low: number }) {
  return low === 2 ? (
    <Badge tone="red">无剩余</Badge>
  ) : low === 1 ? (
    <Badge tone="orange">{`${formatNumber(free)} 余量不足`}</Badge>
  ) : (
    formatNumber(free)
  );
}
/** The next last day of free counts, with their number when not all of them end then. */
function End({ day, row: { free, ending, expiring } }: { day: string | null; row: CountRow }) {
  if (!day) return free > 0 ? '长期' : '—';
  const text = ending < free ? `${day}（${formatNumber(ending)} 次）` : day;
  return expiring === 2 ? (
    <Badge tone="red">{`${text} 已到期`}</Badge>
  ) : expiring === 1 ? (
    <Badge tone="orange">{`${text} 即将到期`}</Badge>
  ) : (
    text
  );
}

/** 方案授权统计: wallets by institution and plan, with their sums. */
export default function CountListPage() {
  const list = useList(getPlanAuthorizeCount);
  const [params] = useSearchParams();
  const { data } = useActionQuery(getPlanAuthorizeCount, list.request as never, { quiet: true });
  const hasDays = Boolean(list.filters['begindate'] ?? list.filters['enddate']);
  const details = (row?: CountRow) =>
    `${pathOf('data.details')}${formatSharedFilters(params, row ? { musercode: row.musercode, plancode: row.plancode } : {})}`;
  return (
    <ListPage
      list={list}
      filters={
        <>
          <CountFilters />
          <SelectFilter
            name="low"
            label="余量"
            options={[
              { value: 1, label: '余量不足' },
              { value: 0, label: '充足' },
            ]}
          />
          <SelectFilter name="expiring" label="有效期" options={[{ value: 1, label: '30 天内到期或已到期' }]} />
        </>
      }
      toolbar={
        <ExportButton
          action={exportPlanAuthorizeCount}
          request={filtersOf(list.request)}
          total={data?.total}
          title="方案授权统计"
        />
      }
      lead={
        can(getPlanAuthorizeDetails) && (
          <Anchor component={Link} size="sm" to={details()}>
            查看明细
          </Anchor>
        )
      }
    >
      {list.loading && <SumSkeleton />}
      {data && data.total > 0 && (
        <SumLine
          label="合计"
          figures={[
            ...figures(data.sum).map((tile) =>
              hasDays && (tile.name === '冻结' || tile.name === '剩余')
                ? { ...tile, name: `当前${tile.name}`, definition: '当前数，不随日期变化' }
                : tile,
            ),
            { name: '授权人数', value: data.sum.peoplecount, unit: '人', definition: '为其冻结过次数的受测者，每人计一次' },
          ]}
        />
      )}
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        label="方案授权统计"
        {...(can(getPlanAuthorizeDetails)
          ? {
              actions: (row: CountRow) => (
                <Button variant="subtle" size="compact-sm" component={Link} to={details(row)}>
                  明细
                </Button>
              ),
            }
          : {})}
        {...(Object.keys(list.filters).length === 0
          ? { empty: <NoCounts title="还没有次数" hint="在“机构管理”中给机构发放次数后，这里按机构和方案统计" /> }
          : {})}
      />
    </ListPage>
  );
}
