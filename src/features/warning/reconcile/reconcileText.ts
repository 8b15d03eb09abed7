import type { Scale } from '#domain/scoring/scale.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { levelName } from '#domain/warning/levels.ts';
import { ruleName } from '#domain/warning/platformRules.ts';
import { shortenAlert } from '#features/warning/list/triggerText.ts';
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

/**
 * A sheet without its case, in words, with the forms of its reasons. Scores of a sheet that waits for the consent of the guardian stay
 * hidden.
 */
export function describeMissing(
  { examcode, withheld }: { examcode: string; withheld: number },
  { level, reasons }: { level: number; reasons: readonly string[] },
  sector: string,
  scales: ReadonlyMap<string, Scale>,
): string {
  const words = reasons.map((reason) => formatReason(reason, withheld === 1, scales)).join('、');
  return `答卷 ${examcode} 应有${levelName(level, sector)}（${words}），没有找到对应个案`;
}

/** A reason of the table of forms in words: `PHQ9 total=17`, `PHQ9:SI1`, or the code of a rule. */
function formatReason(reason: string, isWithheld: boolean, scales: ReadonlyMap<string, Scale>): string {
  const [, form = '', score = '', value = ''] = /^(\w+) (\w+)=(.*)$/.exec(reason) ?? [];
  const [, alertForm = '', alert = ''] = /^(\w+):(\w+)$/.exec(reason) ?? [];
  const scale = scales.get(form || alertForm);
  // The code of a rule may be followed by details.
  if (!scale) return ruleName(reason.split(' ', 1)[0] ?? '') ?? '本机构规则';
  if (alert) return shortenAlert(scale.alerts?.find(({ c }) => c === alert)?.msg ?? `${shortTitle(scale.title)} 关键条目`);
  const name = `${shortTitle(scale.title)} ${scale.scores.find(({ c }) => c === score)?.n ?? ''}`.trim();
  return isWithheld ? `${name}达到界值` : `${name} ${value} 分`;
}
