import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { SelectFilter, useFilter } from '#ui/list/filters.tsx';
import { getWorkload } from '#features/care/followup/work.contract.ts';

/** The filter by the responsible colleague, which a number of 工作量 sets. It shows the name; without such a filter it takes no room. */
export function OwnerFilter({ value, label }: { value: unknown; label: string }) {
  return typeof value === 'string' && value !== '' && can(getWorkload) ? <NamedFilter label={label} /> : null;
}

function NamedFilter({ label }: { label: string }) {
  const [value] = useFilter('owneruserid');
  const staff = useActionQuery(getWorkload, {}, { quiet: true });
  const options = (staff.data ?? []).flatMap(({ userid, realname }) =>
    userid === null ? [] : [{ value: userid, label: realname }],
  );
  // Until the names are read, a code is not shown.
  const isKnown = options.some((option) => option.value === value);
  return <SelectFilter name="owneruserid" label={label} options={isKnown || value === '' ? options : [{ value, label: '…' }]} />;
}
