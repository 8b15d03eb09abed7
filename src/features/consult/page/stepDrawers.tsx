import { Text } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { ConsultAttendance } from '#domain/base/enums.ts';
import { conclusionOptions, gravePhrase } from '#domain/warning/levels.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, LongTextField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useUser } from '#ui/api/session.ts';
import { appendConsult, cancelConsult, missConsult } from '#features/consult/booking/booking.contract.ts';
import { updateConsult, type ConsultDetail } from '#features/consult/register/register.contract.ts';

interface Props {
  consult: ConsultDetail;
  onClose: () => void;
}

/** 爽约: the person did not come. */
export function MissDrawer({ consult, onClose }: Props) {
  const { sector } = useUser();
  const form = useActionForm(missConsult, {
    initial: { consultid: consult.consultid },
    onDone: onClose,
    successMessage: '已登记爽约，可以重新预约',
  });
  return (
    <FormDrawer title={`登记爽约：${consult.username}`} onClose={onClose} form={form} save="登记爽约">
      <Text size="sm">
        {(consult.warninglevel ?? 0) >= 3
          ? `这名受测者的个案属于${gravePhrase(sector)}，爽约会在个案中记为一次联系未成功。`
          : '登记后仍可重新预约或取消。'}
      </Text>
      <LongTextField {...form.field('content')} maxLength={500} />
    </FormDrawer>
  );
}

/** Cancels a registration, perhaps with the later bookings of its series. */
export function CancelDrawer({ consult, onClose }: Props) {
  const later = consult.series.filter(
    ({ status, slotbegin }) => status === '02' && (slotbegin ?? '') > (consult.slotbegin ?? ''),
  ).length;
  const form = useActionForm(cancelConsult, {
    initial: { consultid: consult.consultid, series: 0 },
    onDone: onClose,
    successMessage: '已取消',
  });
  return (
    <FormDrawer title={`取消咨询：${consult.username}`} onClose={onClose} form={form} save="确认取消" isDanger>
      <LongTextField {...form.field('reason')} maxLength={500} />
      {later > 0 && <SwitchField {...form.field('series')} label="同时取消" words={`之后的 ${later} 次每周咨询`} />}
    </FormDrawer>
  );
}

/** An addendum to a finished consultation. */
export function AppendDrawer({ consult, onClose }: Props) {
  const form = useActionForm(appendConsult, {
    initial: { consultid: consult.consultid },
    onDone: onClose,
    successMessage: '已补记',
  });
  return (
    <FormDrawer title={`补记：${consult.username}`} onClose={onClose} form={form}>
      <Text size="sm">补记写入这次咨询的经过，有“干预/随访/咨询记录编辑”权限的同事可以看到，保存后不能删除。</Text>
      <LongTextField {...form.field('content')} maxLength={2000} />
    </FormDrawer>
  );
}

/** Corrects the shared summary of a finished consultation. */
export function EditDrawer({ consult, onClose }: Props) {
  const { sector } = useUser();
  const form = useActionForm(updateConsult, {
    initial: {
      consultid: consult.consultid,
      version: consult.version,
      attendance: consult.attendance ?? '01',
      currentlevel: consult.currentlevel ?? undefined,
      nextdate: consult.nextdate,
      summary: consult.summary,
    },
    onDone: onClose,
    successMessage: '已更正',
  });
  return (
    <FormDrawer title={`更正摘要：${consult.username}`} onClose={onClose} form={form} width={560}>
      <EnumRadio {...form.field('attendance')} of={ConsultAttendance} />
      <SelectField {...form.field('currentlevel')} options={conclusionOptions(sector)} clearable={false} />
      <DayField {...form.field('nextdate')} min={shanghaiDate(new Date())} />
      <LongTextField {...form.field('summary')} maxLength={2000} />
    </FormDrawer>
  );
}
