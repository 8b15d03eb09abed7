import { Input, Stack } from '@mantine/core';
import { GoodsType, VisibleScope } from '#domain/order/order.ts';
import { PopulationField } from '#blocks/content/ReaderFields.tsx';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { EnumRadio, NumberField } from '#ui/form/fields.tsx';
import { MoneyField } from '#ui/form/MoneyField.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { GoodsRow, insertGoods } from '#features/goods/goods.contract.ts';
import { ContentFields } from '#features/goods/page/ContentFields.tsx';
import classes from './goods.module.css';

interface Props {
  form: ActionForm<typeof insertGoods>;
  /** the saved goods; undefined for new ones */
  goods: GoodsRow | undefined;
  onCover: (url: string | undefined) => void;
  /** the names of the chosen plan and course, for the preview */
  onContent: (names: { planname?: string; coursename?: string }) => void;
}

/** Everything of goods beside their name and description. The type is chosen once: orders rely on it. */
export function GoodsFields({ form, goods, onCover, onContent }: Props) {
  const type = form.field('goodstype');
  const chooseType = (goodstype: unknown) => {
    form.set('goodstype', goodstype);
    // The server refuses fields that the type does not have.
    for (const name of ['plancode', 'qty', 'courseid', 'validdays'] as const) form.set(name, undefined);
  };
  return (
    <Stack gap="md">
      {goods ? (
        <Input.Wrapper label="商品类型" labelElement="div">
          <div>{GoodsType.label(goods.goodstype)}</div>
        </Input.Wrapper>
      ) : (
        <EnumRadio {...type} onChange={chooseType} of={GoodsType} />
      )}
      <ContentFields
        form={form}
        goods={goods}
        goodstype={goods?.goodstype ?? form.values.goodstype ?? ''}
        onContent={onContent}
      />
      <div className={classes['pair']}>
        <MoneyField {...form.field('price')} />
        <MoneyField {...form.field('marketprice')} placeholder="可不填" />
      </div>
      <div className={classes['pair']}>
        <NumberField {...form.field('stock')} min={0} suffix=" 件" description="不填表示不限" />
        <NumberField {...form.field('ordernum')} min={0} max={9999} description="数字小的排在前面" />
      </div>
      <PictureField
        label="封面"
        use="goods"
        savedUrl={goods?.coverurl ?? ''}
        value={form.values.coverfileid}
        error={form.error('coverfileid')}
        data-path="coverfileid"
        onPick={(fileid, url) => {
          form.set('coverfileid', fileid);
          onCover(url);
        }}
        hint="建议 16:9，上架前需要上传"
      />
      <EnumRadio {...form.field('visiblescope')} of={VisibleScope} />
      <PopulationField form={form as never} />
    </Stack>
  );
}
