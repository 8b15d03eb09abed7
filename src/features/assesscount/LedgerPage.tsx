import { Anchor } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import { CountKind } from '#domain/base/enums.ts';
import { pathOf } from '#contract/menu.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { ExportButton, filtersOf } from '#blocks/export/ExportButton.tsx';
import { EnumFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useList } from '#ui/list/useList.ts';
import { CountFilters, ForPlanFilter } from '#features/assesscount/CountFilters.tsx';
import { figures, formatSharedFilters, formatSigned } from '#features/assesscount/count.labels.ts';
import { NoCounts } from '#features/assesscount/NoCounts.tsx';
import { SumSkeleton, SumLine } from '#features/assesscount/SumLine.tsx';
import {
  exportPlanAuthorizeDetails,
  getPlanAuthorizeCount,
  getPlanAuthorizeDetails,
} from '#features/assesscount/ledger.contract.ts';

const tones = {
  '01': 'green',
  '02': 'green',
  '03': 'amber',
  '04': 'lime',
  '05': 'gray',
  '06': 'orange',
  '07': 'red',
  '08': 'orange',
} as const;
const column = columnsOf(getPlanAuthorizeDetails);
const columns = [
  column('time', '时间', (time) => <span style={{ whiteSpace: 'nowrap' }}>{time}</span>, { width: 170, sort: true }),
  column('insname', '机构', { width: 150 }),
  column('planname', '方案', (name, row) => (row.forplanname ? `${name}（${row.forplanname}）` : name), {
    width: 190,
    hint: '次数属于哪个方案；“不限方案”的次数可用于任何方案，括号中是实际使用的方案',
  }),
  column('kind', '类型', (kind) => <EnumBadge of={CountKind} code={kind} tones={tones} />, { width: 100 }),
  column('qty', '变动次数', formatSigned, { width: 90, align: 'right' }),
  column('balance', '变动后余量', (free) => formatNumber(free), {
    width: 100,
    align: 'right',
    hint: '这一条之后还可使用的次数；使用的次数此前已冻结，不再减少余量',
  }),
  column('enddate', '有效期至', (day) => day ?? '—', { width: 110, hidden: true, hint: '这些次数的最后使用日' }),
  column('username', '受测者', { width: 100 }),
  column('partyname', '往来机构', { width: 160, hidden: true }),
  column('operatorname', '操作人', { width: 96 }),
  column('remark', '说明'),
  column('logid', '流水号', { hidden: true, align: 'right' }),
];

/** 方案授权明细: the lines of the ledger with their sums. */
export default function LedgerPage() {
  const list = useList(getPlanAuthorizeDetails);
  const [params] = useSearchParams();
  const read = useActionQuery(getPlanAuthorizeDetails, list.request as never, { quiet: true });
  const { sum, kinds } = read.data ?? {};
  const isBalance = !list.filters['kind'] && !list.filters['forplan'] && !list.filters['begindate'] && !list.filters['enddate'];
  return (
    <ListPage
      list={list}
      filters={
        <>
          <CountFilters />
          <EnumFilter name="kind" label="类型" of={CountKind} />
          <ForPlanFilter />
        </>
      }
      toolbar={<ExportButton action={exportPlanAuthorizeDetails} request={filtersOf(list.request)} title="方案授权明细" />}
      lead={
        can(getPlanAuthorizeCount) && (
          <Anchor component={Link} size="sm" to={`${pathOf('data.counts')}${formatSharedFilters(params)}`}>
            查看统计
          </Anchor>
        )
      }
    >
      {list.loading && <SumSkeleton />}
      {sum && kinds && kinds.length > 0 && (
        <SumLine
          label={isBalance ? '合计' : '所选范围内的变动'}
          figures={
            isBalance
              ? figures(sum)
              : kinds.map(({ kind, qty, lines }) => ({
                  name: `${CountKind.label(kind)}（${lines} 条）`,
                  value: formatSigned(qty),
                  unit: '次',
                  definition: '所选范围内的变动，不是结余',
                }))
          }
        />
      )}
      <DataTable
        list={list}
        columns={columns}
        rowKey="logid"
        label="方案授权明细"
        {...(Object.keys(list.filters).length === 0
          ? { empty: <NoCounts title="还没有次数变动" hint="发放、冻结、使用、释放和过期都会逐条记录在这里" /> }
          : {})}
      />
    </ListPage>
  );
}
