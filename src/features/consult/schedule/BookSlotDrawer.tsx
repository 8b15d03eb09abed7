import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import { SERIES_LIMIT } from '#domain/consult/consult.ts';
import { slotWords } from '#domain/consult/slotWords.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { EnumRadio, NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { appointConsult } from '#features/consult/booking/booking.contract.ts';
import {
  getConsultCount,
  getConsultPageList,
  insertConsult,
  type ConsultRow,
} from '#features/consult/register/register.contract.ts';
import { getConsultCalendar, getCounsellorTimeList, getSlotList } from '#features/consult/schedule/schedule.contract.ts';
import type { Slot } from '#features/consult/schedule/calendarItems.ts';

const NewConsultDrawer = lazyDialog(() =>
  import('#features/consult/page/NewConsultDrawer.tsx').then((file) => file.NewConsultDrawer),
);

/** The most waiting registrations that the choice offers; those with an open case come first. */
const MOST_WAITING = 200;

interface Props {
  /** the free times at one time, one for each counsellor */
  slots: readonly Slot[];
  institution: { musercode?: string };
  onClose: () => void;
}

/** Books a free time of the calendar for a waiting registration, or for a new one. */
export function BookSlotDrawer({ slots, institution, onClose }: Props) {
  const [first] = slots;
  const [isNew, setIsNew] = useState(false);
  const own = useUser().musercode;
  const readOf = (status: ConsultRow['status']) => ({ view: 'all' as const, status, pageSize: MOST_WAITING });
  const waiting = useActionQuery(getConsultPageList, readOf(ConsultStatus.waiting));
  const missed = useActionQuery(getConsultPageList, readOf(ConsultStatus.missed), { quiet: true });
  const form = useActionForm(appointConsult, {
    initial: {
      ...(first && { counsellor: first.counsellor, slotbegin: first.slotbegin, slotend: first.slotend, room: first.room }),
      weeks: 1,
    },
    invalidates: [getConsultCalendar, getConsultCount, getConsultPageList, getCounsellorTimeList, getSlotList],
    successMessage: '预约成功',
    onDone: onClose,
  });
  if (!first) return null;
  const chooseCounsellor = (userid: string) => {
    form.set('counsellor', userid);
    form.set('room', slots.find(({ counsellor }) => counsellor === userid)?.room ?? '');
  };
  const add = can(insertConsult) && (
    <Button size="compact-sm" variant="light" onClick={() => setIsNew(true)}>
      新增登记
    </Button>
  );
  return (
    <>
      <FormDrawer title="预约这个时间" save="预约" onClose={onClose} form={form}>
        <Text fw={600}>{slotWords(first.slotbegin, first.slotend)}</Text>
        {slots.length > 1 ? (
          <SelectField
            {...form.field('counsellor')}
            clearable={false}
            options={slots.map(({ counsellor, counsellorname }) => ({ value: counsellor, label: counsellorname }))}
            onChange={chooseCounsellor as (value: never) => void}
          />
        ) : (
          <Text size="sm">咨询师：{first.counsellorname}</Text>
        )}
        {form.values.room && <Text size="sm">咨询室：{form.values.room}</Text>}
        <Loaded read={waiting} skeleton={<Skeletons.Lines count={2} />}>
          {({ rows }) => {
            const open = [...rows, ...(missed.data?.rows ?? [])].filter(
              (row) => row.musercode === (institution.musercode ?? own),
            );
            if (open.length === 0)
              return (
                <EmptyState title="没有待预约的登记" hint="先新增登记，再预约这个时间">
                  {add}
                </EmptyState>
              );
            return (
              <Stack gap="md">
                <SelectField
                  {...form.field('consultid')}
                  label="受测者"
                  placeholder="选择待预约的登记"
                  options={open.map((row) => ({ value: row.consultid, label: describe(row) }))}
                />
                {add && (
                  <Group gap="xs">
                    <Text size="sm" c="dimmed">
                      没有登记过？
                    </Text>
                    {add}
                  </Group>
                )}
                <EnumRadio {...form.field('consulttype')} of={ConsultType} />
                <NumberField {...form.field('weeks')} label="每周同一时间，共几次" min={1} max={SERIES_LIMIT} />
              </Stack>
            );
          }}
        </Loaded>
      </FormDrawer>
      {isNew && (
        <NewConsultDrawer
          onClose={() => setIsNew(false)}
          onDone={(consultid) => {
            setIsNew(false);
            form.set('consultid', consultid);
          }}
        />
      )}
    </>
  );
}

/** A waiting registration as a choice, e.g. 林小雨 初二3班，10月8日申请. */
function describe({
  username,
  belongs,
  applytime,
  status,
}: {
  username: string;
  belongs: string;
  applytime: string;
  status: string;
}) {
  const who = [username, belongs].filter(Boolean).join(' ');
  const when = `${Number(applytime.slice(5, 7))}月${Number(applytime.slice(8, 10))}日申请`;
  return `${who}，${when}${status === ConsultStatus.missed ? '，曾爽约' : ''}`;
}
