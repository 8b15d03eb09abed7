import { Component, useEffect, useState, type ComponentType, type ErrorInfo, type ReactNode } from 'react';
import { fetchAhead } from '#ui/ahead.ts';
import { queryClient } from '#ui/queryClient.ts';
import { ErrorState, Skeletons } from '#ui/states.tsx';
import type { Load } from '#console/screens.tsx';

const loaded = new Map<Load, ComponentType>();

/** Fetches a page's code ahead of its opening, e.g. when the pointer rests on its menu entry. */
export const warmUp = (load: Load): void =>
  void load().then(
    (page) => loaded.set(load, page.default),
    () => undefined,
  );

/**
 * Shows a page once its code is there. Not React.lazy: Suspense may hold finished content back for up to 300 ms.
 * A shape is shown only after 120 ms, so that a quick page never flickers.
 */
export function ScreenView({ load }: { load: Load }) {
  const [Page, setPage] = useState<ComponentType | undefined>(() => loaded.get(load));
  const [error, setError] = useState<unknown>();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (Page) return;
    let gone = false;
    const timer = setTimeout(() => setLate(true), 120);
    load().then(
      (page) => {
        loaded.set(load, page.default);
        if (!gone) setPage(() => page.default);
      },
      (reason: unknown) => !gone && setError(reason),
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [Page, load]);
  useEffect(() => {
    if (Page) return onceRead(fetchAhead);
  }, [Page]);
  // The files of an older build are gone after an update; only a reload finds the new ones.
  if (error) return <ErrorState error={new Error('页面文件加载失败，可能是系统刚刚更新')} retry={() => location.reload()} />;
  return Page ? (
    <Fence>
      <Page />
    </Fence>
  ) : late ? (
    <Skeletons.Page />
  ) : null;
}

/** Once what a page reads is there. */
function onceRead(work: () => void): () => void {
  const stop = queryClient.getQueryCache().subscribe(() => {
    if (queryClient.isFetching()) return;
    stop();
    work();
  });
  return stop;
}

/** A page that breaks leaves the frame usable. */
class Fence extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    console.error(error, componentStack);
  }
  override render() {
    if (!this.state.error) return this.props.children;
    return <ErrorState error={new Error('页面出现错误')} retry={() => this.setState({ error: undefined })} />;
  }
}
