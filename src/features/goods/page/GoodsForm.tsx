import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useCallback, useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { ListingStatus, type GoodsTypeCode } from '#domain/order/order.ts';
import type { ResponseOf } from '#contract/action.ts';
import { TextConflict } from '#blocks/content/TextConflict.tsx';
import { RichText, type RichTextHandle } from '#blocks/richtext/RichText.tsx';
import { useUser } from '#ui/api/session.ts';
import { notify } from '#ui/feedback/notify.ts';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import { useLocalCopy } from '#ui/form/useLocalCopy.ts';
import { useNavigate } from '#ui/router/router.tsx';
import type { getGoodsDetail, insertGoods } from '#features/goods/goods.contract.ts';
import { GoodsFields } from '#features/goods/page/GoodsFields.tsx';
import { GoodsPreview } from '#features/goods/page/GoodsPreview.tsx';
import { confirmOnSale, LIST_PATH, ListingBadge } from '#features/goods/page/listing.tsx';
import type { ShownGoods } from '#features/goods/shop/GoodsView.tsx';
import classes from './goods.module.css';

/** Why the goods cannot go on sale, with the field to mend. */
export interface ListingFault {
  field: string;
  why: string;
}

interface Props {
  form: ActionForm<typeof insertGoods>;
  /** the saved goods; undefined for new ones */
  goods?: ResponseOf<typeof getGoodsDetail>;
  /** the values as they are saved, for the copy in this browser */
  saved: Readonly<Record<string, unknown>>;
  fault?: ListingFault | undefined;
  isListing?: boolean;
  /** Puts saved goods on sale, or takes them off. */
  onToggle?: () => void;
  /** Says whether the save that begins now leads on to the sale. */
  onSubmit: (leadsOn: boolean) => void;
}

/** Returns the form with the fault of the listing at its field, until the field changes. */
function useListingFault(form: Props['form'], fault: ListingFault | undefined): Props['form'] {
  const value = fault && form.values[fault.field];
  const [seen, setSeen] = useState({ fault, value });
  // A new refusal: from now on a change of its field hides it.
  if (seen.fault !== fault) setSeen({ fault, value });
  const shown = fault && seen.fault === fault && seen.value === value ? fault : undefined;
  const { place } = form;
  useEffect(() => {
    if (!fault) return;
    const input = place.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(fault.field)}"]`);
    if (input) input.focus();
    else notify.error(fault.why);
  }, [fault, place]);
  const errorOf = (name: string) => form.error(name) ?? (shown?.field === name ? shown.why : undefined);
  return {
    ...form,
    error: errorOf,
    field: ((name: never, type: never) => ({ ...form.field(name, type), error: errorOf(name) })) as typeof form.field,
  };
}

