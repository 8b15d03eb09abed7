import { formatNumber } from '#domain/base/number.ts';
import { Link } from '#ui/router/router.tsx';
import type { ResponseOf } from '#contract/action.ts';
import type { getTaskBoard } from '#features/task/board/board.contract.ts';
import { taskPath } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

type Class = ResponseOf<typeof getTaskBoard>['classes'][number];

/** The numbers of a class as text. */
const describe = ({ name, total, finished, doing, notstarted, absent, exempt }: Class) =>
  `${name}：应测 ${total}，已完成 ${finished}，作答中 ${doing}，未开始 ${notstarted}，免测 ${exempt}，缺测 ${absent - exempt}`;

/** Who of a class need not finish: 免测 1 · 缺测 2. */
const describeAbsent = ({ absent, exempt }: Class) =>
  [exempt && `免测 ${exempt}`, absent > exempt && `缺测 ${absent - exempt}`].filter(Boolean).join(' · ');

/** Shows one cell per class with its progress word, numbers and colour. A cell opens the roster of the class. */
export function HeatMap({ taskcode, classes: cells }: { taskcode: string; classes: readonly Class[] }) {
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
          </Link>
        </li>
      ))}
    </ul>
  );
}
