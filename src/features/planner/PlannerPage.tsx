import { ActionIcon, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconCalendarShare, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { shanghaiDate, shiftDate } from '#domain/base/calendar.ts';
import { WEEKDAY_NAMES, weekdayOf } from '#domain/consult/slots.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { isOwnPlanner } from '#features/planner/isOwnPlanner.ts';
import { usePlan, type Planned } from '#features/planner/usePlan.ts';
import classes from './planner.module.css';

const FeedDrawer = lazyDialog(() => import('#features/planner/FeedDrawer.tsx').then((file) => file.FeedDrawer));

/** Things that a day of the month shows; a button opens the others. */
const SHOWN = 3;

const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);
const mondayOf = (date: string): string => shiftDate(date, 1 - weekdayOf(date));
const firstOf = (date: string): string => `${date.slice(0, 7)}-01`;
/** The first day of the month that lies `step` months away. */
function otherMonth(date: string, step: 1 | -1): string {
  return firstOf(shiftDate(firstOf(date), step === 1 ? 31 : -1));
}
/** The days that a view shows: seven, or whole weeks around a month. */
function daysOf(date: string, isMonth: boolean): string[] {
  const begin = mondayOf(isMonth ? firstOf(date) : date);
  const last = isMonth ? shiftDate(otherMonth(date, 1), -1) : date;
  const length = isMonth ? weeksBetween(begin, last) * 7 : 7;
  return Array.from({ length }, (_, index) => shiftDate(begin, index));
}
const weeksBetween = (begin: string, last: string): number => {
  let weeks = 1;
  while (shiftDate(begin, weeks * 7) <= last) weeks++;
  return weeks;
};

/** 我的日程: the own follow-ups, consultations, deadlines of cases and ends of tasks, by week or month. */
export default function PlannerPage() {
  const [params, setParams] = useSearchParams();
  const [isSubscribing, setIsSubscribing] = useState(false);
  const [opened, setOpened] = useState<string>();
  const today = shanghaiDate(new Date());
  const given = params.get('date');
  const date = isDay(given) ? given : today;
  const isMonth = params.get('show') === 'month';
  const days = daysOf(date, isMonth);
  const { items, isPending, error, retry } = usePlan(days[0] as string, days.at(-1) as string);
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
  const go = (step: 1 | -1) => set({ date: isMonth ? otherMonth(date, step) : shiftDate(date, step * 7) });
  const span = isMonth ? '月' : '周';
  const first = days[0] as string;
  const last = days.at(-1) as string;
  const title = isMonth ? `${date.slice(0, 4)}年${Number(date.slice(5, 7))}月` : `${shortDate(first)} 至 ${shortDate(last)}`;
  return (
    <PageStack>
      <Section title="我的日程">
        <Group justify="space-between" gap="sm" mb="md">
          <Group gap="xs">
            <Button variant="default" onClick={() => set({ date: null })}>
              今天
            </Button>
            <ActionIcon variant="default" size={36} aria-label={`上一${span}`} onClick={() => go(-1)}>
              <IconChevronLeft size={18} />
            </ActionIcon>
            <ActionIcon variant="default" size={36} aria-label={`下一${span}`} onClick={() => go(1)}>
              <IconChevronRight size={18} />
            </ActionIcon>
            <Text component="h3" fw={600} fz={16} m={0} aria-live="polite">
              {title}
            </Text>
          </Group>
          <Group gap="sm">
            <SegmentedControl
              aria-label="显示"
              value={isMonth ? 'month' : 'week'}
              onChange={(show) => set({ show: show === 'month' ? 'month' : null })}
              data={[
                { value: 'week', label: '周' },
                { value: 'month', label: '月' },
              ]}
            />
            {isOwnPlanner() && (
              <Button
                variant="default"
                leftSection={<IconCalendarShare size={16} aria-hidden />}
                onClick={() => setIsSubscribing(true)}
              >
                订阅到手机日历
              </Button>
            )}
          </Group>
        </Group>
        {error !== null && <ErrorState error={error} retry={retry} />}
        {isPending && <Skeletons.Page />}
        {!isPending && error === null && (
          <ol className={classes['days']} data-month={isMonth || undefined}>
            {days.map((day) => {
              const own = items.filter((item) => item.date === day);
              const isWhole = !isMonth || opened === day || own.length <= SHOWN + 1;
              return (
                <li
                  key={day}
                  className={classes['day']}
                  data-today={day === today || undefined}
                  data-other={(isMonth && day.slice(0, 7) !== date.slice(0, 7)) || undefined}
                  data-empty={own.length === 0 || undefined}
                >
                  <h4>
                    <span>{WEEKDAY_NAMES[weekdayOf(day)]}</span> <strong>{shortDate(day)}</strong>
                    {day === today && <em>今天</em>}
                  </h4>
                  <ul>
                    {(isWhole ? own : own.slice(0, SHOWN)).map((item) => (
                      <Thing key={item.key} item={item} />
                    ))}
                    {own.length === 0 && <li className={classes['nothing']}>没有安排</li>}
                  </ul>
                  {!isWhole && (
                    <button type="button" className={classes['more']} onClick={() => setOpened(day)}>
                      还有 {own.length - SHOWN} 项
                    </button>
                  )}
                </li>
              );
            })}
          </ol>
        )}
      </Section>
      {isSubscribing && <FeedDrawer onClose={() => setIsSubscribing(false)} />}
    </PageStack>
  );
}

const shortDate = (date: string): string => `${Number(date.slice(5, 7))}月${Number(date.slice(8, 10))}日`;

/** One thing of a day, as a link to the page where it is done. */
function Thing({ item: { kind, clock, title, detail, path, isLate, isDone } }: { item: Planned }) {
  return (
    <li>
      <Link
        to={path}
        className={classes['thing']}
        data-kind={kind}
        data-late={isLate || undefined}
        data-done={isDone || undefined}
      >
        <span className={classes['what']}>
          {clock && <time>{clock}</time>} {KIND_WORDS[kind]}
          {isLate && <b> 已逾期</b>}
          {isDone && <span> 已完成</span>}
        </span>
        <strong>{title}</strong>
        {detail && <small>{detail}</small>}
      </Link>
    </li>
  );
}

const KIND_WORDS: Readonly<Record<Planned['kind'], string>> = {
  followup: '随访',
  consult: '咨询',
  case: '个案时限',
  task: '任务截止',
};
