import { Text, Title } from '@mantine/core';
import {
  IconAlarm,
  IconBell,
  IconBellOff,
  IconBuildingPlus,
  IconCalendarDue,
  IconCalendarCheck,
  IconCalendarTime,
  IconChevronRight,
  IconClipboardHeart,
  IconClipboardList,
  IconFileText,
  IconMessage2,
  IconServerOff,
  IconTicket,
  IconTicketOff,
  IconUserCheck,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { CARE_TYPES } from '#contract/action.ts';
import { formatNumber } from '#domain/base/number.ts';
import { MentalState } from '#domain/base/enums.ts';
import { mentalStateOf } from '#domain/scoring/mentalState.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { RelativeTime, momentOf, stamp, useNow } from '#ui/display/RelativeTime.tsx';
import { LevelBadge, WarningBadge } from '#ui/display/badges.tsx';
import { clockWords } from '#ui/display/Clock.tsx';
import { Link } from '#ui/router/router.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getShelfArticles } from '#features/content/content.contract.ts';
import { PinnedLine } from '#blocks/pin/PinnedLine.tsx';
import { Checklist } from '#blocks/guide/Checklist.tsx';
import { ShelfCard } from '#features/workbench/ShelfCard.tsx';
import { getMyDay, type DayBlock } from '#features/workbench/workbench.contract.ts';
import classes from './workbench.module.css';

const ICONS = {
  notbegun: IconClipboardList,
  flagged: IconAlarm,
  answered: IconFileText,
  supervisions: IconBell,
  overdue: IconAlarm,
  second: IconUserCheck,
  waiting: IconBell,
  consults: IconMessage2,
  bookings: IconCalendarTime,
  followups: IconCalendarCheck,
  due: IconClipboardHeart,
  tasks: IconClipboardList,
  reports: IconFileText,
  grants: IconTicket,
  openings: IconBuildingPlus,
  contracts: IconCalendarDue,
  lowcounts: IconTicketOff,
  channels: IconBellOff,
  jobs: IconServerOff,
} as const;
/** Blocks whose rows show the time left until a deadline. Rows of the other blocks show the time itself. */
const DEADLINE_BLOCKS: readonly DayBlock['key'][] = [
  'supervisions',
  'overdue',
  'second',
  'waiting',
  'consults',
  'followups',
  'tasks',
];
/** Blocks whose rows show how long ago something happened. */
const PAST_BLOCKS: readonly DayBlock['key'][] = ['answered', 'reports', 'channels', 'jobs'];

/** The account types whose staff have follow-ups, consultations and cases. */
const CARING_TYPES: readonly string[] = CARE_TYPES;

/** 工作台: the work of today. The page names empty blocks in one line at the end. */
export default function WorkbenchPage() {
  const read = useActionQuery(getMyDay, {}, { every: 60_000, quiet: true });
  const user = useUser();
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {({ blocks, asof }) => {
        const busyBlocks = blocks.filter((block) => block.count > 0);
        const emptyBlocks = blocks.filter((block) => block.count === 0);
        return (
          <PageStack>
            <header className={classes['head']}>
              <Title order={1} size="h3" fz={20}>
                {findGreeting(asof)}
                {user?.realname ? `，${user.realname}` : ''}
              </Title>
              <Text size="sm" c="dimmed">
                数据截至 {stamp(asof)}
                {CARING_TYPES.includes(user.musertype) && (
                  <>
                    {' · '}
                    <Link to="/planner">我的日程</Link>
                  </>
                )}
              </Text>
            </header>
            <PinnedLine />
            {busyBlocks.length === 0 && (
              <Section>
                <EmptyState title="今天没有待办" hint={emptyHint(user.musertype, blocks.length)} />
              </Section>
            )}
            {busyBlocks.length > 0 && (
              <div className={classes['blocks']}>
                {busyBlocks.map((block) => (
                  <Block key={block.title} block={block} />
                ))}
              </div>
            )}
            {busyBlocks.length > 0 && emptyBlocks.length > 0 && (
              <p className={classes['quiet']}>{emptyBlocks.map((block) => block.title).join('、')}：没有待办</p>
            )}
            <div className={classes['blocks']}>
              <Checklist />
              {can(getShelfArticles) && <ShelfCard />}
            </div>
          </PageStack>
        );
      }}
    </Loaded>
  );
}

