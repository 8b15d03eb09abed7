import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { GoodsType, ListingStatus, VisibleScope } from '#domain/order/order.ts';
import { call } from '#ui/api/call.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate, useSearchParams } from '#ui/router/router.tsx';
import {
  getGoodsDetail,
  getGoodsPageList,
  insertGoods,
  updateGoods,
  updateListingStatus,
} from '#features/goods/goods.contract.ts';
import { GoodsForm, type ListingFault } from '#features/goods/page/GoodsForm.tsx';
import { confirmOffSale, confirmOnSale } from '#features/goods/page/listing.tsx';

type Detail = ResponseOf<typeof getGoodsDetail>;

/** 编辑商品: goods of the institution, or new ones. */
export default function GoodsEditPage() {
  const [params] = useSearchParams();
  const goodsid = Math.trunc(Number(params.get('goodsid'))) || 0;
  const read = useActionQuery(getGoodsDetail, goodsid > 0 ? { goodsid } : undefined, { quiet: true });
  if (goodsid <= 0) return <NewGoods />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(goods) => <OwnGoods key={goods.goodsid} goods={goods} />}
    </Loaded>
  );
}

const empty: Partial<RequestOf<typeof insertGoods>> = {
  goodsname: '',
  goodstype: GoodsType.counts,
  detail: '',
  appids: [],
  visiblescope: VisibleScope.all,
  ordernum: 0,
};

/** Tells what the server removed from the description. */
const notifyRemoved = (removed: readonly string[] = []) => {
  if (removed.length > 0) notify.info(`为了安全，去掉了详情里不支持的内容：${removed.join('、')}`);
};

/** After the first save the page goes on with the saved goods. */
function NewGoods() {
  const navigate = useNavigate();
  const leadsOn = useRef(false);
  const form = useActionForm(insertGoods, {
    initial: empty,
    invalidates: [getGoodsPageList],
    onDone: ({ goodsid, removed }) => {
      notifyRemoved(removed);
      navigate(`?goodsid=${goodsid}${leadsOn.current ? '&step=list' : ''}`, { replace: true });
    },
  });
  return <GoodsForm form={form} saved={empty} onSubmit={(next) => (leadsOn.current = next)} />;
}

/** The values of the form. The cover is sent only when it changes. */
const valuesOf = (goods: Detail) => ({
  goodsid: goods.goodsid,
  version: goods.version,
  goodsname: goods.goodsname,
  plancode: goods.plancode,
  qty: goods.qty,
  validdays: goods.validdays,
  courseid: goods.courseid,
  price: goods.price,
  marketprice: goods.marketprice,
  stock: goods.stock,
  detail: goods.detail,
  appids: goods.appids,
  visiblescope: goods.visiblescope,
  ordernum: goods.ordernum,
});

function OwnGoods({ goods }: { goods: Detail }) {
  const { goodsid } = goods;
  const [params, setParams] = useSearchParams();
  const leadsOn = useRef(false);
  const [fault, setFault] = useState<ListingFault>();
  const affected = [getGoodsPageList, getGoodsDetail];
  const saved = valuesOf(goods);
  const change = useActionMutation(updateListingStatus, { invalidates: affected, quiet: true });
  const list = async (listingstatus: 1 | 2) => {
    try {
      await change.mutateAsync({ goodsid, listingstatus });
      setFault(undefined);
      notify.done(listingstatus === ListingStatus.onsale ? '已上架' : '已下架');
    } catch (error) {
      if (error instanceof ApiError && error.field) setFault({ field: error.field, why: error.message });
      else notifyError(error);
    }
  };
  const form = useActionForm(updateGoods, {
    initial: saved,
    invalidates: affected,
    reread: async () => valuesOf(await call(getGoodsDetail, { goodsid })),
    onDone: ({ removed }) => {
      notifyRemoved(removed);
      setFault(undefined);
      if (leadsOn.current) void list(ListingStatus.onsale);
    },
  });

  // The list or the first save sends here to put the goods on sale.
  const isLed = params.get('step') === 'list';
  const goOn = useEffectEvent(() => {
    setParams({ goodsid: String(goodsid) }, { replace: true });
    void list(ListingStatus.onsale);
  });
  useEffect(() => {
    if (isLed) goOn();
  }, [isLed]);

  const toggle = async () => {
    if (goods.listingstatus === ListingStatus.onsale) {
      if (await confirmOffSale(goods)) await list(ListingStatus.off);
    } else if (await confirmOnSale(goods)) await list(ListingStatus.onsale);
  };
  return (
    <GoodsForm
      form={form as never}
      goods={goods}
      saved={saved}
      fault={fault}
      isListing={change.isPending}
      onToggle={() => void toggle()}
      onSubmit={(next) => (leadsOn.current = next)}
    />
  );
}
