import { lazy, Suspense, useDeferredValue, type ComponentType } from 'react';
import { prefetchOnIdle } from '#ui/router/prefetchOnIdle.ts';

/** The code of a page or dialog cannot be loaded: a new version has replaced the files of this one. */
export class CodeGoneError extends Error {
  constructor() {
    super('页面文件加载失败，可能是系统刚刚更新，请刷新页面');
  }
}

/** React.lazy that reports missing files as `CodeGoneError`; `PageErrorBoundary` then offers to reload the page. */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(() =>
    load().catch(() => {
      throw new CodeGoneError();
    }),
  );

/**
 * A dialog or drawer whose code is loaded when the browser is idle, or when it is opened. The page around it stays while its code loads.
 * It is drawn in a deferred render: otherwise React would hold the loaded dialog back for 300 ms.
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
