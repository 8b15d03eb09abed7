import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/norm/norm.contract.ts';
import * as queries from '#features/norm/norm.queries.ts';

const getNormPageList = handle(contract.getNormPageList, async (filters, { scope, caller }) => {
  const { total, rows } = await queries.findNorms(scope, caller.musercode, filters);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      mean: Number(row.mean),
      sd: Number(row.sd),
      owner: row.musercode === caller.musercode ? ('own' as const) : row.isplatform ? ('platform' as const) : ('above' as const),
      insname: row.insname ?? '上级单位',
    })),
  };
});

/** The columns that a request sets; an absent field stays as it is. */
const toColumns = <F extends Partial<Record<keyof queries.NormColumns, unknown>>>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value === '' ? null : value]])),
  ) as { [K in keyof F]: Exclude<F[K], undefined> };

const insertNorm = handle(contract.insertNorm, async ({ quotacode, ...fields }, { scope, caller, audit }) => {
  if (!(await queries.hasQuota(scope, quotacode))) throw problems.invalid({ message: '没有这个得分' }, { field: 'quotacode' });
  const normid = await queries.addNorm(scope, {
    ...toColumns(fields),
    quotacode,
    musercode: caller.musercode,
    isplatform: caller.musertype === '001' ? 1 : 0,
    updateby: caller.accountid,
  });
  audit({ objectid: String(normid) });
  return { normid };
});

const updateNorm = handle(contract.updateNorm, async ({ normid, version: _, ...fields }, { scope, caller, audit, now }) => {
  const key = { normid, musercode: caller.musercode };
  const changes = { ...toColumns(fields), updateby: caller.accountid };
  if (!(await queries.changeNorm(scope, key, changes, now))) throw problems.notFound({ what: '本机构的常模' });
  audit({ objectid: String(normid) });
  return {};
});

const deleteNorm = handle(contract.deleteNorm, async ({ normid }, { scope, caller, audit, now }) => {
  const key = { normid, musercode: caller.musercode };
  if (!(await queries.changeNorm(scope, key, { isdeleted: 1, updateby: caller.accountid }, now)))
    throw problems.notFound({ what: '本机构的常模' });
  audit({ objectid: String(normid) });
  return {};
});

export const normHandlers = [getNormPageList, insertNorm, updateNorm, deleteNorm];
