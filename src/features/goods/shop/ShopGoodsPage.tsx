import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiError } from '#contract/apiError.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Section } from '#ui/display/Section.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { Link, useParams } from '#ui/router/router.tsx';
import { getGoodsDetail, type GoodsRow } from '#features/goods/goods.contract.ts';
import { CartButton } from '#features/goods/shop/CartButton.tsx';
import { useCart } from '#features/goods/shop/cart.ts';
import { GoodsView } from '#features/goods/shop/GoodsView.tsx';
import { QtyInput } from '#features/goods/shop/QtyInput.tsx';
import { SHOP_PATH } from '#features/goods/shop/shopPath.ts';
import { useAddToCart } from '#features/goods/shop/useAddToCart.ts';
import { insertOrder } from '#features/order/order.contract.ts';
import classes from './shop.module.css';

const NOT_FOUND = 130001;
/** A number that no goods have: an address without a number gets the same friendly answer. */
const NO_GOODS = 2_147_483_647;

const back = (
  <Link to={SHOP_PATH} style={{ fontSize: 14 }}>
    ‹ 返回选购
  </Link>
);

/** Goods on sale with their description, and the way into the cart. */
export default function ShopGoodsPage() {
  const text = useParams()['goodsid'] ?? '';
  const goodsid = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : NO_GOODS;
  const read = useActionQuery(getGoodsDetail, { goodsid }, { quiet: true });
  const [isCartOpen, setIsCartOpen] = useState(false);
  if (!read.data && !read.error) return <Skeletons.Page />;
  const isGone = read.error instanceof ApiError && read.error.code === NOT_FOUND;
  return (
    <Section>
      <div className={classes['head']}>
        {back}
        {can(insertOrder) && <CartButton isOpen={isCartOpen} setIsOpen={setIsCartOpen} />}
      </div>
      {isGone ? (
        <Stack align="center" gap={6} py={44} role="status">
          <IconPackageOff size={36} stroke={1.2} color="var(--ink-2)" aria-hidden />
          <Text fw={500}>商品已下架</Text>
          <Text size="sm" c="dimmed" ta="center">
            出售方已不再出售，可以看看别的商品
          </Text>
        </Stack>
      ) : read.data ? (
        <GoodsView key={goodsid} goods={read.data}>
          {can(insertOrder) && <OrderControls goods={read.data} openCart={() => setIsCartOpen(true)} />}
        </GoodsView>
      ) : (
        <ErrorState error={read.error} retry={() => void read.refetch()} />
      )}
    </Section>
  );
}

function OrderControls({ goods, openCart }: { goods: GoodsRow; openCart: () => void }) {
  const add = useAddToCart();
  const { lines } = useCart();
  const [qty, setQty] = useState(1);
  const [isValid, setIsValid] = useState(true);
  const inCart = lines.find(({ goodsid }) => goodsid === goods.goodsid)?.qty ?? 0;
  const left = goods.stock === null ? null : Math.max(0, goods.stock - inCart);
  if (left === 0)
    return <Text c="dimmed">{goods.stock === 0 ? '已售完，请联系出售方' : '库存都已在清单里，可以打开清单提交订单'}</Text>;
  const put = async (opens: boolean) => {
    if (!isValid || !(await add(goods, qty))) return;
    if (opens) openCart();
    else notify.done('已加入清单');
    setQty(1);
  };
  return (
    <Group align="flex-start" gap="sm" className={classes['controls'] ?? ''}>
      <QtyInput label="数量" isLabelled qty={qty} stock={left} onChange={setQty} onValid={setIsValid} />
      <Button variant="default" disabled={!isValid} onClick={() => void put(false)}>
        加入清单
      </Button>
      <Button disabled={!isValid} onClick={() => void put(true)}>
        立即选购
      </Button>
    </Group>
  );
}
