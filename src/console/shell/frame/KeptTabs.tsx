import { Activity, Suspense, useEffect, useMemo } from 'react';
import type { Location } from '#ui/router/address.ts';
import { matchPath } from '#ui/router/path.ts';
import { startPrefetching } from '#ui/router/prefetchOnIdle.ts';
import { queryClient } from '#ui/api/queryClient.ts';
import { RouteProvider, Navigate, useIsNavigating } from '#ui/router/router.tsx';
import { Skeletons } from '#ui/feedback/states.tsx';
import type { Navigation } from '#console/navigation.ts';
import { screen, type Screen } from '#console/screens.tsx';
import { PageErrorBoundary } from '#console/shell/frame/PageErrorBoundary.tsx';
import type { Tab } from '#console/shell/tabs/tabs.ts';
import classes from './Shell.module.css';

const notFound = screen(() => import('#console/shell/frame/NotFound.tsx'));

const pageOf = ({ Page }: Screen) => (
  <PageErrorBoundary>
    <Page />
  </PageErrorBoundary>
);

/** The page of the account at an address; a path that is none leads to its first page. */
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
 * The view in front, and the kept ones behind it: their state stays, their effects rest. The router changes the address in a transition,
 * so the page before stays until the code of the next one is there; the skeleton is for the first page only.
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

/** Prefetches once the first page has the data it reads. */
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
