import { useEffect, useSyncExternalStore, type ComponentType, type FunctionComponent } from 'react';
import { ahead } from '#ui/ahead.ts';
import { sayError } from '#ui/say.ts';

export interface Later<P> extends FunctionComponent<P> {
  /** Fetches the code, e.g. when the pointer comes near. */
  warm: () => Promise<void>;
  /** Whether the code is here; redraws when it comes. */
  useReady: () => boolean;
}

/**
 * A part of a page that can be shown without it: a dialog, a drawer, a menu. Its code is fetched when the part is first drawn, or ahead
 * of that while the page has nothing else to do. Until it is here `Meanwhile` stands in its place, or nothing.
 * Not React.lazy: what is there already is drawn at once, and Suspense would hide the page around it.
 */
export function later<P extends object>(fetch: () => Promise<ComponentType<P>>, Meanwhile?: ComponentType<P>): Later<P> {
  let Part: ComponentType<P> | undefined;
  let coming: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const warm = () =>
    (coming ??= fetch().then(
      (part) => {
        Part = part;
        for (const tell of listeners) tell();
      },
      () => {
        coming = undefined;
        throw new Error('页面文件加载失败，可能是系统刚刚更新，请刷新页面');
      },
    ));
  const usePart = () =>
    useSyncExternalStore(
      (tell) => (listeners.add(tell), () => void listeners.delete(tell)),
      () => Part,
    );
  function Later(props: P) {
    const Now = usePart() ?? Meanwhile;
    useEffect(() => {
      if (!Part) warm().catch(sayError);
    }, []);
    return Now ? <Now {...props} /> : null;
  }
  ahead(warm);
  return Object.assign(Later, { warm, useReady: () => usePart() !== undefined });
}
