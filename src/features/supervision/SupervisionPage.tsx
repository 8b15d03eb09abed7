import { useUser } from '#ui/api/session.ts';
import { AuthoritySupervisions } from '#features/supervision/AuthoritySupervisions.tsx';
import { OwnSupervisions } from '#features/supervision/OwnSupervisions.tsx';

/** 督办: an authority opens and closes them, an institution answers them. */
export default function SupervisionPage() {
  return useUser().musertype === '003' ? <AuthoritySupervisions /> : <OwnSupervisions />;
}
