import { ListingStatus } from '#domain/order/order.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import type { GoodsRow } from '#features/goods/goods.contract.ts';
import { priceWords } from '#features/goods/goodsWords.ts';

export const LIST_PATH = '/operations/goodsManagement';
export const EDIT_PATH = `${LIST_PATH}/edit`;

/** 待上架, 在售 or 下架. */
export const ListingBadge = ({ status }: { status: number }) => (
  <EnumBadge of={ListingStatus} code={status} tones={{ [ListingStatus.onsale]: 'green', [ListingStatus.draft]: 'amber' }} />
);

type Listed = Pick<GoodsRow, 'goodsname' | 'price' | 'stock' | 'visiblescope'>;

/** Asks before goods go on sale; true when confirmed. */
export const confirmOnSale = ({ goodsname, price, stock, visiblescope }: Listed): Promise<boolean> =>
  confirm({
    title: '上架商品',
    yes: '上架',
    text: `上架“${goodsname}”？${visiblescope === '02' ? '直属下级机构' : '全部下级机构'}可以按 ${priceWords(price)}选购，${
      stock === null ? '库存不限' : `库存 ${stock} 件`
    }。`,
  });

/** Asks before goods are taken off sale; true when confirmed. */
export const confirmOffSale = ({ goodsname }: Pick<GoodsRow, 'goodsname'>): Promise<boolean> =>
  confirm({
    title: '下架商品',
    yes: '下架',
    text: `下架“${goodsname}”？下级机构不能再选购，已提交的订单不受影响，之后可以重新上架。`,
  });
