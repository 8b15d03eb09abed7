import { useEffect, useRef } from 'react';

/**
 * The back button of the phone or of the chat app first goes back within the sheet: `handle` says whether it did. Only at the first
 * question does it leave the page.
 */
export function useBackButton(handle: () => boolean): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    window.history.pushState({ sheet: true }, '');
    const onBack = () => {
      if (latest.current()) window.history.pushState({ sheet: true }, '');
      else window.history.back();
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
}
