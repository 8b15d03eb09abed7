import { useUser } from '#ui/api/session.ts';
import { lazyPage } from '#ui/router/lazyDialog.tsx';

const WarningListPage = lazyPage(() => import('#features/warning/WarningListPage.tsx'));
const SupervisionPage = lazyPage(() => import('#features/supervision/SupervisionPage.tsx'));

/** 危机预警: the list of cases. An authority sees no case of its region; it opens 督办 instead. */
export default function CrisisPage() {
  return useUser().musertype === '003' ? <SupervisionPage /> : <WarningListPage />;
}
