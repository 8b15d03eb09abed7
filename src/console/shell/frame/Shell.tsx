import { Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useSubject } from '#ui/api/acting.ts';
import { confirmLeave } from '#ui/feedback/confirm.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { matchPath } from '#ui/router/path.ts';
import { Link, useBlocker, useLocation } from '#ui/router/router.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { session, useMaybeUser } from '#ui/api/session.ts';
import { busyWords, onBusy } from '#ui/api/transfer.ts';
import { hasUnsaved } from '#ui/router/unsaved.ts';
import { buildNavigation, type Navigation, type Route } from '#console/navigation.ts';
import { names, takeFlash } from '#console/storage.ts';
import { ActingBanner } from '#console/shell/account/ActingBanner.tsx';
import { hasChosenApp, keepAppLists } from '#console/shell/account/apps.ts';
import { useVisits } from '#blocks/guide/useVisits.ts';
import { PinButton } from '#blocks/pin/PinButton.tsx';
import { pinOf } from '#blocks/pin/pinOf.ts';
import { HelpButton } from '#console/help/HelpButton.tsx';
import { NewsButton } from '#console/news/NewsButton.tsx';
import { Header } from '#console/shell/frame/Header.tsx';
import { saveSidebarOpen, readSidebarOpen, useShellSettings } from '#console/shell/frame/settings.ts';
import { Sidebar } from '#console/shell/menu/Sidebar.tsx';
import { TabStrip } from '#console/shell/tabs/TabStrip.tsx';
import { useTabs } from '#console/shell/tabs/tabs.ts';
import { KeptTabs } from '#console/shell/frame/KeptTabs.tsx';
import classes from './Shell.module.css';

const AppDialog = lazyDialog(() => import('#console/shell/account/AppDialog.tsx').then((file) => file.AppDialog));
const LoginAsDialog = lazyDialog(() => import('#console/shell/account/LoginAsDialog.tsx').then((file) => file.LoginAsDialog));
const Busy = lazyDialog(() => import('#console/shell/frame/Busy.tsx').then((file) => file.Busy));

