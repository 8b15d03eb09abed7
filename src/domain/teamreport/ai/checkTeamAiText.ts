import { checkAiText, type AiFault, type AiText } from '#domain/report/ai/checkAiText.ts';
import type { TeamAiFacts } from '#domain/teamreport/ai/teamAiFacts.ts';

/** Words that rank classes, schools or staff. A group report never ranks (design/reports.md 5.3 ⑩). */
const RANKING = /排名|排行|名次|倒数|垫底|最差|落后/;
/** One to four persons: a group report hides such counts, and a text may use these numbers for other things only. */
const FEW_PERSONS = /(?<![\d.%％])[1-4]\s*[名位人]|[二两三四]\s*[名位人](?!群)/;

const percentsIn = (text: string): string[] =>
  [...text.matchAll(/(\d+(?:\.\d+)?)\s*%/g)].map(([, number = '']) => String(Number(number)));

/** Checks an answer of the provider against the facts of a group. One fault refuses the whole text. */
export function checkTeamAiText(answer: string, facts: TeamAiFacts): { text: AiText } | { fault: AiFault } {
  const outcome = checkAiText(answer, facts);
  if ('fault' in outcome) return outcome;
  const { summary, factors, advice, talk } = outcome.text;
  const all = [summary, ...factors, ...advice, talk].join('\n').normalize('NFKC');
  if (RANKING.test(all)) return { fault: 'forbidden' };
  // A percentage must be one of the facts, not only its number.
  const known = new Set(percentsIn(JSON.stringify(facts)));
  if (percentsIn(all).some((percent) => !known.has(percent))) return { fault: 'number' };
  return FEW_PERSONS.test(all) ? { fault: 'number' } : outcome;
}
