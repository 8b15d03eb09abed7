import { Text } from '@mantine/core';
import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import { createRetestTask } from '#features/task/task.contract.ts';

interface Props {
  person: { cuserid: string; username: string; appid: string };
  /** The case that the retest belongs to: its history shows the retest. */
  warningcode?: string | null;
  /** The plan that the person answered last. */
  plancode?: string | null;
  onClose: () => void;
}

/** 安排复测: chooses the plan and the period. The person finds it at the institution's entry; the result goes to the case. */
export function RetestDrawer({ person, warningcode, plancode, onClose }: Props) {
  const today = shanghaiDate(new Date());
  const plans = useActionQuery(getMUserExamPlanPage, { appid: person.appid, status: 1, page: 1, pageSize: 100 });
  const form = useActionForm(createRetestTask, {
    initial: {
      cuserids: [person.cuserid],
      ...(warningcode ? { warningcode } : {}),
      ...(plancode ? { plancode } : {}),
      round: '03',
      endtime: `${shanghaiTime(addDays(new Date(), 7)).slice(0, 10)} 18:00`,
    },
    onDone: onClose,
    successMessage: '已安排复测',
  });
  const chosen = plans.data?.rows.find((row) => row.plancode === form.values.plancode);
  return (
    <FormDrawer title={`安排复测：${person.username}`} onClose={onClose} form={form} save="安排复测">
      <SelectField
        {...form.field('plancode')}
        required
        options={(plans.data?.rows ?? []).map((row) => ({
          value: row.plancode,
          label: `${row.planname}（${row.itemcount} 题 · 约 ${row.minutes} 分钟）`,
        }))}
      />
      {chosen && (
        <Text size="sm" c="dimmed">
          {chosen.forms.map((item) => item.formname).join('、')}
        </Text>
      )}
      <MomentField {...form.field('begintime')} min={today} placeholder="不填为现在开始" />
      <MomentField {...form.field('endtime')} min={today} placeholder="不填为开始后 7 天" />
      <Text size="sm" c="dimmed">
        占用 1 次测评次数。请本人扫描机构二维码或打开入口链接作答；与上次测评间隔 14 天以上，结果才反映近两周的变化。
      </Text>
    </FormDrawer>
  );
}
