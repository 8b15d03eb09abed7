import { Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { ConsultAttendance, ConsultOutcome } from '#domain/base/enums.ts';
import { conclusionOptions } from '#domain/warning/levels.ts';
import type { RequestOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useNavigate, useSearchParams } from '#ui/router/router.tsx';
import { useUser } from '#ui/api/session.ts';
import { call } from '#ui/api/call.ts';
import { finishConsult } from '#features/consult/booking/booking.contract.ts';
import { saveConsultNote } from '#features/consult/note/note.contract.ts';
import type { ConsultDetail } from '#features/consult/register/register.contract.ts';

/**
 * 完成咨询: attendance, state, result, the shared summary and, for the counsellor, the private note. A reader who came from a case returns
 * to it.
 */
export function FinishDrawer({ consult, onClose }: { consult: ConsultDetail; onClose: () => void }) {
  const { sector } = useUser();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [today] = useState(() => new Date());
  const hasLater = consult.series.some(
    ({ status, slotbegin }) => status === '02' && (slotbegin ?? '') > (consult.slotbegin ?? ''),
  );
  const [note, setNote] = useState('');
  /** The note as the server has it, with its time: a second attempt does not save it again. */
  const saved = useRef<{ note: string; updatetime: string | null }>({ note: '', updatetime: null });
  /** The private note first: when it is refused, nothing has happened and both texts stand. */
  const send = async (request: RequestOf<typeof finishConsult>) => {
    if (note.trim() !== saved.current.note) {
      const { updatetime } = saved.current;
      const own = { consultid: consult.consultid, note: note.trim(), isshared: 0, updatetime };
      saved.current = { note: note.trim(), ...(await call(saveConsultNote, own)) };
    }
    return call(finishConsult, request);
  };
  const form = useActionForm(finishConsult, {
    initial: { consultid: consult.consultid, attendance: '01' },
    successMessage: '',
    through: { send, within: 'finish' },
    onDone: ({ warningcode, nextconsultid, cancelled, needsreferral }) => {
      notify.done(
        [
          '已完成',
          warningcode && '已写入个案',
          nextconsultid && '下次咨询已列入待处理',
          cancelled > 0 && `之后的 ${cancelled} 次预约已取消`,
          needsreferral && '请在个案中开具转介单',
        ]
          .filter(Boolean)
          .join('；'),
      );
      onClose();
      if (params.get('from') === 'case' && warningcode) navigate(`/earlyWarning/case/${warningcode}`);
      else if (nextconsultid) navigate(`${pathOf('consult.forms')}?open=${nextconsultid}`);
    },
  });
  const { outcome } = form.values;
  const whole = { ...form, dirty: form.dirty || note !== '' };
  return (
    <FormDrawer title={`完成咨询：${consult.username}`} onClose={onClose} form={whole} save="完成咨询" width={560}>
      <EnumRadio {...form.field('attendance')} of={ConsultAttendance} />
      <SelectField {...form.field('currentlevel')} options={conclusionOptions(sector)} clearable={false} />
      <EnumRadio {...form.field('outcome')} of={ConsultOutcome} />
      {outcome === '01' && <DayField {...form.field('nextdate')} required min={shanghaiDate(addDays(today, 1))} />}
      {outcome === '04' && (
        <SelectField
          {...form.field('warninglevel')}
          required
          options={conclusionOptions(sector).filter(({ value }) => Number(value) > 0)}
          clearable={false}
        />
      )}
      {outcome === '02' && hasLater && (
        <Text size="sm" role="status">
          结束后，之后的每周预约会一并取消。
        </Text>
      )}
      <div>
        <LongTextField {...form.field('summary')} maxLength={2000} />
        <Text size="xs" c="dimmed" mt={4}>
          有“干预/随访/咨询记录编辑”权限的同事可以看到摘要{consult.warningcode ? '，并会写入个案' : ''}
          。只给自己看的内容请写在“个别咨询记录”。
        </Text>
      </div>
      {consult.isown === 1 && consult.hasnote === 0 && (
        <Textarea
          label="个别咨询记录（选填）"
          description="仅您本人可见，加密保存，不进入导出、报告和个案"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={10_000}
          value={note}
          error={form.error('note')}
          data-path="note"
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
    </FormDrawer>
  );
}
