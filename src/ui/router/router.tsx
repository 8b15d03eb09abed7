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

/** The address a view was drawn for: a kept view behind another one keeps its own. */
const RouteContext = createContext<{ location: Location; params: Params } | undefined>(undefined);
const none: Params = {};

/** Draws what stands at an address: the address bar's, or the one a kept view was left at. */
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
 * Follows the address bar; stands once around the console. The change is a transition: the page before stays usable until the next one
 * can be drawn.
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

/** Is the next page still being loaded? */
export const useIsNavigating = (): boolean => use(Navigating);

function useRoute() {
  const place = use(RouteContext);
  if (!place) throw new Error('outside the router');
  return place;
}
export const useLocation = (): Location => useRoute().location;
/** The named parts of this page's path. */
export const useParams = (): Params => useRoute().params;

/** Goes to an address of the console; a query alone (`?page=2`) stays on this page. */
export function useNavigate() {
  const { pathname } = useLocation();
  return useCallback((to: To, { replace = false } = {}) => go(hrefOf(to, pathname), replace), [pathname]);
}

type Query = URLSearchParams | Readonly<Record<string, string>>;

/** This page's query, and how to change it. */
export function useSearchParams() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback(
    (next: Query | ((before: URLSearchParams) => Query), options: { replace?: boolean } = {}) => {
      const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(search)) : next).toString();
      // A question mark alone empties the query: an empty address would keep it.
      navigate(`?${query}`, options);
    },
    [navigate, search],
  );
  return [params, change] as const;
}

/** Asks before a step away; `guard` is read anew at every step. */
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

/** A link inside the console. Opening it in a new tab or window is left to the browser. */
export function Link({ to, replace, onClick, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  const url = hrefOf(to, pathname);
  const href = url.origin === window.location.origin ? url.pathname + url.search + url.hash : url.href;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
    if (event.defaultPrevented || event.button !== 0 || elsewhere || (rest.target && rest.target !== '_self')) return;
    event.preventDefault();
    // The address we are at is not put into the history twice.
    const now = here();
    go(url, replace ?? href === now.pathname + now.search + now.hash);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

/** Leads on to another address as soon as it is drawn. */
export function Navigate({ to, replace = false }: { to: string; replace?: boolean }) {
  const navigate = useNavigate();
  useEffect(() => navigate(to, { replace }), [navigate, to, replace]);
  return null;
}

/** Is this page's path of that pattern? */
export const useMatch = (pattern: string): boolean => matchPath(pattern, useLocation().pathname) !== undefined;
