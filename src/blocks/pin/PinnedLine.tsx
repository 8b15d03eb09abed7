import { IconAlertTriangle, IconClipboardList, IconUser, IconUsers } from '@tabler/icons-react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Link } from '#ui/router/router.tsx';
import { getPins } from '#features/pin/pin.contract.ts';
import classes from './pin.module.css';

const ICONS = { case: IconAlertTriangle, person: IconUser, task: IconClipboardList, team: IconUsers } as const;
const NAMES = { case: '个案', person: '档案', task: '任务', team: '团体' } as const;

/** 固定: links to what the user has pinned; nothing without pins. */
export function PinnedLine() {
  const { data } = useActionQuery(getPins, {}, { quiet: true });
  if (!data || data.pins.length === 0) return null;
  return (
    <nav aria-label="固定的内容" className={classes['line']}>
      <ul>
        {data.pins.map(({ kind, refcode, title, note, path }) => {
          const Icon = ICONS[kind];
          return (
            <li key={kind + refcode}>
              <Link to={path} aria-label={[NAMES[kind], title, note].filter(Boolean).join(' ')}>
                <Icon size={16} stroke={1.6} aria-hidden />
                <span title={title}>{title}</span>
                <small>{note}</small>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
