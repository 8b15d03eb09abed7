import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findDistrict } from '#features/muser/muser.queries.ts';

type Region = {
  provincecode?: string | null | undefined;
  citycode?: string | null | undefined;
  districtcode?: string | null | undefined;
};

/**
 * The columns of a region from the deepest code given. Municipalities have no cities and 东莞, 中山, 儋州, 嘉峪关 no counties, so a
 * level may stay empty. Codes that do not belong together are refused (120002); without any code the region is cleared.
 */
export async function regionColumns(scope: Scope, given: Region) {
  const deepest = given.districtcode || given.citycode || given.provincecode;
  if (!deepest) return { provincecode: null, citycode: null, districtcode: null, regionname: null };
  const found = await findDistrict(scope, deepest);
  if (!found) throw problems.invalid({ message: '地区编码不正确' }, { field: 'districtcode' });
  const columns = {
    provincecode: found.level === 1 ? found.districtcode : found.parentlevel === 1 ? found.parentcode : found.grandparentcode,
    citycode: found.level === 2 ? found.districtcode : found.parentlevel === 2 ? found.parentcode : null,
    districtcode: found.level === 3 ? found.districtcode : null,
    regionname: found.fullname,
  };
  for (const key of ['provincecode', 'citycode', 'districtcode'] as const)
    if (given[key] && given[key] !== columns[key])
      throw problems.invalid({ message: '省、市、区县不属于同一地区' }, { field: key });
  return columns;
}
