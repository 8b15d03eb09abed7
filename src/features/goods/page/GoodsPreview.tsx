import { Modal } from '@mantine/core';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getGoodsDetail } from '#features/goods/goods.contract.ts';
import { GoodsView, type ShownGoods } from '#features/goods/shop/GoodsView.tsx';

/** Goods as a buyer sees them, with what the editor holds now. */
export const GoodsPreview = ({ goods, onClose }: { goods: ShownGoods; onClose: () => void }) => (
  <Modal opened onClose={onClose} title="买方看到的样子" size={860}>
    <GoodsView goods={goods} />
  </Modal>
);

/** Goods of the list as they are saved. */
export function SavedPreview({ goodsid, onClose }: { goodsid: number; onClose: () => void }) {
  const read = useActionQuery(getGoodsDetail, { goodsid }, { quiet: true });
  return (
    <Modal opened onClose={onClose} title="买方看到的样子" size={860}>
      <Loaded read={read} skeleton={<Skeletons.Lines count={8} />}>
        {(goods) => <GoodsView goods={goods} />}
      </Loaded>
    </Modal>
  );
}
