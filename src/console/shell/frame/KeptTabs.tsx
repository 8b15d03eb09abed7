import { Activity, Suspense, useEffect, useMemo } from 'react';
import type { Location } from '#ui/router/address.ts';
import { matchPath } from '#ui/router/path.ts';
import { startPrefetching } from '#ui/router/prefetchOnIdle.ts';
import { queryClient } from '#ui/api/queryClient.ts';
import { RouteProvider, Navigate, useIsNavigating } from '#ui/router/router.tsx';
import { Skeletons } from '#ui/feedback/states.tsx';
import type { Navigation } from '#console/navigation.ts';
import { screen, type Screen } from '#console/lazyScreen.ts';
import { PageErrorBoundary } from '#console/shell/frame/PageErrorBoundary.tsx';
import type { Tab } from '#console/shell/tabs/tabs.ts';
import classes from './Shell.module.css';

const notFound = screen(() => import('#console/shell/frame/NotFound.tsx'));

const pageOf = ({ Page }: Screen) => (
  <PageErrorBoundary>
    <Page />
  </PageErrorBoundary>
);

/** Shows the account's page at an address. An unknown path leads to its first page. */
function View({ plan, location }: { plan: Navigation; location: Location }) {
  const { pathname } = location;
  const found = useMemo(() => {
    for (const route of plan.routes) {
      const params = matchPath(route.path, pathname);
      if (params) return { params, page: pageOf(route.screen) };
    }
    if (pathname === '/404') return { page: pageOf(notFound) };
    const group = plan.groups.find(({ path }) => matchPath(path, pathname));
    return { page: <Navigate to={group ? (group.children[0]?.path ?? '/404') : plan.home} replace /> };
  }, [plan, pathname]);
  return (
    <RouteProvider location={location} {...(found.params ? { params: found.params } : {})}>
      {found.page}
    </RouteProvider>
  );
}

/**
 * Shows the view in front. Views behind it keep their state, and their effects pause. The router changes the address in a
 * transition, so the old page stays until the new code is there. Only the first page shows the skeleton.
 */
export function KeptTabs({ plan, location, tabs }: { plan: Navigation; location: Location; tabs: readonly Tab[] | undefined }) {
  const isNavigating = useIsNavigating();
  return (
    <Suspense fallback={<Skeletons.Page />}>
      {isNavigating && <div className={classes['pending']} role="status" aria-label="正在打开页面" />}
      {tabs?.some((tab) => tab.key === location.pathname) ? (
        tabs.map((tab) => (
          <Activity key={`${tab.key} ${tab.turn}`} mode={tab.key === location.pathname ? 'visible' : 'hidden'}>
            <View plan={plan} location={tab.key === location.pathname ? location : tab.location} />
          </Activity>
        ))
      ) : (
        <View key={location.pathname} plan={plan} location={location} />
      )}
      <AfterFirstPage />
    </Suspense>
  );
}

/** Starts prefetching when the first page has read its data. */
function AfterFirstPage() {
  useEffect(() => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching()) return;
      stop();
      startPrefetching();
    });
    return stop;
  }, []);
  return null;
}
