import { placeholdersIn } from '#domain/report/commentary/placeholders.ts';
import { findForbidden, paragraphLimit, type Audience } from '#domain/report/forbiddenWording.ts';
import { childSentenceLimit } from '#domain/report/reader.ts';

/** The greatest length of a text of an institution, in characters; each of its paragraphs has `paragraphLimit`. */
export const textLimit = 1000;

/** The paragraphs of a text: its lines that are not empty. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/**
 * What stops a text, in Chinese; empty when it may be saved.
 * @param allowed the names of the placeholders that its place has
 */
export function textFaults(
  { template, audience, reader }: { template: string; audience: Audience; reader?: 'child' | null | undefined },
  allowed: ReadonlySet<string>,
): string[] {
  const faults: string[] = [];
  if (template.length > textLimit) faults.push(`不超过 ${textLimit} 个字（现在 ${template.length} 个）`);
  const long = paragraphsOf(template).filter(({ length }) => length > paragraphLimit);
  if (long.length > 0) faults.push(`每段不超过 ${paragraphLimit} 个字，请分段：“${long[0]?.slice(0, 12)}…”`);
  for (const { word, why } of findForbidden(template, audience)) faults.push(`不能写“${word}”：${why}`);
  if (audience !== 'self' && /您|你/.test(template)) faults.push('给工作人员的文字不称“您”或“你”');
  if (reader === 'child') {
    const sentence = template.split(/[。！？；\n]/).find(({ length }) => length > childSentenceLimit);
    if (sentence) faults.push(`小学生版每句不超过 ${childSentenceLimit} 个字：“${sentence.slice(0, 12)}…”`);
  }
  const unknown = placeholdersIn(template).filter((name) => !allowed.has(name));
  if (unknown.length > 0) faults.push(`这里没有占位符 ${unknown.map((name) => `{{${name}}}`).join('、')}`);
  if (/\{\{|\}\}/.test(template.replace(/\{\{[^{}]*\}\}/g, ''))) faults.push('占位符的大括号没有成对');
  return faults;
}
