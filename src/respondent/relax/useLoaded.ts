import { useEffect, useState } from 'react';
import { errorMessage } from '#respondent/api/api.ts';

/** What the pages of one visit have read. It lives in the page only, so nothing of it stays on the device. */
export type Shelf = Map<string, unknown>;

/** Reads something for a page. What was read before is shown at once, stays when the network fails, and is read anew unless `isOnce`. */
export function useLoaded<T>(shelf: Shelf, key: string, read: () => Promise<T>, isOnce = false) {
  const [data, setData] = useState(shelf.get(key) as T | undefined);
  const [fault, setFault] = useState('');
  const load = async () => {
    setFault('');
    try {
      const next = await read();
      shelf.set(key, next);
      setData(next);
    } catch (error) {
      setFault(errorMessage(error));
    }
  };
  useEffect(() => {
    if (!isOnce || data === undefined) void load();
  }, []);
  return { data, fault, load };
}
