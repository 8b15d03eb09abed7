import { levelName } from '#domain/warning/levels.ts';
import { useUser } from '#ui/api/session.ts';
import classes from './badges.module.css';

export type Tone = 'green' | 'lime' | 'amber' | 'orange' | 'red' | 'gray';
const LEVEL_TONES: readonly Tone[] = ['green', 'lime', 'amber', 'orange', 'red'];
const WARNING_TONES: readonly Tone[] = ['amber', 'lime', 'amber', 'orange', 'red'];

/** A text on a coloured ground with its own mark; the colour never carries meaning alone. */
export function Badge({ tone, shape = 0, children }: { tone: Tone; shape?: 0 | 1 | 2 | 3; children: string }) {
  return (
    <span className={`${classes['badge']} ${classes[tone]}`} data-shape={shape}>
      {children}
    </span>
  );
}

interface Labelled {
  label: (code: string | number | null | undefined) => string;
}

/** The label of an enumeration's code in the tone of `tones`; codes without a tone are grey. */
export function EnumBadge({
  of,
  code,
  tones = {},
}: {
  of: Labelled;
  code: string | number | null | undefined;
  tones?: Readonly<Record<string | number, Tone>>;
}) {
  const word = of.label(code);
  return word ? <Badge tone={(code != null && tones[code]) || 'gray'}>{word}</Badge> : <>—</>;
}

const shapeOf = (level: number) => (level <= 1 ? 0 : level === 2 ? 1 : level === 3 ? 2 : 3);

/** A result level 0–4 (green to dark red) with the form's own label. Null: not assessed. */
export function LevelBadge({ level, label }: { level: number | null | undefined; label: string | null | undefined }) {
  if (level === null || level === undefined) return <>{label || '—'}</>;
  return (
    <Badge tone={LEVEL_TONES[level] ?? 'gray'} shape={shapeOf(level)}>
      {label || `${level} 级`}
    </Badge>
  );
}

/**
 * The level 1–4 of a case: `name` in the words of the case's sector, by default in those of the reader's.
 * For class teachers, who read no level, `name` is 关注.
 */
export function WarningBadge({ level, name }: { level: number | null | undefined; name?: string }) {
  const { sector } = useUser();
  const word = name ?? levelName(level || null, sector);
  if (!word) return <>—</>;
  return (
    <Badge tone={WARNING_TONES[level ?? 0] ?? 'gray'} shape={shapeOf(level ?? 0)}>
      {word}
    </Badge>
  );
}