/** Says what would appear on an empty workbench. */
const emptyHint = (musertype: string, blockCount: number) =>
  blockCount === 0
    ? '可以从左侧菜单进入工作页面'
    : musertype === '001'
      ? '有机构待开通、即将到期或次数不足时会出现在这里'
      : musertype === '003'
        ? '有学校未开始、有超时事项或督办有回复时会出现在这里'
        : '有新的预警、随访或报告时会出现在这里';

const findGreeting = (asof: string) => {
  const hour = Number(asof.slice(11, 13));
  return hour < 6 ? '夜深了' : hour < 11 ? '早上好' : hour < 14 ? '中午好' : hour < 18 ? '下午好' : '晚上好';
};

function Block({ block }: { block: DayBlock }) {
  const Icon = ICONS[block.key];
  return (
    <section className={classes['block']} data-key={block.key} aria-labelledby={`block-${block.title}`}>
      <MaybeLink to={block.path} className={classes['title']}>
        <Icon size={20} stroke={1.6} aria-hidden />
        <h2 id={`block-${block.title}`}>{block.title}</h2>
        <strong>{formatNumber(block.count)}</strong>
        {block.note && <span className={classes['note']}>{block.note}</span>}
        {block.path && <IconChevronRight size={16} aria-hidden className={classes['go']} />}
      </MaybeLink>
      {block.rows.length > 0 && (
        <ul>
          {block.rows.map((row) => (
            <li key={`${row.path} ${row.title} ${row.time}`}>
              <MaybeLink to={row.path} className={classes['row']}>
                <span className={classes['who']} title={row.title}>
                  {row.title}
                </span>
                <span className={classes['detail']} title={row.detail}>
                  <RowLevel block={block.key} row={row} /> {row.detail}
                </span>
                <RowTime block={block.key} row={row} />
              </MaybeLink>
            </li>
          ))}
        </ul>
      )}
      {block.path && block.count > block.rows.length && block.rows.length > 0 && (
        <Link to={block.path} className={classes['all']}>
          查看全部 {formatNumber(block.count)} 项
        </Link>
      )}
    </section>
  );
}

/** A link, or plain content where there is no page to open. */
function MaybeLink({ to, className, children }: { to: string; className: string | undefined; children: ReactNode }) {
  return to ? (
    <Link to={to} className={className ?? ''}>
      {children}
    </Link>
  ) : (
    <div className={className}>{children}</div>
  );
}

function RowLevel({ block, row: { level, levelname } }: { block: DayBlock['key']; row: DayBlock['rows'][number] }) {
  if (level === null) return null;
  if (block === 'reports') return <LevelBadge level={level} label={MentalState.label(mentalStateOf(level as Level))} />;
  return <WarningBadge level={level} name={levelname} />;
}

function RowTime({ block, row }: { block: DayBlock['key']; row: DayBlock['rows'][number] }) {
  const now = useNow(30_000);
  if (!row.time) return null;
  const timeLeft = DEADLINE_BLOCKS.includes(block) ? clockWords(momentOf(row.time), now).words : undefined;
  // A booking shows its hour; one of an earlier day, which nobody finished, its day too.
  const hour = row.time.slice(0, 10) === shanghaiDate(new Date(now)) ? row.time.slice(11, 16) : row.time.slice(5, 16);
  return (
    <time className={classes['time']} data-late={row.late || undefined} title={row.time.slice(0, 16)}>
      {timeLeft ??
        (block === 'bookings' ? (
          hour
        ) : PAST_BLOCKS.includes(block) ? (
          <RelativeTime at={row.time} />
        ) : block === 'due' ? (
          `最晚 ${row.time}`
        ) : (
          `${row.time} 到期`
        ))}
    </time>
  );
}
