import { Text } from '@mantine/core';
import { GoodsType } from '#domain/order/order.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { NumberField, SelectField } from '#ui/form/fields.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import { anyPlan } from '#features/assesscount/wallet.contract.ts';
import { getCoursePageList } from '#features/classroom/course.contract.ts';
import type { GoodsRow, insertGoods } from '#features/goods/goods.contract.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import classes from './goods.module.css';

interface Props {
  form: ActionForm<typeof insertGoods>;
  goods: GoodsRow | undefined;
  goodstype: string;
  onContent: (names: { planname?: string; coursename?: string }) => void;
}

/** What goods of a type contain: counts of a plan, a course, or nothing that the platform delivers itself. */
export function ContentFields(props: Props) {
  const { goodstype } = props;
  if (goodstype === GoodsType.counts) return <CountFields {...props} />;
  if (goodstype === GoodsType.course) return <CourseFields {...props} />;
  return (
    <Text size="sm" c="dimmed">
      {goodstype === GoodsType.thing
        ? '买方下单时填写收货人、电话和地址；寄出后在订单里登记交付。'
        : '付款后按约定提供服务；完成后在订单里登记交付。'}
    </Text>
  );
}

const ANY = { value: anyPlan, label: '不限方案' };

function CountFields({ form, goods, onContent }: Props) {
  const mayRead = can(getMUserExamPlanPage);
  const plans = useActionQuery(
    getMUserExamPlanPage,
    mayRead ? { page: 1, pageSize: 200, status: 1, iscommon: 1, orderby: 'planname', isasc: '1' } : undefined,
  );
  const saved = goods?.plancode ? [{ value: goods.plancode, label: goods.planname }] : [];
  const rows = (plans.data?.rows ?? []).map(({ planroot, planname }) => ({ value: planroot, label: planname }));
  // Several versions have the same lineage; the saved plan may no longer be in the list.
  const options = [...new Map([...saved, ANY, ...rows].map((option) => [option.value, option])).values()];
  return (
    <>
      <SelectField
        {...form.field('plancode')}
        options={options}
        placeholder={mayRead && plans.isPending ? '正在读取方案' : '请选择方案'}
        onChange={(plancode: string | null) => {
          form.set('plancode', plancode);
          onContent({ planname: options.find(({ value }) => value === plancode)?.label ?? '' });
        }}
      />
      <Text size="xs" c="dimmed" mt={-10}>
        {mayRead
          ? '列出下级机构能用的公共方案；方案改版后次数照常可用。含附条件使用（B 类）量表的方案不能收费。'
          : '选择具体方案需要“方案库”权限，请联系本机构管理员。'}
      </Text>
      <div className={classes['pair']}>
        <NumberField {...form.field('qty')} min={1} suffix=" 次" description="一份包含的次数" />
        <DaysField form={form} />
      </div>
    </>
  );
}

function CourseFields({ form, goods, onContent }: Props) {
  const mayRead = can(getCoursePageList);
  const courses = useActionQuery(
    getCoursePageList,
    mayRead ? { page: 1, pageSize: 200, status: 1, orderby: 'ordernum', isasc: '1' } : undefined,
  );
  const saved = goods?.courseid ? [{ value: goods.courseid, label: goods.coursename }] : [];
  const rows = (courses.data?.rows ?? [])
    .filter(({ free }) => free === 0)
    .map(({ courseid, title }) => ({ value: courseid, label: title }));
  const options = [...new Map([...saved, ...rows].map((option) => [option.value, option])).values()];
  return (
    <>
      <SelectField
        {...form.field('courseid')}
        options={options}
        placeholder={mayRead && courses.isPending ? '正在读取课程' : '请选择课程'}
        onChange={(courseid: number | null) => {
          form.set('courseid', courseid);
          onContent({ coursename: options.find(({ value }) => value === courseid)?.label ?? '' });
        }}
      />
      <Text size="xs" c="dimmed" mt={-10}>
        {!mayRead
          ? '选择课程需要“云课堂”权限，请联系本机构管理员。'
          : courses.data && options.length === 0
            ? '云课堂里还没有上架的收费课程，请先在云课堂上架。'
            : '列出云课堂里已上架的收费课程。'}
      </Text>
      <DaysField form={form} />
    </>
  );
}

const DaysField = ({ form }: Pick<Props, 'form'>) => (
  <NumberField {...form.field('validdays')} min={1} max={3660} suffix=" 天" description="付款后起算，不填为长期" />
);
