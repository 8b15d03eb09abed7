import { Activity, useMemo } from 'react';
import type { Location } from '#ui/address.ts';
import { matchPath } from '#ui/path.ts';
import { At, Navigate } from '#ui/router.tsx';
import type { Plan } from '#console/routes.ts';
import { ScreenView } from '#console/shell/ScreenView.tsx';
import type { Tab } from '#console/shell/tabs.ts';

const notFound = () => import('#console/shell/NotFound.tsx');

/** The page of the account at an address; a path that is none leads to its first page. */
function View({ plan, location }: { plan: Plan; location: Location }) {
  const { pathname } = location;
  const found = useMemo(() => {
    for (const route of plan.routes) {
      const params = matchPath(route.path, pathname);
      if (params) return { params, page: <ScreenView key={route.path} load={route.load} /> };
    }
    if (pathname === '/404') return { page: <ScreenView load={notFound} /> };
    const group = plan.groups.find(({ path }) => matchPath(path, pathname));
    return { page: <Navigate to={group ? (group.children[0]?.path ?? '/404') : plan.home} replace /> };
  }, [plan, pathname]);
  return (
    <At location={location} {...(found.params ? { params: found.params } : {})}>
      {found.page}
    </At>
  );
}

/** The view in front, and the kept ones behind it: their state stays, their effects rest. */
export function Views({ plan, location, tabs }: { plan: Plan; location: Location; tabs: readonly Tab[] | undefined }) {
  if (!tabs?.some((tab) => tab.key === location.pathname))
    return <View key={location.pathname} plan={plan} location={location} />;
  return tabs.map((tab) => (
    <Activity key={`${tab.key} ${tab.turn}`} mode={tab.key === location.pathname ? 'visible' : 'hidden'}>
      <View plan={plan} location={tab.key === location.pathname ? location : tab.location} />
    </Activity>
  ));
}
