import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { GoodsType } from '#domain/order/order.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { populations } from '#blocks/content/ReaderFields.tsx';
import { can } from '#ui/api/session.ts';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { Pager } from '#ui/list/Pager.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link } from '#ui/router/router.tsx';
import { getGoodsPageList, type GoodsRow } from '#features/goods/goods.contract.ts';
import { contentWords, validityWords } from '#features/goods/goodsWords.ts';
import { useCart } from '#features/goods/shop/cart.ts';
import { CartButton } from '#features/goods/shop/CartButton.tsx';
import { Price } from '#features/goods/shop/GoodsView.tsx';
import { shopGoodsPath } from '#features/goods/shop/shopPath.ts';
import { useAddToCart } from '#features/goods/shop/useAddToCart.ts';
import { insertOrder } from '#features/order/order.contract.ts';
import classes from './shop.module.css';

/** 选购: the goods that the institutions above have on sale for this one. */
export default function ShopPage() {
  const list = useList(getGoodsPageList, { view: 'shop' });
  const [isCartOpen, setIsCartOpen] = useState(false);
  const filterOf = (name: string) => (typeof list.filters[name] === 'string' ? list.filters[name] : '');
  const [goodstype, appid, keyword] = [filterOf('goodstype'), filterOf('appid'), filterOf('keyword')];
  const choose = (name: string, value: string | null) => list.setFilters({ ...list.filters, [name]: value || undefined });
  const mayOrder = can(insertOrder);
  return (
    <Section>
      <div className={classes['head']}>
        <div className={classes['pills']} role="group" aria-label="商品类型">
          {[{ value: '', label: '全部' }, ...GoodsType.options].map(({ value, label }) => (
            <button key={value} type="button" aria-pressed={value === goodstype} onClick={() => choose('goodstype', value)}>
              {label}
            </button>
          ))}
        </div>
        <div className={classes['tools']}>
          <Select
            aria-label="人群"
            placeholder="全部人群"
            clearable
            data={populations}
            value={appid || null}
            onChange={(next) => choose('appid', next)}
            className={classes['population'] ?? ''}
          />
          <Search key={keyword} keyword={keyword} search={(next) => choose('keyword', next)} />
          {mayOrder && <CartButton isOpen={isCartOpen} setIsOpen={setIsCartOpen} />}
        </div>
      </div>
      {list.error ? (
        <ErrorState error={list.error} retry={list.refresh} />
      ) : list.loading ? (
        <Skeletons.Tiles count={3} />
      ) : list.rows.length === 0 ? (
        goodstype || appid || keyword ? (
          <EmptyState title="没有符合条件的商品" filtered reset={() => list.setFilters({})} />
        ) : (
          <EmptyState title="还没有可以选购的商品" hint="上级机构上架商品后会出现在这里，需要时请联系您的服务商" />
        )
      ) : (
        <>
          <ul className={classes['grid']} aria-label="商品" aria-busy={list.refreshing}>
            {list.rows.map((goods) => (
              <GoodsCard key={goods.goodsid} goods={goods} mayOrder={mayOrder} />
            ))}
          </ul>
          {list.total > Math.min(list.rows.length, list.pageSize) && <Pager list={list} />}
        </>
      )}
    </Section>
  );
}

function GoodsCard({ goods, mayOrder }: { goods: GoodsRow; mayOrder: boolean }) {
  const add = useAddToCart();
  const { lines } = useCart();
  const inCart = lines.find(({ goodsid }) => goodsid === goods.goodsid)?.qty ?? 0;
  const isSoldOut = goods.stock === 0;
  const hasContent = goods.goodstype === GoodsType.counts || goods.goodstype === GoodsType.course;
  return (
    <li className={classes['card']}>
      <Cover kind="goods" title={goods.goodsname} src={goods.coverurl} />
      <div className={classes['text']}>
        <h2 className={classes['title']} title={goods.goodsname}>
          <Link to={shopGoodsPath(goods.goodsid)}>{goods.goodsname}</Link>
        </h2>
        <div className={classes['marks']}>
          <span className={classes['mark']}>{GoodsType.label(goods.goodstype)}</span>
          {goods.stock !== null && goods.stock <= 10 && (
            <span className={classes['mark']} data-quiet>
              {isSoldOut ? '已售完' : `仅余 ${goods.stock} 件`}
            </span>
          )}
        </div>
        {hasContent && <p className={classes['note']}>{contentWords(goods)}</p>}
        {hasContent && <p className={classes['note']}>{validityWords(goods)}</p>}
        <p className={classes['note']}>{goods.insname}</p>
        <div className={classes['foot']}>
          <Price goods={goods} />
          {mayOrder && (
            <Button
              size="compact-sm"
              variant={inCart > 0 ? 'light' : 'default'}
              disabled={isSoldOut || (goods.stock !== null && inCart >= goods.stock)}
              aria-label={`把${goods.goodsname}加入清单${inCart > 0 ? `，已有 ${inCart} 件` : ''}`}
              onClick={() => void add(goods, 1)}
            >
              {inCart > 0 ? `清单 ${inCart} 件` : '加入清单'}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

function Search({ keyword, search }: { keyword: string; search: (keyword: string) => void }) {
  const [text, setText] = useState(keyword);
  return (
    <form
      role="search"
      aria-label="查找商品"
      className={classes['search']}
      onSubmit={(event) => {
        event.preventDefault();
        search(text.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label="商品名称"
        placeholder="按名称查找"
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          text && (
            <CloseButton
              size="sm"
              aria-label="清空名称"
              onClick={() => {
                setText('');
                if (keyword) search('');
              }}
            />
          )
        }
      />
    </form>
  );
}
