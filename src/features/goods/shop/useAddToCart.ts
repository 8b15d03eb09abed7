import { confirm } from '#ui/feedback/confirm.tsx';
import { notify } from '#ui/feedback/notify.ts';
import type { GoodsRow } from '#features/goods/goods.contract.ts';
import { addToCart, isOtherSeller, MAX_LINES, useCart } from '#features/goods/shop/cart.ts';

/** Returns the way into the cart. Goods of another seller ask first, because an order has one seller. */
export function useAddToCart() {
  const { insname } = useCart();
  return async (goods: GoodsRow, qty: number): Promise<boolean> => {
    if (isOtherSeller(goods.musercode)) {
      const text = `选购清单里是“${insname}”的商品，一张订单只能选购同一家机构的商品。清空清单，改为选购“${goods.insname}”的商品？`;
      if (!(await confirm({ text, yes: '清空并加入' }))) return false;
    }
    if (addToCart(goods, qty)) return true;
    notify.warn(`一张订单最多 ${MAX_LINES} 种商品，请先提交清单里的商品`);
    return false;
  };
}