/** The editor of goods: name and description at the left, everything else at the right. */
export function GoodsForm({ form: plainForm, goods, saved, fault, isListing = false, onToggle, onSubmit }: Props) {
  const navigate = useNavigate();
  const { insname } = useUser();
  const form = useListingFault(plainForm, fault);
  const handle = useRef<RichTextHandle>(undefined);
  const [cover, setCover] = useState<string>();
  const [chosen, setChosen] = useState<{ planname?: string; coursename?: string }>({});
  const [preview, setPreview] = useState<ShownGoods>();
  const copy = useLocalCopy(form as never, `goods.${goods?.goodsid ?? 'new'}`, saved);
  const readDetail = useCallback(() => handle.current?.read() ?? '', []);
  const { values } = form;
  const isOnSale = goods?.listingstatus === ListingStatus.onsale;

  const submit = (leadsOn: boolean) => {
    const { running, failed } = handle.current?.pictures() ?? { running: 0, failed: 0 };
    if (running > 0) return notify.warn(`还有 ${running} 张图片没有传完，传完后再保存`);
    if (failed > 0) return notify.warn(`有 ${failed} 张图片没有传上去，请重试或移除后再保存`);
    readDetail();
    onSubmit(leadsOn);
    form.submit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    submit(false);
  };
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  /** The goods as the form holds them now. */
  const shown = (): ShownGoods => ({
    goodsname: values.goodsname ?? '',
    goodstype: (goods?.goodstype ?? values.goodstype) as GoodsTypeCode,
    planname: chosen.planname ?? goods?.planname ?? '',
    coursename: chosen.coursename ?? goods?.coursename ?? '',
    qty: numberOf(values.qty),
    validdays: numberOf(values.validdays),
    price: numberOf(values.price) ?? 0,
    marketprice: numberOf(values.marketprice),
    stock: numberOf(values.stock),
    coverurl: values.coverfileid === undefined ? (goods?.coverurl ?? '') : values.coverfileid === null ? '' : (cover ?? ''),
    appids: values.appids ?? [],
    insname: goods?.insname ?? insname,
    detail: readDetail(),
  });
  const toggle = async () => {
    if (goods && !form.dirty) return onToggle?.();
    const { goodsname, price, stock } = shown();
    // Without name or price the form shows what is missing.
    if (goodsname.trim() === '' || typeof values.price !== 'number') return submit(true);
    if (await confirmOnSale({ goodsname, price, stock, visiblescope: values.visiblescope ?? '01' })) submit(true);
  };
  return (
    <form
      ref={form.place}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit(false);
      }}
    >
      <header className={classes['bar']}>
        <div className={classes['name']}>
          <h1 title={values.goodsname}>{values.goodsname || (goods ? '未命名商品' : '新商品')}</h1>
          {goods && <ListingBadge status={goods.listingstatus} />}
        </div>
        <Group gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {form.busy ? '保存中…' : form.dirty ? '有未保存的修改' : goods ? '已保存' : ''}
          </Text>
          <Button variant="default" onClick={() => navigate(LIST_PATH)}>
            返回
          </Button>
          <Button variant="default" onClick={() => setPreview(shown())}>
            预览
          </Button>
          {isOnSale && (
            <Button variant="default" loading={isListing} onClick={onToggle}>
              下架
            </Button>
          )}
          <Button type="submit" variant={isOnSale ? 'filled' : 'default'} loading={form.busy}>
            保存
          </Button>
          {!isOnSale && (
            <Button disabled={form.busy} loading={isListing} onClick={() => void toggle()}>
              上架
            </Button>
          )}
        </Group>
      </header>
      {copy.isRestored && (
        <Alert color="gray" p="xs" mb="sm" withCloseButton closeButtonLabel="知道了" onClose={copy.hideNotice}>
          已恢复上次没有保存的修改。{copy.isOutdated && '之后有人保存过这件商品，保存时会逐项比较。'}
          <Button variant="subtle" size="compact-sm" ml={6} onClick={copy.discard}>
            {goods ? '改用已保存的内容' : '重新开始'}
          </Button>
        </Alert>
      )}
      {isOnSale && form.dirty && (
        <Text size="sm" c="dimmed" mb="sm">
          这件商品在售，保存后买方立即看到修改；已提交的订单不变。
        </Text>
      )}
      <ConflictNotice form={form} />
      <div className={classes['columns']}>
        <section className={classes['card']} aria-label="名称与详情">
          <TextInput {...form.field('goodsname')} size="md" maxLength={60} mb="md" placeholder="如 中学生心理普查 500 次" />
          <RichText
            label="商品详情"
            name="detail"
            use="goods"
            value={values.detail ?? ''}
            onChange={(detail) => form.set('detail', detail)}
            error={
              form.error('detail') && (
                <TextConflict
                  label="详情"
                  error={form.error('detail')}
                  preview={(detail, close) => <GoodsPreview goods={{ ...shown(), detail }} onClose={close} />}
                />
              )
            }
            onReady={(ready) => (handle.current = ready)}
          />
        </section>
        <section className={classes['card']} aria-label="设置">
          <GoodsFields
            form={form}
            goods={goods}
            onCover={setCover}
            onContent={(names) => setChosen((before) => ({ ...before, ...names }))}
          />
        </section>
      </div>
      {preview && <GoodsPreview goods={preview} onClose={() => setPreview(undefined)} />}
    </form>
  );
}
