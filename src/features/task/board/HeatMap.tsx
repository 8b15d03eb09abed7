import { Link } from '#ui/router/router.tsx';
import type { ResponseOf } from '#contract/action.ts';
import type { getTaskBoard } from '#features/task/board/board.contract.ts';
import { taskPath } from '#features/task/task.labels.ts';
import classes from '#features/task/task.module.css';

type Class = ResponseOf<typeof getTaskBoard>['classes'][number];

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
            title={`${cell.name}：应测 ${cell.total}，已完成 ${cell.finished}，作答中 ${cell.doing}，未开始 ${cell.notstarted}，免测/缺测 ${cell.absent}`}
          >
            <b>{cell.name}</b>
            <span className={classes['word']}>
              <span>{cell.word}</span>
              <span>
                {cell.finished}/{cell.total - cell.absent}
              </span>
            </span>
            <span className={classes['bar']} aria-hidden>
              <span style={{ width: `${cell.total > cell.absent ? (100 * cell.finished) / (cell.total - cell.absent) : 0}%` }} />
            </span>
            <span className={classes['quiet']}>
              {cell.doing > 0
                ? `作答中 ${cell.doing}`
                : cell.remindcount > 0 && cell.notstarted > 0
                  ? `已催 ${cell.remindcount} 次`
                  : '\u00a0'}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
