import type { ReconcileState } from '#features/warning/reconcile/reconcile.contract.ts';

/** A comparison in words: 对账 10-07 08:00–10-08 10:00：答卷12，个案3，差异0. */
export const formatReconcile = ({
  from,
  to,
  sheets,
  cases,
  differences,
}: Pick<ReconcileState, 'from' | 'to' | 'sheets' | 'cases' | 'differences'>): string =>
  to ? `对账 ${from.slice(5, 16)}–${to.slice(5, 16)}：答卷${sheets}，个案${cases}，差异${differences}` : '对账将在几分钟内开始';
