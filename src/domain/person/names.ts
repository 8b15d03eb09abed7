/** Marks between names in a list. The dot of 阿依古丽·买买提 is part of one name. */
const SEPARATORS = /[，,、;；/／|｜&＆+＋\n]|和(?=\p{Script=Han}{2,4}$)/u;
const TWO_WORDS = /^\p{Script=Han}{2,4}(?:[ \u3000]+\p{Script=Han}{2,4})+$/u;

/** Returns the names in a text that seems to name several persons, such as 吴九，郑十; none for one name. */
export function findSeveralNames(text: string): readonly string[] {
  const trimmed = text.trim();
  const names = TWO_WORDS.test(trimmed)
    ? trimmed.split(/[ \u3000]+/)
    : trimmed
        .split(SEPARATORS)
        .map((name) => name.trim())
        .filter(Boolean);
  return names.length > 1 ? names : [];
}

/** Returns the doubt about a name that seems to be several, for a form or a cell; undefined for one name. */
export function describeSeveralNames(text: string): string | undefined {
  const names = findSeveralNames(text);
  return names.length > 0 ? `像是 ${names.length} 个人：${names.map((name) => `“${name}”`).join('、')}` : undefined;
}
