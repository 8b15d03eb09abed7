/** What a spreadsheet program takes for a formula, full-width forms included (security.md C24). */
const trigger = /^[=+\-@\t\r\0＝＋－＠]/;

/**
 * A CSV file as Excel in Chinese opens it: UTF-8 with its mark, every cell quoted. A text that would be calculated gets an apostrophe in
 * front, which the program shows as text.
 */
export const csvOf = (rows: readonly (readonly string[])[]): Blob =>
  new Blob([`\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}`], { type: 'text/csv;charset=utf-8' });

const cell = (text: string) => `"${(trigger.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
