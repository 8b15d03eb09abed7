import { ActionIcon, Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { WEEKDAY_NAMES } from '#domain/consult/slots.ts';
import { call } from '#ui/api/call.ts';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useDeletion } from '#ui/api/useDeletion.ts';
import { Section } from '#ui/display/Section.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { InstitutionOfTab, useInstitutionOfTab } from '#features/consult/schedule/CalendarTab.tsx';
import { BookedNotice, type Booked } from '#features/consult/schedule/BookedNotice.tsx';
import type { Counsellor, Hours, Off } from '#features/consult/schedule/hours.ts';
import * as contract from '#features/consult/schedule/schedule.contract.ts';
import classes from './schedule.module.css';

const NewHoursDrawer = lazyDialog(() =>
  import('#features/consult/schedule/HoursDrawers.tsx').then((file) => file.NewHoursDrawer),
);
const EditHoursDrawer = lazyDialog(() =>
  import('#features/consult/schedule/HoursDrawers.tsx').then((file) => file.EditHoursDrawer),
);
const CopyHoursDrawer = lazyDialog(() =>
  import('#features/consult/schedule/HoursDrawers.tsx').then((file) => file.CopyHoursDrawer),
);
const OffDrawer = lazyDialog(() => import('#features/consult/schedule/HoursDrawers.tsx').then((file) => file.OffDrawer));

/** What the tab asks for now. */
type Open =
  | { what: 'new'; userid: string; weekday?: number }
  | { what: 'edit'; row: Hours }
  | { what: 'copy'; userid: string }
  | { what: 'off'; userid: string };

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** 排班: the weekly hours of each counsellor, and the times off. */
export function ScheduleTab() {
  const institution = useInstitutionOfTab();
  const counsellors = useActionQuery(contract.getCounsellorList, institution);
  const times = useActionQuery(contract.getCounsellorTimeList, institution);
  const [open, setOpen] = useState<Open>();
  const [booked, setBooked] = useState<Booked>();
  const close = () => setOpen(undefined);
  return (
    <Stack gap="md">
      <InstitutionOfTab />
      {booked && <BookedNotice {...booked} onClose={() => setBooked(undefined)} />}
      <Loaded read={counsellors} skeleton={<Skeletons.Lines count={6} />}>
        {(people) => (
          <Loaded read={times} skeleton={<Skeletons.Lines count={6} />}>
            {(data) => <Schedule people={people} {...data} onOpen={setOpen} onBooked={setBooked} />}
          </Loaded>
        )}
      </Loaded>
      {open?.what === 'new' && <NewHoursDrawer {...open} counsellors={counsellors.data ?? []} onClose={close} />}
      {open?.what === 'edit' && <EditHoursDrawer row={open.row} onClose={close} onBooked={setBooked} />}
      {open?.what === 'copy' && <CopyHoursDrawer userid={open.userid} counsellors={counsellors.data ?? []} onClose={close} />}
      {open?.what === 'off' && (
        <OffDrawer userid={open.userid} counsellors={counsellors.data ?? []} onClose={close} onBooked={setBooked} />
      )}
    </Stack>
  );
}

interface ScheduleProps {
  people: readonly Counsellor[];
  times: readonly Hours[];
  offs: readonly Off[];
  onOpen: (open: Open) => void;
  onBooked: (booked: Booked) => void;
}

