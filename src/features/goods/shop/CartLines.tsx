import { CloseButton } from '@mantine/core';
import { formatYuan } from '#domain/base/money.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import type { GoodsRow } from '#features/goods/goods.contract.ts';
import { contentWords, priceWords } from '#features/goods/goodsWords.ts';
import { setCartQty, type CartLine } from '#features/goods/shop/cart.ts';
import { QtyInput } from '#features/goods/shop/QtyInput.tsx';
import classes from './shop.module.css';

/** A line of the cart with its goods as they are on sale now; undefined when they are not any more. */
export interface CartGoods extends CartLine {
  goods: GoodsRow | undefined;
}

interface Props {
  items: readonly CartGoods[];
  onValid: (goodsid: number, isValid: boolean) => void;
}

/** The goods of the cart with their quantities. Goods that are no longer on sale can only be removed. */
export const CartLines = ({ items, onValid }: Props) => (
  <ul className={classes['lines']}>
    {items.map(({ goodsid, qty, goods }) => {
      const name = goods?.goodsname ?? '已下架的商品';
      return (
        <li key={goodsid} className={classes['line']} data-goods={goodsid}>
          <Cover kind="goods" title={name} src={goods?.coverurl ?? ''} shape="square" />
          <div className={classes['what']}>
            <span className={classes['goodsname']}>{name}</span>
            <span className={classes['note']}>
              {goods ? `${contentWords(goods)}，单价 ${priceWords(goods.price)}` : '出售方已下架，请移出清单'}
            </span>
          </div>
          {goods && (
            <div className={classes['amount']}>
              <QtyInput
                label={`${name}的数量`}
                qty={qty}
                stock={goods.stock}
                onChange={(next) => setCartQty(goodsid, next)}
                onValid={(isValid) => onValid(goodsid, isValid)}
              />
              <span>{formatYuan(goods.price * qty)} 元</span>
            </div>
          )}
          <CloseButton
            className={classes['remove'] ?? ''}
            aria-label={`移除${name}`}
            onClick={() => {
              onValid(goodsid, true);
              setCartQty(goodsid, 0);
            }}
          />
        </li>
      );
    })}
  </ul>
);
