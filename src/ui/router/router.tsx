import {
  createContext,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useTransition,
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { go, here, hrefOf, setBlocker, watch, type Blocker, type Location, type To } from '#ui/router/address.ts';
import { matchPath, type Params } from '#ui/router/path.ts';

/** The address of a view. A kept view behind another one keeps its own address. */
const RouteContext = createContext<{ location: Location; params: Params } | undefined>(undefined);
const none: Params = {};

/** Provides an address to its children: the address bar's, or the one of a kept view. */
export function RouteProvider({
  location,
  params = none,
  children,
}: {
  location: Location;
  params?: Params;
  children: ReactNode;
}) {
  const place = useMemo(() => ({ location, params }), [location, params]);
  return <RouteContext value={place}>{children}</RouteContext>;
}

const Navigating = createContext(false);

/**
 * Follows the address bar; the console mounts it once. Each change is a transition: the old page stays usable until React can show
 * the new one.
 */
export function Router({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(here);
  const [isPending, startTransition] = useTransition();
  useLayoutEffect(() => {
    const stop = watch(() => startTransition(() => setLocation(here())));
    setLocation(here());
    return stop;
  }, [startTransition]);
  return (
    <Navigating value={isPending}>
      <RouteProvider location={location}>{children}</RouteProvider>
    </Navigating>
  );
}

/** Says whether the next page is still loading. */
export const useIsNavigating = (): boolean => use(Navigating);

function useRoute() {
  const place = use(RouteContext);
  if (!place) throw new Error('outside the router');
  return place;
}
export const useLocation = (): Location => useRoute().location;
/** Returns the named parameters of this page's path. */
export const useParams = (): Params => useRoute().params;

/** Navigates to an address of the console; a query alone (`?page=2`) stays on this page. */
export function useNavigate() {
  const { pathname } = useLocation();
  return useCallback((to: To, { replace = false } = {}) => go(hrefOf(to, pathname), replace), [pathname]);
}

type Query = URLSearchParams | Readonly<Record<string, string>>;

/** Returns this page's query and its setter. A function gets the newest query, also while the page still shows an older one. */
export function useSearchParams() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (next: Query | ((before: URLSearchParams) => Query), options: { replace?: boolean } = {}) => {
      // The page may not show the newest address yet: a choice made meanwhile must not be lost.
      const newest = here();
      const before = newest.pathname === pathname ? newest.search : search;
      const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(before)) : next).toString();
      // A question mark alone empties the query; an empty address would keep it.
      navigate(`?${query}`, options);
    },
    [navigate, pathname, search],
  );
  return [params, change] as const;
}

/** Asks before the page is left; `guard` is called at every navigation. */
export function useBlocker(guard: Blocker): void {
  useLayoutEffect(() => {
    setBlocker(guard);
    return () => setBlocker(undefined);
  });
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string;
  replace?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link inside the console. The browser itself opens it in a new tab or window. */
export function Link({ to, replace, onClick, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  const url = hrefOf(to, pathname);
  const href = url.origin === window.location.origin ? url.pathname + url.search + url.hash : url.href;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
    if (event.defaultPrevented || event.button !== 0 || elsewhere || (rest.target && rest.target !== '_self')) return;
    event.preventDefault();
    // A link to the current address adds no history entry.
    const now = here();
    go(url, replace ?? href === now.pathname + now.search + now.hash);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

/** Navigates to another address as soon as it is mounted. */
export function Navigate({ to, replace = false }: { to: string; replace?: boolean }) {
  const navigate = useNavigate();
  useEffect(() => navigate(to, { replace }), [navigate, to, replace]);
  return null;
}

/** Says whether this page's path has that pattern. */
export const useMatch = (pattern: string): boolean => matchPath(pattern, useLocation().pathname) !== undefined;
