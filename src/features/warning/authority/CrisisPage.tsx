import { useUser } from '#ui/api/session.ts';
import { AuthorityWarnings } from '#features/warning/authority/AuthorityWarnings.tsx';
import WarningListPage from '#features/warning/WarningListPage.tsx';

/** 危机预警: the list of cases. An authority reads numbers instead, because no case of its region is visible to it. */
export default function CrisisPage() {
  return useUser().musertype === '003' ? <AuthorityWarnings /> : <WarningListPage />;
}
