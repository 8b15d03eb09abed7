import type { ArchiveValue } from '#domain/person/archive.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { findIdHolder, findNumberHolder, type ArchiveColumns } from '#features/cuser/cuser.queries.ts';

/** The numbers that belong to one person of an institution. */
const NUMBERS = [
  { code: 'studentno', what: '相同学号的学生' },
  { code: 'employeeno', what: '相同工号的人员' },
  { code: 'checkupno', what: '相同建册号的孕产妇' },
] as const;

/**
 * Refuses (130002) a number of another person. `data.cuserid` names that person, so that the form can open their archive. A caller who
 * must not see that person gets the refusal of the unique index, which names nobody.
 */
export async function assertNumbersFree(
  scope: Scope,
  { columns, detail }: { columns: Partial<ArchiveColumns>; detail: Readonly<Record<string, ArchiveValue>> },
  { musercode, cuserid, within = '' }: { musercode: string; cuserid?: string; within?: string },
): Promise<void> {
  for (const { code, what } of NUMBERS) {
    const value = code === 'checkupno' ? detail[code] : columns[code];
    if (typeof value !== 'string' || value === '') continue;
    const holder = await findNumberHolder(scope, musercode, code, value);
    if (!holder || holder.cuserid === cuserid) continue;
    throw problems.duplicate({ what }, { field: `${within}archive.${code}`, data: holder });
  }
}

/** Refuses (130002) the ID number of another person, with that person. Pupils are recognised by their student number only. */
export async function assertIdFree(
  { scope, cipher }: Pick<Context, 'scope' | 'cipher'>,
  { appid, idno, musercode, cuserid }: { appid: string; idno: string; musercode: string; cuserid?: string },
  within = '',
): Promise<void> {
  const field = `${within}idno`;
  if (appid === '000000002') throw problems.invalid({ message: '学生不采集身份证号，请填写学号' }, { field });
  const holder = await findIdHolder(scope, musercode, cipher.blindIndexes(musercode, 'cuser.idno', idno));
  if (holder && holder.cuserid !== cuserid) throw problems.duplicate({ what: '相同证件号的受测者' }, { field, data: holder });
}
