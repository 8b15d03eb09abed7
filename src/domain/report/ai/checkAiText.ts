import type { AiFacts } from '#domain/report/ai/aiFacts.ts';
import { AI_LIMITS } from '#domain/report/ai/aiPrompt.ts';
import { numbersIn } from '#domain/report/ai/numbersIn.ts';
import { findForbidden } from '#domain/report/forbiddenWording.ts';
import { mentionsFamily } from '#domain/report/reader.ts';

/** A text of the AI provider that passed all checks. */
export interface AiText {
  summary: string;
  factors: string[];
  advice: string[];
  /** words for a talk, for staff only */
  talk: string;
}

/** Why a text is refused. The words go to the log of jobs and to staff. */
export type AiFault = 'json' | 'keys' | 'length' | 'forbidden' | 'markup' | 'language' | 'number' | 'family';

export const AI_FAULT_WORDS: Readonly<Record<AiFault, string>> = {
  json: '返回内容格式不正确',
  keys: '返回内容缺项或多项',
  length: '文字过长、过短或条数不符',
  forbidden: '出现不得使用的词语',
  markup: '出现网址或标记符号',
  language: '不是中文',
  number: '出现事实之外的数字',
  family: '提到了不应提及的家人',
};

/** Numbers that a text may always have: small counts and the lines for help. */
const FREE_NUMBERS = [1, 2, 3, 4, 5, 110, 120, 12355, 12356];
/** Beyond the words that no report may have: diagnosis, drugs, and ways to hurt oneself. */
const REFUSED = /诊断|药|剂量|跳楼|坠楼|上吊|割腕|烧炭|煤气|投河|溺水|农药|过量|自残|自缢|服毒|枪/;
const MARKUP = /[<>{}[\]`*#|\\]|&(?:#\d+|[a-z]+);|https?:|www\.|\/\/|@|\b[a-z0-9-]+\.[a-z]{2,}\b/i;
/** Characters that a reader does not see. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u;
const MIN_HAN_SHARE = 0.8;

/** Checks an answer of the provider against the facts (design/reports.md 5.6). One fault refuses the whole text. */
export function checkAiText(answer: string, facts: Pick<AiFacts, 'family'>): { text: AiText } | { fault: AiFault } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    return { fault: 'json' };
  }
  const text = toAiText(parsed);
  if (!text) return { fault: 'keys' };
  const parts = [text.summary, ...text.factors, ...text.advice, text.talk];
  if (!hasGoodLengths(text)) return { fault: 'length' };
  const all = parts.join('\n');
  if (MARKUP.test(all) || parts.some((part) => HIDDEN.test(part))) return { fault: 'markup' };
  if (parts.some((part) => hanShare(part) < MIN_HAN_SHARE)) return { fault: 'language' };
  const plain = all.normalize('NFKC').replace(/[\s·.．、]+/g, '');
  if ([all, plain].some((words) => findForbidden(words, 'self').length > 0 || REFUSED.test(words))) return { fault: 'forbidden' };
  if (!facts.family && mentionsFamily(all)) return { fault: 'family' };
  const allowed = new Set([...FREE_NUMBERS, ...numbersIn(JSON.stringify(facts)).map(Math.abs)]);
  if (numbersIn(all).some((number) => !allowed.has(number))) return { fault: 'number' };
  return { text };
}

/** The answer as a text, when it has exactly the four keys with values of their kind. */
function toAiText(value: unknown): AiText | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { summary, factors, advice, talk } = value as Record<string, unknown>;
  const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((item) => typeof item === 'string');
  if (Object.keys(value).sort().join() !== 'advice,factors,summary,talk') return undefined;
  if (typeof summary !== 'string' || typeof talk !== 'string' || !isTexts(factors) || !isTexts(advice)) return undefined;
  const trim = (text: string) => text.trim();
  return { summary: trim(summary), factors: factors.map(trim), advice: advice.map(trim), talk: trim(talk) };
}

const hasGoodLengths = ({ summary, factors, advice, talk }: AiText): boolean =>
  isWithin(summary, AI_LIMITS.summary) &&
  isWithin(talk, AI_LIMITS.talk) &&
  factors.length <= AI_LIMITS.factors &&
  factors.every((factor) => isWithin(factor, AI_LIMITS.factor)) &&
  advice.length >= AI_LIMITS.adviceMin &&
  advice.length <= AI_LIMITS.adviceMax &&
  advice.every((line) => isWithin(line, AI_LIMITS.advice));

const isWithin = (text: string, limit: number): boolean => text.length > 1 && [...text].length <= limit;

/** The share of Chinese characters among the letters. */
function hanShare(text: string): number {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.length === 0 ? 0 : letters.filter((letter) => /\p{Script=Han}/u.test(letter)).length / letters.length;
}
