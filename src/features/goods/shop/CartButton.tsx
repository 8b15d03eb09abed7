import { Button } from '@mantine/core';
import { IconShoppingCart } from '@tabler/icons-react';
import { formatNumber } from '#domain/base/number.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useCart } from '#features/goods/shop/cart.ts';
import classes from './shop.module.css';

const CartDrawer = lazyDialog(() => import('#features/goods/shop/CartDrawer.tsx').then((file) => file.CartDrawer));

/** Opens the cart, and says how much is in it. */
export function CartButton({ isOpen, setIsOpen }: { isOpen: boolean; setIsOpen: (isOpen: boolean) => void }) {
  const { lines } = useCart();
  const count = lines.reduce((sum, { qty }) => sum + qty, 0);
  return (
    <>
      <Button
        variant={count > 0 ? 'filled' : 'default'}
        leftSection={<IconShoppingCart size={16} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        选购清单
        {count > 0 && `（${formatNumber(count)} 件）`}
      </Button>
      <span role="status" className={classes['hidden']}>
        {count > 0 ? `清单里有 ${formatNumber(count)} 件` : ''}
      </span>
      {isOpen && <CartDrawer onClose={() => setIsOpen(false)} />}
    </>
  );
}
