import { Anchor, Chip, Group, Input, Text, TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { WEEKDAY_NAMES } from '#domain/consult/slots.ts';
import { spanOf } from '#domain/release/period.ts';
import { termOf } from '#domain/statistics/term.ts';
import { useUser } from '#ui/api/session.ts';
import { DayField, MomentField } from '#ui/dates/dateFields.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { NumberField, SelectField, type Field } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import type { Booked } from '#features/consult/schedule/BookedNotice.tsx';
import * as contract from '#features/consult/schedule/schedule.contract.ts';
import type { Hours } from '#features/consult/schedule/hours.ts';

/** What a change of hours makes new on the page. */
const invalidates = [
  contract.getCounsellorTimeList,
  contract.getCounsellorList,
  contract.getConsultCalendar,
  contract.getSlotList,
];

interface Person {
  userid: string;
  realname: string;
  iseditable: number;
}
interface Props {
  userid: string;
  counsellors: readonly Person[];
  onClose: () => void;
}
type BookedProps = { onBooked: (booked: Booked) => void };

/** The counsellors whose hours the caller may change. */
const editable = (counsellors: readonly Person[]) =>
  counsellors.filter(({ iseditable }) => iseditable === 1).map(({ userid, realname }) => ({ value: userid, label: realname }));

/** Adds the same hours on several weekdays. */
export function NewHoursDrawer({ userid, counsellors, onClose }: Props) {
  const form = useActionForm(contract.insertCounsellorTime, {
    initial: {
      userid,
      weekdays: [],
      begintime: '09:00',
      endtime: '12:00',
      minutes: 50,
      pause: 10,
      validfrom: shanghaiDate(new Date()),
    },
    invalidates,
    successMessage: '排班已添加',
    onDone: onClose,
  });
  const { weekdays } = form.values;
  return (
    <FormDrawer title="添加咨询时间" onClose={onClose} form={form}>
      <SelectField {...form.field('userid')} clearable={false} options={editable(counsellors)} />
      <Input.Wrapper label="星期" required error={form.error('weekdays')} data-path="weekdays" tabIndex={-1}>
        <Chip.Group
          multiple
          value={(weekdays ?? []).map(String)}
          onChange={(next: string[]) => form.set('weekdays', next.map(Number).sort())}
        >
          <Group gap={6} mt={6}>
            {Object.entries(WEEKDAY_NAMES).map(([value, label]) => (
              <Chip key={value} value={value} variant="outline">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <HoursFields field={form.field} />
      <Validity field={form.field} set={(day) => form.set('validto', day)} />
    </FormDrawer>
  );
}

/** Changes one row of hours. */
export function EditHoursDrawer({ row, onClose, onBooked }: { row: Hours; onClose: () => void } & BookedProps) {
  const { timeid, version, weekday, begintime, endtime, minutes, pause, room, validfrom, validto } = row;
  const form = useActionForm(contract.updateCounsellorTime, {
    initial: { timeid, version, weekday, begintime, endtime, minutes, pause, room, validfrom, validto },
    invalidates,
    onDone: (result) => {
      // Saving without a change has no answer of its own.
      const { booked } = result as Partial<typeof result>;
      if (booked) onBooked({ words: '有预约不在新的排班时间内', booked });
      onClose();
    },
  });
  return (
    <FormDrawer title={`修改排班：${row.realname}`} onClose={onClose} form={form}>
      {row.booked > 0 && (
        <Text size="sm" c="dimmed">
          这段时间已有 {row.booked} 个预约。修改后预约仍然有效，保存后会列出不在新时间内的预约。
        </Text>
      )}
      <SelectField
        {...form.field('weekday')}
        required
        clearable={false}
        options={Object.entries(WEEKDAY_NAMES).map(([value, label]) => ({ value: Number(value), label }))}
      />
      <HoursFields field={form.field} />
      <Validity field={form.field} set={(day) => form.set('validto', day)} />
    </FormDrawer>
  );
}

type HoursField = (name: 'begintime' | 'endtime' | 'minutes' | 'pause' | 'room') => Field;

function HoursFields({ field }: { field: HoursField }) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput {...(field('begintime') as object)} required type="time" />
        <TextInput {...(field('endtime') as object)} required type="time" />
      </Group>
      <Group grow align="flex-start">
        <NumberField {...field('minutes')} required min={10} max={180} />
        <NumberField {...field('pause')} required min={0} max={60} />
      </Group>
      <TextInput
        {...(field('room') as object)}
        maxLength={30}
        description="同一咨询室同一时间只能有一个预约；没有固定咨询室可不填"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </>
  );
}

/** From when until when hours apply. Schools get the end of the term with one click. */
function Validity({ field, set }: { field: (name: 'validfrom' | 'validto') => Field; set: (day: string) => void }) {
  const { sector } = useUser();
  const term = sector === 'edu' ? spanOf(termOf(shanghaiDate(new Date()))) : undefined;
  return (
    <>
      <Group grow align="flex-start">
        <DayField {...field('validfrom')} required />
        <DayField {...field('validto')} required={false} />
      </Group>
      <Text size="sm" c="dimmed" mt={-8}>
        截止日期不填表示一直有效。
        {term && (
          <Anchor component="button" type="button" size="sm" ml={6} onClick={() => set(term.enddate)}>
            到本学期末（{term.enddate}）
          </Anchor>
        )}
      </Text>
    </>
  );
}

/** Copies the weekly hours of a colleague. */
export function CopyHoursDrawer({ userid, counsellors, onClose }: Props) {
  const form = useActionForm(contract.copyCounsellorTime, {
    initial: { userid, validfrom: shanghaiDate(new Date()) },
    invalidates,
    successMessage: '',
    onDone: ({ timeids, skipped }) => {
      const rest = skipped > 0 ? `，${skipped} 段与已有排班重叠，没有复制` : '';
      if (timeids.length === 0) notify.warn(`没有复制：${skipped} 段都与已有排班重叠`);
      else notify.done(`已复制 ${timeids.length} 段${rest}`);
      onClose();
    },
  });
  const name = counsellors.find((person) => person.userid === userid)?.realname ?? '';
  return (
    <FormDrawer title={`复制排班给${name}`} save="复制" onClose={onClose} form={form}>
      <SelectField
        {...form.field('colleague')}
        options={counsellors
          .filter((person) => person.userid !== userid)
          .map((person) => ({ value: person.userid, label: person.realname }))}
      />
      <Text size="sm" c="dimmed">
        复制星期、时间、每次分钟和间隔；咨询室不复制。与已有排班重叠的时间不复制。
      </Text>
      <Validity field={form.field} set={(day) => form.set('validto', day)} />
    </FormDrawer>
  );
}

/** Records a time off. */
export function OffDrawer({ userid, counsellors, onClose, onBooked }: Props & BookedProps) {
  const today = shanghaiDate(new Date());
  const form = useActionForm(contract.insertCounsellorOff, {
    initial: { userid },
    invalidates,
    successMessage: '停诊已登记，这段时间不再可约',
    onDone: ({ booked }) => {
      onBooked({ words: '停诊时间内有预约', booked });
      onClose();
    },
  });
  return (
    <FormDrawer title="登记停诊" onClose={onClose} form={form}>
      <SelectField {...form.field('userid')} clearable={false} options={editable(counsellors)} />
      <MomentField {...form.field('begintime')} min={today} />
      <MomentField {...form.field('endtime')} min={today} />
      <TextInput
        {...form.field('reason')}
        maxLength={100}
        description="同事可见，例如：外出培训"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Text size="sm" c="dimmed">
        已有的预约不会自动取消，登记后会列出来，请逐个改期或取消。
      </Text>
    </FormDrawer>
  );
}
