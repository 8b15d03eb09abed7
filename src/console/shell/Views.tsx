import { Activity, useMemo } from 'react';
import { Navigate, useRoutes, type Location, type RouteObject } from 'react-router';
import type { Plan } from '#console/routes.ts';
import NotFound from '#console/shell/NotFound.tsx';
import { ScreenView } from '#console/shell/ScreenView.tsx';
import type { Tab } from '#console/shell/tabs.ts';

/** The pages of the account; a path that is none leads to its first page. */
function View({ plan, location }: { plan: Plan; location: Location }) {
  const objects = useMemo<RouteObject[]>(
    () => [
      ...plan.routes.map(({ path, load }) => ({ path, element: <ScreenView key={path} load={load} /> })),
      ...plan.groups.map(({ path, children }) => ({ path, element: <Navigate to={children[0]?.path ?? '/404'} replace /> })),
      { path: '/404', element: <NotFound /> },
      { path: '*', element: <Navigate to={plan.home} replace /> },
    ],
    [plan],
  );
  return useRoutes(objects, location);
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
