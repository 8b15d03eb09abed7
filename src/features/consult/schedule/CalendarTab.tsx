import { ActionIcon, Button, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { shanghaiDate, shiftDate } from '#domain/base/calendar.ts';
import { weekdayOf } from '#domain/consult/slots.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { useInstitutionSearch } from '#blocks/institution/useInstitutionSearch.ts';
import { appointConsult } from '#features/consult/booking/booking.contract.ts';
import { getConsultCalendar, getCounsellorList } from '#features/consult/schedule/schedule.contract.ts';
import { WeekCalendar } from '#features/consult/schedule/WeekCalendar.tsx';
import type { Slot } from '#features/consult/schedule/calendarItems.ts';

const BookSlotDrawer = lazyDialog(() =>
  import('#features/consult/schedule/BookSlotDrawer.tsx').then((file) => file.BookSlotDrawer),
);

const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);
/** The Monday of the week of a date. */
const mondayOf = (date: string): string => shiftDate(date, 1 - weekdayOf(date));

/** The institution that the tabs show: that of the address for a provider, otherwise the own one. */
export function useInstitutionOfTab() {
  const [params] = useSearchParams();
  const isProvider = useUser().musertype === '002';
  const musercode = params.get('musercode');
  return isProvider && musercode ? { musercode } : {};
}

/** The choice of an institution below; only a provider sees it. */
export function InstitutionOfTab() {
  const [params, setParams] = useSearchParams();
  const isProvider = useUser().musertype === '002';
  const musercode = params.get('musercode');
  const search = useInstitutionSearch(musercode ?? undefined);
  if (!isProvider) return null;
  const choose = (next: string | null) =>
    setParams((before) => {
      before.delete('musercode');
      before.delete('counsellor');
      if (next) before.set('musercode', next);
      return before;
    });
  return <Select label="机构" placeholder="本机构，可输入名称查找" w={{ base: '100%', xs: 240 }} {...search} onChange={choose} />;
}

/** 日历: the bookings and free times of a week. Week, day, counsellor and 我的 stand in the address. */
export function CalendarTab() {
  const [params, setParams] = useSearchParams();
  const institution = useInstitutionOfTab();
  const [booking, setBooking] = useState<readonly Slot[]>();
  const today = shanghaiDate(new Date());
  const given = params.get('date');
  const date = isDay(given) ? given : today;
  const monday = mondayOf(date);
  const sunday = shiftDate(monday, 6);
  const mine = params.get('mine') === '1';
  const counsellor = mine ? null : params.get('counsellor');
  const set = (values: Readonly<Record<string, string | null>>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) before.delete(name);
          else before.set(name, value);
        }
        return before;
      },
      { replace: true },
    );
  const showDate = (next: string) => set({ date: next === today ? null : next });
  const counsellors = useActionQuery(getCounsellorList, institution);
  const calendar = useActionQuery(
    getConsultCalendar,
    { ...institution, begindate: monday, enddate: sunday, ...(counsellor ? { counsellor } : {}), ...(mine ? { mine: 1 } : {}) },
    { keepPrevious: true },
  );
  const people = counsellors.data ?? [];
  const isOwn = people.some(({ isown }) => isown === 1);
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end" justify="space-between">
        <Group gap="xs">
          <Button variant="default" onClick={() => showDate(today)}>
            今天
          </Button>
          <ActionIcon variant="default" size={36} aria-label="上一周" onClick={() => showDate(shiftDate(date, -7))}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          <ActionIcon variant="default" size={36} aria-label="下一周" onClick={() => showDate(shiftDate(date, 7))}>
            <IconChevronRight size={18} />
          </ActionIcon>
          <Text component="h2" fw={600} fz={16} m={0} aria-live="polite">
            {formatWeek(monday, sunday)}
          </Text>
        </Group>
        <Group gap="md" align="flex-end">
          <InstitutionOfTab />
          <Select
            aria-label="咨询师"
            placeholder="全部咨询师"
            clearable
            searchable={people.length > 8}
            w={{ base: '100%', xs: 180 }}
            value={counsellor}
            data={people.map(({ userid, realname }) => ({ value: userid, label: realname }))}
            onChange={(next) => set({ counsellor: next, mine: null })}
          />
          {isOwn && (
            <Switch
              label="我的"
              checked={mine}
              mb={8}
              onChange={(event) => set({ mine: event.currentTarget.checked ? '1' : null })}
            />
          )}
        </Group>
      </Group>
      <Loaded read={calendar} skeleton={<Skeletons.Chart height={420} />}>
        {(data) => (
          <>
            {counsellors.data && !people.some(({ hours }) => hours > 0) && data.bookings.length === 0 && (
              <EmptyState title="还没有排班" hint="先添加每周的咨询时间，日历才有可约时间">
                <Button component={Link} to="?tab=schedule">
                  去排班
                </Button>
              </EmptyState>
            )}
            <WeekCalendar
              monday={monday}
              date={date}
              today={today}
              calendar={data}
              counsellors={people}
              isSingle={counsellor !== null || mine || people.length === 1}
              onDate={showDate}
              onBook={can(appointConsult) ? setBooking : undefined}
            />
          </>
        )}
      </Loaded>
      {booking && <BookSlotDrawer slots={booking} institution={institution} onClose={() => setBooking(undefined)} />}
    </Stack>
  );
}

/** A week in words, e.g. 2025年10月13日–19日. */
function formatWeek(monday: string, sunday: string): string {
  const [year, month, day] = monday.split('-').map(Number);
  const [endYear, endMonth, endDay] = sunday.split('-').map(Number);
  const endParts = `${endYear === year ? '' : `${endYear}年`}${endMonth === month ? '' : `${endMonth}月`}${endDay}日`;
  return `${year}年${month}月${day}日–${endParts}`;
}