function Schedule({ people, times, offs, onOpen, onBooked }: ScheduleProps) {
  // Hours of staff who may not be booked any more: they give no free times, and somebody should delete them.
  const former = [
    ...new Map(times.map(({ userid, realname, iseditable }) => [userid, { userid, realname, iseditable }])).values(),
  ].filter(({ userid }) => !people.some((person) => person.userid === userid));
  const own = people.find(({ isown, iseditable }) => isown && iseditable) ?? people.find(({ iseditable }) => iseditable);
  const mayAdd = can(contract.insertCounsellorTime) && own;
  if (people.length === 0 && former.length === 0)
    return <EmptyState title="还没有咨询师" hint="在用户管理中，为同事分配“登记表管理”和“干预/随访/咨询记录编辑”权限" />;
  return (
    <>
      {times.length === 0 && (
        <EmptyState title="还没有排班" hint="先添加每周的咨询时间；可约时间由排班自动算出">
          {mayAdd && <Button onClick={() => onOpen({ what: 'new', userid: own.userid })}>添加咨询时间</Button>}
        </EmptyState>
      )}
      {times.length > 0 && mayAdd && (
        <Group justify="flex-end">
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen({ what: 'new', userid: own.userid })}>
            添加咨询时间
          </Button>
        </Group>
      )}
      {times.length > 0 &&
        [...people, ...former.map((person) => ({ ...person, absentuntil: null, hours: 0, isown: 0, isformer: true }))].map(
          (person) => (
            <CounsellorWeek
              key={person.userid}
              person={person}
              times={times.filter(({ userid }) => userid === person.userid)}
              hasOthers={times.some(({ userid }) => userid !== person.userid)}
              onOpen={onOpen}
              onBooked={onBooked}
            />
          ),
        )}
      {people.length > 0 && <TimesOff offs={offs} own={own} onOpen={onOpen} />}
    </>
  );
}

interface WeekProps {
  person: Counsellor & { isformer?: boolean };
  times: readonly Hours[];
  /** a colleague has hours, which can be copied */
  hasOthers: boolean;
  onOpen: (open: Open) => void;
  onBooked: (booked: Booked) => void;
}

