import { Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConsultType } from '#domain/base/enums.ts';
import { addHours, fromShanghai, shanghaiDate, shanghaiTime, shiftDate } from '#domain/base/calendar.ts';
import { SERIES_LIMIT } from '#domain/consult/consult.ts';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useUser } from '#ui/api/session.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { formatDay, TimePick } from '#blocks/consult/TimePick.tsx';
import { appointConsult } from '#features/consult/booking/booking.contract.ts';
import { getConsultCalendar, getCounsellorList } from '#features/consult/schedule/schedule.contract.ts';

/** The minutes of a conversation whose time is typed. */
const MINUTES = 50;
/** The days in which group sessions are offered. */
const SESSION_DAYS = 40;

type Request = Partial<RequestOf<typeof appointConsult>>;

interface Props {
  /** the registration, or the case for which a registration is booked in one step */
  of: { consultid: number } | { warningcode: string };
  username: string;
  /** the institution of the person */
  musercode?: string | undefined;
  /** the booking gets another time; a series moves one by one */
  isMove?: boolean;
  /** what is known already: the booking to move, or a free time of the calendar */
  initial?: Pick<Request, 'counsellor' | 'slotbegin' | 'slotend' | 'room' | 'consulttype'>;
  onClose: () => void;
  onDone?: (result: ResponseOf<typeof appointConsult>) => void;
}

/** 预约咨询: chooses counsellor, time, kind and room, and books a conversation or a weekly series, or joins a group session. */
export function BookDrawer({ of, username, musercode, isMove = false, initial = {}, onClose, onDone }: Props) {
  const { userid, name } = useUser();
  const counsellors = useActionQuery(getCounsellorList, { ...(musercode && { musercode }) }, { quiet: true }).data;
  const form = useActionForm(appointConsult, {
    initial: { consulttype: '01', room: '', weeks: 1, ...(userid && { counsellor: userid }), ...initial, ...of },
    onDone: (result) => {
      onDone?.(result);
      onClose();
    },
    successMessage: isMove ? '已改期' : '已预约',
  });
  const { counsellor, groupid } = form.values;
  // Staff of an institution above are not in the list of the person's institution. They may book themselves.
  const isListed = !userid || !counsellors || counsellors.some((item) => item.userid === userid);
  return (
    <FormDrawer
      title={`${isMove ? '改期' : '预约咨询'} · ${username}`}
      onClose={onClose}
      form={form}
      width={560}
      save={isMove ? '改期' : '预约'}
    >
      <EnumRadio {...form.field('consulttype')} of={ConsultType} />
      {form.values.consulttype === ConsultType.group && !isMove && <SessionField form={form} musercode={musercode} />}
      {groupid === undefined && (
        <>
          <SelectField
            {...form.field('counsellor')}
            options={[
              ...(counsellors ?? []).map((item) => ({
                value: item.userid,
                label: item.absentuntil ? `${item.realname}（外出至 ${item.absentuntil.slice(5, 16)}）` : item.realname,
              })),
              ...(isListed ? [] : [{ value: userid, label: name }]),
            ]}
          />
          {counsellor && (
            <TimePick
              key={counsellor}
              counsellor={counsellor}
              musercode={musercode}
              value={form.values.slotbegin}
              onPick={(slot) => {
                form.set('slotbegin', slot.slotbegin.slice(0, 16));
                form.set('slotend', slot.slotend.slice(0, 16));
                if (slot.room) form.set('room', slot.room);
              }}
            />
          )}
          <TypedTime form={form} />
          <TextInput {...form.field('room')} maxLength={30} placeholder="电话或视频可以不填" />
        </>
      )}
      {!isMove && (
        <>
          <NumberField {...form.field('weeks')} min={1} max={SERIES_LIMIT} suffix=" 次" />
          {Number(form.values.weeks) > 1 && form.values.slotbegin && (
            <Text size="sm" c="dimmed">
              每周同一时间，最后一次 {lastDay(form.values.slotbegin, Number(form.values.weeks))}。有一周约不上时，整组都不预约。
            </Text>
          )}
        </>
      )}
    </FormDrawer>
  );
}

const lastDay = (slotbegin: string, weeks: number): string => formatDay(shiftDate(slotbegin.slice(0, 10), 7 * (weeks - 1)));

/** The begin and the minutes of a time outside the free ones. The end follows from them. */
function TypedTime({ form }: { form: ActionForm<typeof appointConsult> }) {
  const { slotbegin, slotend } = form.values;
  const between = slotbegin && slotend ? (fromShanghai(slotend).getTime() - fromShanghai(slotbegin).getTime()) / 60_000 : MINUTES;
  const [typed, setTyped] = useState<number>();
  const minutes = typed ?? between;
  const setTime = (begin: string | undefined, length: number | undefined) => {
    form.set('slotbegin', begin);
    form.set('slotend', begin && length ? shanghaiTime(addHours(fromShanghai(begin), length / 60)).slice(0, 16) : undefined);
  };
  return (
    <Group grow align="start">
      <MomentField
        {...form.field('slotbegin')}
        min={shanghaiDate(new Date())}
        onChange={((begin: string | undefined) => setTime(begin, minutes)) as never}
      />
      <NumberField
        label="时长"
        required
        min={10}
        max={240}
        suffix=" 分钟"
        value={minutes}
        error={form.error('slotend')}
        data-path="slotend"
        onChange={
          ((length: number | string | undefined) => {
            const next = typeof length === 'number' ? length : undefined;
            setTyped(next);
            setTime(slotbegin, next);
          }) as never
        }
      />
    </Group>
  );
}

/** The coming group sessions to join; without a choice a new session begins. */
function SessionField({ form, musercode }: { form: ActionForm<typeof appointConsult>; musercode: string | undefined }) {
  const today = shanghaiDate(new Date());
  const bookings = useActionQuery(
    getConsultCalendar,
    { begindate: today, enddate: shiftDate(today, SESSION_DAYS), ...(musercode && { musercode }) },
    { quiet: true },
  ).data?.bookings;
  const groups = (bookings ?? []).filter(({ groupid, status }) => groupid !== null && status === '02');
  const sessions = [...new Map(groups.map((booking) => [booking.groupid, booking])).values()];
  if (sessions.length === 0) return null;
  return (
    <SelectField
      {...form.field('groupid')}
      clearable
      placeholder="新的一场"
      options={sessions.map(({ groupid, slotbegin, counsellorname, room }) => ({
        value: groupid!,
        label: [
          `${formatDay(slotbegin)} ${slotbegin.slice(11, 16)}`,
          counsellorname,
          room,
          `${groups.filter((booking) => booking.groupid === groupid).length} 人`,
        ]
          .filter(Boolean)
          .join(' · '),
      }))}
      onChange={
        ((groupid: number | null) => {
          const session = sessions.find((booking) => booking.groupid === groupid);
          form.set('groupid', groupid ?? undefined);
          form.set('counsellor', session?.counsellor);
          form.set('slotbegin', session?.slotbegin.slice(0, 16));
          form.set('slotend', session?.slotend.slice(0, 16));
        }) as never
      }
    />
  );
}
