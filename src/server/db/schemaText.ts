import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../../../db/schema/', import.meta.url);

/** Returns the whole schema as one text: the files of db/schema in the order of their names. */
export async function schemaText(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  return names.map((name, index) => `-- db/schema/${name}\n\n${texts[index] ?? ''}`).join('\n');
}
