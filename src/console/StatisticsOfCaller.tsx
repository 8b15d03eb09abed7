import { useUser } from '#ui/api/session.ts';
import { lazyPage } from '#ui/router/lazyDialog.tsx';

const BureauPage = lazyPage(() => import('#features/bureau/page/BureauPage.tsx'));
const StatisticsPage = lazyPage(() => import('#features/statistics/page/StatisticsPage.tsx'));

/** 数据分析: an authority reads the release about its schools, an institution its own rows. */
export default function StatisticsOfCaller() {
  return useUser().musertype === '003' ? <BureauPage /> : <StatisticsPage />;
}
