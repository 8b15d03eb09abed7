import { useSyncExternalStore } from 'react';
import type { Chart } from '#domain/chart/chart.ts';
import { session } from '#ui/api/session.ts';

/** The hidden page that shows one chart (specification, section 6). */
export const CHART_PATH = '/echarts/web';
const NAME = 'chart';

/** A chart that its reader has opened full page, with the address of the page it comes from. */
export interface OpenChart {
  chart: Chart;
  /** path and query of that page */
  from: string;
  /** what the figures cover: filters and time */
  note: string;
}
interface Stored extends OpenChart {
  /** the account that opened it; another account in this tab does not see it */
  owner: string;
}

const owner = () => `${session().user?.musercode}/${session().user?.userid}`;
const listeners = new Set<() => void>();
let current: Stored | undefined;

/** Reads the chart that a reload has left in the session of this tab. */
function restore(): Stored | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Stored | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the chart for the page that shows it. The data never stands in the address. */
export function keepOpenChart(opened: OpenChart): void {
  current = { ...opened, owner: owner() };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(current));
  } catch {
    // If the storage is full, the chart only does not survive a reload.
  }
  for (const listener of listeners) listener();
}

function read(): Stored | undefined {
  current ??= restore();
  return current?.owner === owner() ? current : undefined;
}

/** Returns the chart that was opened last by this account in this tab. */
export const useOpenChart = (): OpenChart | undefined =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, read);
