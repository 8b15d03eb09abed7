import { formatNumber } from '#domain/base/number.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import { Link } from '#ui/router/router.tsx';
import type { AuditRow } from '#features/audit/audit.contract.ts';
import { auditKindLabels } from '#features/audit/audit.labels.ts';

const TONES: Readonly<Record<AuditRow['kind'], Tone>> = {
  read: 'gray',
  reveal: 'amber',
  write: 'green',
  export: 'orange',
  import: 'lime',
};

/** The kind of an action as a badge. */
export const KindBadge = ({ kind }: { kind: AuditRow['kind'] }) => <Badge tone={TONES[kind]}>{auditKindLabels[kind]}</Badge>;

/** The user who did it. For an acting session it also names the person behind it. */
export const Who = ({ row }: { row: Pick<AuditRow, 'who' | 'loginasby'> }) => (
  <span>
    <span data-long>{row.who}</span>
    {row.loginasby && (
      <Badge tone="orange">{row.loginasby.startsWith('对接密钥') ? row.loginasby : `${row.loginasby} 代登录`}</Badge>
    )}
  </span>
);

/** The persons concerned. Each name links to the list of users who looked at that person. */
export function Persons({ row }: { row: AuditRow }) {
  if (row.personcount === 0) return '—';
  return (
    <span data-long>
      {row.persons.map((person, index) => (
        <span key={person.cuserid}>
          {index > 0 && '、'}
          <Link to={`/authority/trail/${person.cuserid}`}>{person.username}</Link>
        </span>
      ))}
      {row.personcount > row.persons.length && ` 等 ${formatNumber(row.personcount)} 人`}
    </span>
  );
}

/** The record that the action concerned, by its name if the reader may see it. */
export const AuditObject = ({ row }: { row: Pick<AuditRow, 'objectid' | 'objectname'> }) =>
  row.objectname ? (
    <span data-long title={row.objectid}>
      {row.objectname}
    </span>
  ) : (
    row.objectid || '—'
  );