/** One counsellor's week: the hours under their weekdays. */
function CounsellorWeek({ person, times, hasOthers, onOpen, onBooked }: WeekProps) {
  const { userid, realname, absentuntil, hours, isown, iseditable, isformer } = person;
  const remove = useActionMutation(contract.deleteCounsellorTime, {
    successMessage: '已删除',
    onDone: ({ booked }) => onBooked({ words: '有预约不在排班时间内', booked }),
  });
  const removeFree = useDeletion(contract.deleteCounsellorTime);
  const askAndRemove = async (row: Hours): Promise<void> => {
    const { timeid, weekday, begintime, endtime, minutes, pause, room, validfrom, validto } = row;
    const what = `${realname} ${WEEKDAY_NAMES[weekday]} ${begintime}–${endtime}`;
    if (row.booked === 0)
      return removeFree({ timeid }, `已删除 ${what}`, () =>
        call(contract.insertCounsellorTime, { userid, weekday, begintime, endtime, minutes, pause, room, validfrom, validto }),
      );
    const text = `是否确认删除 ${what}？其中已有 ${row.booked} 个预约，删除后预约仍保留，可在列表中改期。`;
    if (await confirm({ text, danger: true })) remove.mutate({ timeid });
  };
  const mayEdit = iseditable === 1 && can(contract.updateCounsellorTime);
  return (
    <section className={classes['person']} aria-label={`${realname}的排班`}>
      <Group justify="space-between" gap="sm" className={classes['name'] ?? ''}>
        <Group gap="sm">
          <Text component="h3" m={0} fw={600} data-long>
            {realname}
            {isown === 1 && '（我）'}
          </Text>
          <Text size="sm" c="dimmed">
            {hours > 0 ? `每周 ${Math.round(hours * 10) / 10} 小时` : '现在没有有效的排班'}
          </Text>
          {absentuntil && (
            <Badge color="orange" variant="light" tt="none">
              外出至 {absentuntil.slice(5)}
            </Badge>
          )}
          {isformer && (
            <Badge color="gray" variant="light" tt="none">
              已不能接受预约
            </Badge>
          )}
        </Group>
        {mayEdit && !isformer && (
          <Group gap={4}>
            {hasOthers && (
              <Button variant="subtle" size="compact-sm" onClick={() => onOpen({ what: 'copy', userid })}>
                复制同事的排班
              </Button>
            )}
            {isown === 0 && (
              <Button variant="subtle" size="compact-sm" onClick={() => onOpen({ what: 'new', userid })}>
                添加时间
              </Button>
            )}
          </Group>
        )}
      </Group>
      <ol className={classes['week']} hidden={times.length === 0}>
        {WEEKDAYS.map((weekday) => {
          const rows = times.filter((row) => row.weekday === weekday);
          return (
            <li key={weekday} data-empty={rows.length === 0 || undefined}>
              <strong>{WEEKDAY_NAMES[weekday]}</strong>
              {rows.length === 0 && <span className={classes['none']}>—</span>}
              {rows.map((row) => (
                <div key={row.timeid} className={classes['hours']} data-later={isNotInForce(row) || undefined}>
                  <span className={classes['clock']}>
                    {row.begintime}–{row.endtime}
                  </span>
                  <small>
                    {describeHours(row).map((part) => (
                      <span key={part}>{part}</span>
                    ))}
                  </small>
                  {mayEdit && (
                    <Menu position="bottom-end">
                      <Menu.Target>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          size="sm"
                          aria-label={`${realname} ${WEEKDAY_NAMES[weekday]} ${row.begintime} 的操作`}
                        >
                          <IconDots size={16} />
                        </ActionIcon>
                      </Menu.Target>
                      <Menu.Dropdown>
                        <Menu.Item onClick={() => onOpen({ what: 'edit', row })}>修改</Menu.Item>
                        <Menu.Item color="red" onClick={() => void askAndRemove(row)}>
                          删除
                        </Menu.Item>
                      </Menu.Dropdown>
                    </Menu>
                  )}
                </div>
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const isNotInForce = ({ validfrom }: Hours): boolean => validfrom > shanghaiDate(new Date());

/** The length, the room, the validity and the bookings of hours, each in a few words. */
const describeHours = (row: Hours): string[] =>
  [
    `${row.minutes} 分钟${row.pause > 0 ? `，间隔 ${row.pause}` : ''}`,
    row.room,
    isNotInForce(row) ? `${row.validfrom} 起` : '',
    row.validto ? `至 ${row.validto}` : '',
    row.booked > 0 ? `已约 ${row.booked} 次` : '',
  ].filter(Boolean);

/** The coming times off. */
function TimesOff({ offs, own, onOpen }: { offs: readonly Off[]; own: Counsellor | undefined; onOpen: (open: Open) => void }) {
  const removeOff = useDeletion(contract.deleteCounsellorOff);
  const remove = ({ offid, userid, begintime, endtime, reason }: Off) =>
    removeOff({ offid }, '已删除停诊，这段时间恢复可约', () =>
      call(contract.insertCounsellorOff, { userid, begintime, endtime, reason }),
    );
  return (
    <Section
      title="停诊"
      right={
        own &&
        can(contract.insertCounsellorOff) && (
          <Button variant="default" onClick={() => onOpen({ what: 'off', userid: own.userid })}>
            登记停诊
          </Button>
        )
      }
    >
      {offs.length === 0 ? (
        <Text size="sm" c="dimmed">
          没有将来的停诊。请假、外出、开会时登记停诊，这段时间就不能预约。
        </Text>
      ) : (
        <ul className={classes['offs']}>
          {offs.map((off) => (
            <li key={off.offid}>
              <strong data-long>{off.realname}</strong>
              <span>{formatOff(off)}</span>
              <span className={classes['reason']}>{off.reason}</span>
              {off.iseditable === 1 && can(contract.deleteCounsellorOff) && (
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-sm"
                  aria-label={`删除 ${off.realname} ${formatOff(off)} 的停诊`}
                  onClick={() => void remove(off)}
                >
                  删除
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** A time off in words; the second day is left out when it is the first. */
const formatOff = ({ begintime, endtime }: Off): string =>
  `${begintime} 至 ${endtime.slice(0, 10) === begintime.slice(0, 10) ? endtime.slice(11) : endtime}`;
