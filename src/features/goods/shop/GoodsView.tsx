import { useId, type ReactNode } from 'react';
import { GoodsType } from '#domain/order/order.ts';
import { ArticleBody } from '#blocks/content/ArticleBody.tsx';
import { Cover } from '#blocks/content/Cover.tsx';
import { populationWords } from '#blocks/content/ReaderFields.tsx';
import type { GoodsRow } from '#features/goods/goods.contract.ts';
import { contentWords, priceWords, stockWords, validityWords } from '#features/goods/goodsWords.ts';
import classes from './shop.module.css';

/** What a buyer sees of goods. */
export type ShownGoods = Pick<
  GoodsRow,
  | 'goodsname'
  | 'goodstype'
  | 'planname'
  | 'qty'
  | 'validdays'
  | 'coursename'
  | 'price'
  | 'marketprice'
  | 'stock'
  | 'coverurl'
  | 'appids'
  | 'insname'
> & { detail: string };

/** The price, and beside it the former one struck through. */
export const Price = ({ goods: { price, marketprice } }: { goods: Pick<GoodsRow, 'price' | 'marketprice'> }) => (
  <span className={classes['price']}>
    <b>{priceWords(price)}</b>
    {marketprice !== null && marketprice > price && (
      <s>
        <span className={classes['hidden']}>划线价 </span>
        {priceWords(marketprice)}
      </s>
    )}
  </span>
);

/** Goods as their buyer sees them: cover, price, contents, description. `children` are the controls to order them. */
export function GoodsView({ goods, children }: { goods: ShownGoods; children?: ReactNode }) {
  const titleId = useId();
  const facts = [
    ['类型', GoodsType.label(goods.goodstype)],
    ['每份包含', goods.goodstype === GoodsType.counts || goods.goodstype === GoodsType.course ? contentWords(goods) : ''],
    ['有效期', validityWords(goods)],
    ['适用人群', populationWords(goods.appids)],
    ['库存', `${stockWords(goods.stock)}${goods.stock ? ' 件' : ''}`],
    ['出售方', goods.insname],
  ].filter(([, words]) => words !== '');
  return (
    <article className={classes['view']} aria-labelledby={titleId}>
      <div className={classes['lead']}>
        <div className={classes['picture']}>
          <Cover kind="goods" title={goods.goodsname} src={goods.coverurl} />
        </div>
        <div className={classes['summary']}>
          <h2 id={titleId} className={classes['headline']}>
            {goods.goodsname || '（还没有名称）'}
          </h2>
          <Price goods={goods} />
          <dl className={classes['facts']}>
            {facts.map(([title, words]) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
          {children}
        </div>
      </div>
      {goods.detail && (
        <div className={classes['detail']}>
          <ArticleBody html={goods.detail} />
        </div>
      )}
    </article>
  );
}
