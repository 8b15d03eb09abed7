/** Numbers before a question: `1.`, `1、`, `（1）`, `①`, `第1题`, `Q1.`, also full width. */
const NUMBERING =
  /^\s*(?:第\s*[\d０-９]+\s*[题项条][.．、:：)）]?|[（(【[]\s*[\d０-９]+\s*[)）】\]][.．、]?|[Qq]?[\d０-９]+\s*(?:[.．](?!\d)|[、:：)）])|[①-⑳])\s*/;

/** Returns the questions of a pasted text: one a line, without their numbers; empty lines are left out. */
export const splitQuestions = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', ' ').replace(NUMBERING, '').trim())
    .filter(Boolean);
