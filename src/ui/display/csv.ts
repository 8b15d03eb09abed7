/** First characters that make a spreadsheet program read a formula, full-width forms included (security.md C24). */
const trigger = /^[=+\-@\t\r\0＝＋－＠]/;

/**
 * Makes a CSV file for Chinese Excel: UTF-8 with a byte order mark, every cell quoted. An apostrophe before a formula makes the
 * program show it as text.
 */
export const csvOf = (rows: readonly (readonly string[])[]): Blob =>
  new Blob([`\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}`], { type: 'text/csv;charset=utf-8' });

const cell = (text: string) => `"${(trigger.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
