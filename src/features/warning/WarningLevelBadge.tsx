import { Badge, type Tone } from '#ui/display/badges.tsx';

const TONES: readonly Tone[] = ['amber', 'lime', 'amber', 'orange', 'red'];

/** The level of a warning with its name in the sector. For class teachers, who read no level, it says 关注. */
export function WarningLevelBadge({ level, name }: { level: number | null; name: string }) {
  return (
    <Badge tone={TONES[level ?? 0] ?? 'gray'} shape={level === 4 ? 3 : level === 3 ? 2 : level === 2 ? 1 : 0}>
      {name}
    </Badge>
  );
}
