import { useEffect, useRef } from 'react';

/**
 * Makes the back button of the phone or chat app go back within the exam: `handle` says whether it did. At the first question the
 * button leaves the page.
 */
export function useBackButton(handle: () => boolean): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    window.history.pushState({ form: true }, '');
    const onBack = () => {
      if (latest.current()) window.history.pushState({ form: true }, '');
      else window.history.back();
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
}
