import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { GoodsType, ListingStatus, VisibleScope } from '#domain/order/order.ts';
import { formatYuan } from '#domain/base/money.ts';
import { ApiError } from '#contract/apiError.ts';
import { ContentTitle } from '#blocks/content/ContentTitle.tsx';
import { populations, populationWords } from '#blocks/content/ReaderFields.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import {
  deleteGoods,
  getGoodsDetail,
  getGoodsPageList,
  updateListingStatus,
  type GoodsRow,
} from '#features/goods/goods.contract.ts';
import { contentWords, stockWords, validityWords } from '#features/goods/goodsWords.ts';
import { confirmOffSale, confirmOnSale, EDIT_PATH, ListingBadge } from '#features/goods/page/listing.tsx';
import classes from './page/goods.module.css';

const SavedPreview = lazyDialog(() => import('#features/goods/page/GoodsPreview.tsx').then((file) => file.SavedPreview));

const column = columnsOf(getGoodsPageList);
const columns = [
  column.of('goodsname', '商品', (row) => <ContentTitle kind="goods" title={row.goodsname} src={row.coverurl} />, {
    width: 230,
  }),
  column('goodstype', '类型', GoodsType.label, { width: 104 }),
  column.of(
    'content',
    '内容',
    (row) =>
      row.goodstype === GoodsType.counts || row.goodstype === GoodsType.course ? (
        <span className={classes['content']}>
          <span data-long>{contentWords(row)}</span>
          <small>{validityWords(row)}</small>
        </span>
      ) : (
        '—'
      ),
    { width: 220 },
  ),
  column('price', '价格（元）', formatYuan, { width: 116, align: 'right', sort: true }),
  column('marketprice', '划线价（元）', (price) => (price === null ? '—' : formatYuan(price)), {
    width: 116,
    align: 'right',
    hidden: true,
  }),
  column('stock', '库存', stockWords, { width: 84, align: 'right' }),
  column('sales', '销量', { width: 84, align: 'right', sort: true, hint: '已付款的件数' }),
  column('listingstatus', '状态', (status) => <ListingBadge status={status} />, { width: 92 }),
  column('appids', '人群', populationWords, { width: 110, hidden: true }),
  column('visiblescope', '可见范围', VisibleScope.label, { width: 104, hidden: true }),
  column('ordernum', '顺序', { width: 80, align: 'right', sort: true, hidden: true }),
  column('updatetime', '修改时间', (time) => <RelativeTime at={time} />, { width: 120, sort: true, hidden: true }),
];

const STATES = [{ value: undefined, label: '全部' }, ...ListingStatus.options] as const;

/** 商品管理: what the institution sells. */
export default function GoodsListPage() {
  const list = useList(getGoodsPageList, { view: 'own' });
  const navigate = useNavigate();
  const [previewed, setPreviewed] = useState<GoodsRow>();
  const affected = [getGoodsPageList, getGoodsDetail];
  const change = useActionMutation(updateListingStatus, { invalidates: affected, quiet: true });
  const remove = useActionMutation(deleteGoods, { invalidates: affected, successMessage: '删除成功' });
  const open = ({ goodsid }: GoodsRow) => navigate(`${EDIT_PATH}?goodsid=${goodsid}`);
  const toggle = async (row: GoodsRow) => {
    const isOnSale = row.listingstatus === ListingStatus.onsale;
    if (!(await (isOnSale ? confirmOffSale : confirmOnSale)(row))) return;
    const { goodsid } = row;
    try {
      await change.mutateAsync({ goodsid, listingstatus: isOnSale ? ListingStatus.off : ListingStatus.onsale });
      notify.done(isOnSale ? '已下架' : '已上架');
    } catch (error) {
      // The editor tries again and shows the refusal at the field to mend.
      if (error instanceof ApiError && error.field) return navigate(`${EDIT_PATH}?goodsid=${goodsid}&step=list`);
      notifyError(error);
    }
  };
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => navigate(EDIT_PATH)}>
      新增商品
    </Button>
  );
  const { listingstatus, ...others } = list.filters;
  const hasFilters = Object.keys(list.filters).length > 0;
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="商品名称" />
          <EnumFilter name="goodstype" label="商品类型" of={GoodsType} />
          <SelectFilter name="appid" label="人群" options={populations} />
        </>
      }
      also={['listingstatus']}
      lead={
        <div role="group" aria-label="状态" className={classes['states']}>
          {STATES.map(({ value, label }) => {
            const isChosen = (listingstatus ?? '') === String(value ?? '');
            return (
              <Button
                key={label}
                size="compact-sm"
                variant={isChosen ? 'light' : 'subtle'}
                color={isChosen ? 'brand' : 'gray'}
                aria-pressed={isChosen}
                onClick={() => list.setFilters(value === undefined ? others : { ...others, listingstatus: String(value) })}
              >
                {label}
              </Button>
            );
          })}
        </div>
      }
      toolbar={create}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="goodsid"
        label="商品列表"
        onOpen={open}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => open(row)}>
              修改
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={() => void toggle(row)}>
              {row.listingstatus === ListingStatus.onsale ? '下架' : '上架'}
            </Button>
            <RowMenu label={`${row.goodsname}的更多操作`}>
              <RowMenuItem onClick={() => setPreviewed(row)}>预览</RowMenuItem>
              {row.listingstatus !== ListingStatus.onsale && (
                <RowMenuDelete name={row.goodsname} onConfirm={() => remove.mutate({ goodsid: row.goodsid })} />
              )}
            </RowMenu>
          </>
        )}
        empty={
          hasFilters ? (
            <EmptyState filtered reset={() => list.setFilters({})} />
          ) : (
            <EmptyState title="还没有商品" hint="新增测评次数包、课程、服务或实物，上架后下级机构可以在“选购”里看到">
              {create}
            </EmptyState>
          )
        }
      />
      {previewed && <SavedPreview goodsid={previewed.goodsid} onClose={() => setPreviewed(undefined)} />}
    </ListPage>
  );
}
