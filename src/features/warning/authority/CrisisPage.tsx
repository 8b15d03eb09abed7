import { useUser } from '#ui/api/session.ts';
import { Navigate } from '#ui/router/router.tsx';
import WarningListPage from '#features/warning/WarningListPage.tsx';

/** 危机预警: the list of cases. An authority sees no case of its region; its page is 督办. */
export default function CrisisPage() {
  return useUser().musertype === '003' ? <Navigate to="/statistics/supervision" replace /> : <WarningListPage />;
}
