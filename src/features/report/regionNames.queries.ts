import { sql } from 'kysely';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';

/** The answers with the names of regions instead of their codes: 江苏省南京市鼓楼区 for 320106. An unknown code stays. */
export async function withRegionNames(scope: Scope, scale: Scale, answers: Answers): Promise<Answers> {
  const items = scale.items.filter((item) => item.type === 0 && item.input === 8 && typeof answers[item.c] === 'string');
  if (items.length === 0) return answers;
  const codes = items.map((item) => String(answers[item.c]));
  const { rows } = await sql<{ districtcode: string; fullname: string }>`
    select districtcode, fullname from ref.district where districtcode = any(${codes}::text[])`.execute(scope.db);
  const names = new Map(rows.map((row) => [row.districtcode, row.fullname.replaceAll('/', '')]));
  const named = items.map((item) => [item.c, names.get(String(answers[item.c])) ?? answers[item.c]] as const);
  return { ...answers, ...Object.fromEntries(named) };
}
