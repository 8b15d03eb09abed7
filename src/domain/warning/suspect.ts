/** Suspects outside the staff, as reports name them. A case keeps every name that a report gave. */

/** How a report names a guardian by relation, by the codes of `guardian.relation`. */
const RELATION_WORDS: Readonly<Record<string, RegExp>> = {
  '01': /^(她|他|其|本人|孩子|学生)?的?(亲生|生)?(父亲|爸|父|父母|家长)(?!.?的)/,
  '02': /^(她|他|其|本人|孩子|学生)?的?(亲生|生)?(母亲|妈|母|父母|爸爸?妈|家长)(?!.?的)/,
};

const toNames = (text: string) => text.split(/[、，,；;/\s（）()和与及]+/).filter((name) => name !== '');

/** The names of both texts, each once: a later report never clears an earlier suspect. */
export const joinSuspects = (before: string, added: string): string =>
  [...new Set([before.trim(), added.trim()])].filter((name) => name !== '').join('、');

/** Whether a text with suspects means this guardian: by the name, also with words around it, or by the relation. */
export function isSuspectedGuardian(suspects: string, { name, relation }: { name: string; relation: string }): boolean {
  if (name.trim() !== '' && suspects.includes(name.trim())) return true;
  return toNames(suspects).some((text) => RELATION_WORDS[relation]?.test(text));
}

/** Whether a text with suspects means this helper of a safety plan, who may be named by relation alone: 妈妈, 父亲. */
export function isSuspectedHelper(suspects: string, { name, relation }: { name: string; relation: string }): boolean {
  const words = `${relation}${name}`;
  const code = /父|爸/.test(words) ? '01' : /母|妈/.test(words) ? '02' : '';
  return isSuspectedGuardian(suspects, { name, relation: code });
}
