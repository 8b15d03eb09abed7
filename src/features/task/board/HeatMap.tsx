import { formatNumber } from '#domain/base/number.ts';
import { formatSpan } from '#domain/task/slots.ts';
import { Link } from '#ui/router/router.tsx';
import type { ResponseOf } from '#contract/action.ts';
import type { getTaskBoard } from '#features/task/board/board.contract.ts';
import { taskPath } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

type Class = ResponseOf<typeof getTaskBoard>['classes'][number];

/** The numbers of a class as text. */
const describe = ({ name, slot, total, finished, doing, notstarted, absent, exempt }: Class) =>
  [
    `${name}：${slot ? `时段 ${formatSpan(slot)}，` : ''}应测 ${total}`,
    `已完成 ${finished}，作答中 ${doing}，未开始 ${notstarted}，免测 ${exempt}，缺测 ${absent - exempt}`,
  ].join('，');

/** Where the time stands to the slot of a class. `missed`: the slot is over, and some have not begun. */
function slotState({ slot, notstarted }: Class, readat: string): keyof typeof SLOT_WORDS {
  if (!slot || readat < slot.begintime) return 'ahead';
  if (readat <= slot.endtime) return 'now';
  return notstarted > 0 ? 'missed' : 'over';
}
const SLOT_WORDS = { ahead: '', now: ' · 进行中', over: ' · 已过', missed: ' · 已过，有人未开始' };

/** Who of a class need not finish: 免测 1 · 缺测 2. */
const describeAbsent = ({ absent, exempt }: Class) =>
  [exempt && `免测 ${exempt}`, absent > exempt && `缺测 ${absent - exempt}`].filter(Boolean).join(' · ');

/** Shows one cell per class with its progress word, numbers and colour. A cell opens the roster of the class. */
export function HeatMap({
  taskcode,
  classes: cells,
  readat,
}: {
  taskcode: string;
  classes: readonly Class[];
  /** the time of the numbers: a slot may be now or over */
  readat: string;
}) {
  const hasSlots = cells.some(({ slot }) => slot);
  return (
    <ul className={classes['heat']} aria-label="各班进度">
      {cells.map((cell) => (
        <li key={cell.teamcode ?? cell.name}>
          <Link
            className={classes['cell']}
            data-word={cell.word}
            to={`${taskPath(taskcode, 'roster')}${cell.teamcode ? `?teamcode=${cell.teamcode}` : ''}`}
            title={describe(cell)}
          >
            <b>{cell.name}</b>
            <span className={classes['word']}>
              <span>{cell.word}</span>
              <span>
                {formatNumber(cell.finished)}/{formatNumber(cell.total)}
              </span>
            </span>
            <span className={classes['bar']} aria-hidden>
              <span style={{ width: `${cell.duerate ?? 0}%` }} />
            </span>
            <span className={classes['quiet']}>
              {cell.doing > 0
                ? `作答中 ${cell.doing}`
                : cell.remindcount > 0 && cell.notstarted > 0
                  ? `已催 ${cell.remindcount} 次`
                  : describeAbsent(cell) || '\u00a0'}
            </span>
            {hasSlots && (
              <span className={classes['quiet']} data-slot={slotState(cell, readat)}>
                {cell.slot ? `${formatSpan(cell.slot)}${SLOT_WORDS[slotState(cell, readat)]}` : '随时作答'}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}
