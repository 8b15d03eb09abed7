import { lazy, Suspense, useDeferredValue, type ComponentType } from 'react';
import { prefetchOnIdle } from '#ui/router/prefetchOnIdle.ts';

/** The code of a page or dialog cannot be loaded, because a new version has replaced its files. */
export class CodeGoneError extends Error {
  constructor() {
    super('页面文件加载失败，可能是系统刚刚更新，请刷新页面');
  }
}

/** Is React.lazy that reports missing files as `CodeGoneError`; `PageErrorBoundary` then offers to reload the page. */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(() =>
    load().catch(() => {
      throw new CodeGoneError();
    }),
  );

/**
 * Returns a dialog or drawer whose code loads when the browser is idle, or when it opens. The page stays visible while the code
 * loads. A deferred render opens it: otherwise React would delay the loaded dialog by 300 ms.
 */
export function lazyDialog<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Dialog = lazy(() =>
    load().then(
      (component) => ({ default: component as ComponentType<object> }),
      () => {
        throw new CodeGoneError();
      },
    ),
  );
  prefetchOnIdle(load);
  return function LazyDialog(props: P) {
    const isOpen = useDeferredValue(true, false);
    return <Suspense fallback={null}>{isOpen && <Dialog {...props} />}</Suspense>;
  };
}
