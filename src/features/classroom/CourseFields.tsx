import { NumberInput, TextInput } from '@mantine/core';
import { ReaderFields } from '#blocks/content/ReaderFields.tsx';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { LongTextField, NumberField, numberOf, SwitchField } from '#ui/form/fields.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { CourseRow, insertCourse } from '#features/classroom/course.contract.ts';

/** The fields of a new and of an existing course. */
export function CourseFields({ form, row }: { form: ActionForm<typeof insertCourse>; row?: CourseRow }) {
  return (
    <>
      <TextInput {...form.field('title')} data-autofocus />
      <TextInput {...form.field('lecturer')} placeholder="姓名和职称，如 方敏 心理治疗师" />
      <LongTextField {...form.field('intro')} maxLength={2000} />
      <PictureField
        {...form.field('coverfileid')}
        use="course"
        savedUrl={row?.coverurl ?? ''}
        value={form.values.coverfileid}
        onPick={(next) => form.set('coverfileid', next)}
        hint="16:9 的横图最佳，可以不设"
      />
      <ReaderFields form={form as never} />
      <SwitchField {...form.field('free')} words="本机构和下级机构都可以学习" />
      {form.values.free !== 1 && <PriceField form={form} />}
      <NumberField {...form.field('ordernum')} description="数字小的排在前面" min={0} max={9999} />
    </>
  );
}

/** The price in 元; the form sends 分. */
function PriceField({ form }: { form: ActionForm<typeof insertCourse> }) {
  const { price } = form.values;
  return (
    <NumberInput
      label="价格（元）"
      description="只用于展示，机构选购后才能学习；试看的课时除外"
      data-path="price"
      error={form.error('price')}
      min={0}
      decimalScale={2}
      thousandSeparator=","
      value={typeof price === 'number' ? price / 100 : ''}
      onChange={(value) => {
        const yuan = numberOf(value);
        form.set('price', typeof yuan === 'number' ? Math.round(yuan * 100) : undefined);
      }}
    />
  );
}
