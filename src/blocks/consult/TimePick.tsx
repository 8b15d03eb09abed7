import { Button, Chip, Group, Input, Text } from '@mantine/core';
import { useState } from 'react';
import { shanghaiDate, shiftDate } from '#domain/base/calendar.ts';
import { WEEKDAY_NAMES, weekdayOf } from '#domain/consult/slots.ts';
import type { ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getSlotList } from '#features/consult/schedule/schedule.contract.ts';
import classes from '#blocks/consult/consult.module.css';

export type FreeSlot = ResponseOf<typeof getSlotList>[number];
const DAYS = 7;

/** A day as `10-09 周四`. */
export const formatDay = (day: string): string => `${day.slice(5, 10)} ${WEEKDAY_NAMES[weekdayOf(day.slice(0, 10))] ?? ''}`;

/** The free times of a counsellor, a week at a time. `value` is the begin of the chosen one. */
export function TimePick({
  counsellor,
  musercode,
  value,
  onPick,
}: {
  counsellor: string;
  musercode: string | undefined;
  value: string | undefined;
  onPick: (slot: FreeSlot) => void;
}) {
  const today = shanghaiDate(new Date());
  const [begindate, setBegindate] = useState(value && value.slice(0, 10) > today ? value.slice(0, 10) : today);
  const enddate = shiftDate(begindate, DAYS - 1);
  const read = useActionQuery(
    getSlotList,
    { counsellor, begindate, enddate, ...(musercode && { musercode }) },
    { quiet: true, keepPrevious: true },
  );
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={500}>
          空闲时间 {begindate.slice(5)} 至 {enddate.slice(5)}
        </Text>
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="default"
            disabled={begindate <= today}
            onClick={() => setBegindate([shiftDate(begindate, -DAYS), today].sort().at(-1)!)}
          >
            前 7 天
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setBegindate(shiftDate(begindate, DAYS))}>
            后 7 天
          </Button>
        </Group>
      </Group>
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(slots) =>
          slots.length === 0 ? (
            <Text size="sm" c="dimmed" role="status">
              这 7 天没有空闲时间。可以看后 7 天，或在下面直接填写时间。
            </Text>
          ) : (
            <DayList slots={slots} value={value} onPick={onPick} />
          )
        }
      </Loaded>
    </div>
  );
}

function DayList({ slots, value, onPick }: { slots: FreeSlot[]; value: string | undefined; onPick: (slot: FreeSlot) => void }) {
  const days = [...new Set(slots.map(({ slotbegin }) => slotbegin.slice(0, 10)))];
  return (
    <Chip.Group
      multiple={false}
      value={value?.slice(0, 16) ?? null}
      onChange={(begin) => {
        const slot = slots.find(({ slotbegin }) => slotbegin.slice(0, 16) === begin);
        if (slot) onPick(slot);
      }}
    >
      {days.map((day) => (
        <Input.Wrapper key={day} label={formatDay(day)} labelElement="div" className={classes['day'] ?? ''}>
          <div className={classes['times']} role="radiogroup" aria-label={formatDay(day)}>
            {slots
              .filter(({ slotbegin }) => slotbegin.startsWith(day))
              .map(({ slotbegin, slotend }) => (
                <Chip key={slotbegin} size="sm" value={slotbegin.slice(0, 16)}>
                  {slotbegin.slice(11, 16)}–{slotend.slice(11, 16)}
                </Chip>
              ))}
          </div>
        </Input.Wrapper>
      ))}
    </Chip.Group>
  );
}