const MOBILE = '(max-width: 992px)';
const watchMobile = (listener: () => void) => {
  const media = window.matchMedia(MOBILE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
};
const watchLine = (listener: () => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

/** The frame around every page. Without an account it shows nothing. */
export function Shell() {
  const user = useMaybeUser();
  const plan = useMemo(() => user && buildNavigation(user, session().codes), [user]);
  return user && plan ? (
    <>
      {user.loginasby && <ActingBanner />}
      <Frame
        key={user.routerKey}
        plan={plan}
        demo={user.demo}
        exempt={user.appexempt || user.winddownuntil !== '' || user.permissions.length === 0}
        winddownUntil={user.winddownuntil}
        isReady={!user.mustchangepwd && !user.mustenrol}
      />
    </>
  ) : null;
}

interface FrameProps {
  plan: Navigation;
  demo: boolean;
  exempt: boolean;
  /** Last day of 收尾模式; '' while the contract runs. */
  winddownUntil: string;
  /** The account owes neither a new password nor a second factor, so the server accepts its calls. */
  isReady: boolean;
}

function Frame({ plan, demo, exempt, winddownUntil, isReady }: FrameProps) {
  const location = useLocation();
  const settings = useShellSettings();
  const mobile = useSyncExternalStore(watchMobile, () => window.matchMedia(MOBILE).matches);
  const online = useSyncExternalStore(watchLine, () => navigator.onLine);
  const busy = useSyncExternalStore(onBusy, busyWords);
  const [isSidebarOpen, setIsSidebarOpen] = useState(readSidebarOpen);
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const subject = useSubject();
  const [asksForApp, setAsksForApp] = useState(() => !exempt && !hasChosenApp());
  const routeOf = (pathname: string) => plan.routes.find(({ path }) => matchPath(path, pathname));
  const route = routeOf(location.pathname);
  const pin = pinOf(location.pathname, location.search);
  const bench = plan.routes.find(({ path }) => path === '/workbench');
  const home = bench ?? plan.routes.find(({ path }) => path === plan.home);
  const start = { path: home?.path ?? '/404', title: home?.title ?? '工作台' };
  const tabs = useTabs(location, route?.title, start, (path) => routeOf(path)?.title);
  useLeaveGuard(settings.tabs);
  useVisits(location.pathname);
  useEffect(() => {
    document.title = route ? `${route.title} - AI智慧心理-管理端` : 'AI智慧心理-管理端';
  }, [route]);
  useEffect(() => {
    const flash = takeFlash();
    if (flash) notify[flash.tone](flash.text);
  }, []);
  useEffect(() => {
    if (isReady && localStorage.getItem(names.appList) === null) void keepAppLists();
  }, [isReady]);
  const toggle = () => {
    if (mobile) return setIsDrawerOpen(!isDrawerOpen);
    saveSidebarOpen(!isSidebarOpen);
    setIsSidebarOpen(!isSidebarOpen);
  };
  const open = mobile ? isDrawerOpen : isSidebarOpen;
  return (
    <div
      className={classes['frame']}
      data-mobile={mobile || undefined}
      data-open={open || undefined}
      onKeyDown={(event) => event.key === 'Escape' && isDrawerOpen && setIsDrawerOpen(false)}
    >
      <a className={classes['skip']} href="#content">
        跳到正文
      </a>
      <Header plan={plan} active={route?.active ?? ''} settings={settings} mobile={mobile} open={open} toggle={toggle} />
      {mobile && isDrawerOpen && <div className={classes['backdrop']} onClick={() => setIsDrawerOpen(false)} aria-hidden />}
      <aside className={classes['sidebar']} inert={mobile && !isDrawerOpen}>
        <Sidebar
          plan={plan}
          active={route?.active ?? ''}
          collapsed={!mobile && !isSidebarOpen}
          onFollow={() => setIsDrawerOpen(false)}
        />
      </aside>
      <div className={classes['body']}>
        {settings.tabs && !mobile && <TabStrip tabs={tabs} current={location.pathname} />}
        {!online && (
          <p className={classes['offline']} role="status">
            网络已断开，页面上是断开前的内容，恢复后会自动更新
          </p>
        )}
        {winddownUntil && (
          <p className={classes['winddown']} role="status">
            本机构服务已到期，处于收尾模式（至 {winddownUntil}
            ）：只能处理危机预警，由服务商值班协同；期满后在办预警移交服务商。续期请联系服务商
          </p>
        )}
        <main id="content" tabIndex={-1} className={classes['content']}>
          <div className={classes['crumbs']}>
            <Crumbs route={route} bench={bench !== undefined} />
            <span className={classes['tools']}>
              {route && <HelpButton key={route.path} path={route.path} title={route.title} />}
              {pin && <PinButton {...pin} />}
            </span>
            {route?.path === '/workbench' && <NewsButton />}
            {demo && (
              <Text component="span" size="xs" className={classes['demo'] ?? ''}>
                演示数据
              </Text>
            )}
          </div>
          {route && <VisuallyHidden component="h1">{route.title}</VisuallyHidden>}
          <KeptTabs plan={plan} location={location} tabs={settings.tabs && !mobile ? tabs.tabs : undefined} />
        </main>
      </div>
      {asksForApp && <AppDialog onDone={() => setAsksForApp(false)} />}
      {subject && <LoginAsDialog key={`${subject.musercode}/${subject.userid}`} subject={subject} />}
      {busy !== undefined && <Busy words={busy} />}
    </div>
  );
}

/** Asks before a page with unsaved changes is left. Kept views lose nothing and do not ask. */
function useLeaveGuard(isKept: boolean) {
  useBlocker((from, to) => (!isKept && hasUnsaved() && from.pathname !== to.pathname ? confirmLeave() : undefined));
}

/** The breadcrumb: 工作台 first, then the directory and the page. */
function Crumbs({ route, bench }: { route: Route | undefined; bench: boolean }) {
  const atBench = route?.path === '/workbench';
  return (
    <nav aria-label="位置">
      <ol>
        <li>{atBench ? <span aria-current="page">工作台</span> : <Link to={bench ? '/workbench' : '/'}>工作台</Link>}</li>
        {!atBench && route?.above.map(({ title, path }) => <li key={title}>{path ? <Link to={path}>{title}</Link> : title}</li>)}
        {!atBench && route && (
          <li>
            <span aria-current="page">{route.title}</span>
          </li>
        )}
      </ol>
    </nav>
  );
}
