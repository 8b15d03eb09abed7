import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findDistrict } from '#features/muser/muser.queries.ts';

type Region = {
  provincecode?: string | null | undefined;
  citycode?: string | null | undefined;
  districtcode?: string | null | undefined;
};

/**
 * Returns the columns of a region from its deepest code; without any code, empty columns. Refuses codes of different regions with
 * 120002. A level may be empty: municipalities have no cities, and 东莞, 中山, 儋州, 嘉峪关 have no counties.
 */
export async function regionColumns(scope: Scope, region: Region) {
  const deepest = region.districtcode || region.citycode || region.provincecode;
  if (!deepest) return { provincecode: null, citycode: null, districtcode: null, regionname: null };
  const district = await findDistrict(scope, deepest);
  if (!district) throw problems.invalid({ message: '地区编码不正确' }, { field: 'districtcode' });
  const columns = {
    provincecode:
      district.level === 1 ? district.districtcode : district.parentlevel === 1 ? district.parentcode : district.grandparentcode,
    citycode: district.level === 2 ? district.districtcode : district.parentlevel === 2 ? district.parentcode : null,
    districtcode: district.level === 3 ? district.districtcode : null,
    regionname: district.fullname,
  };
  for (const key of ['provincecode', 'citycode', 'districtcode'] as const)
    if (region[key] && region[key] !== columns[key])
      throw problems.invalid({ message: '省、市、区县不属于同一地区' }, { field: key });
  return columns;
}
