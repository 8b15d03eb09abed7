import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import type { Scope } from '#server/scope.ts';
import * as queries from '#features/muser/muser.queries.ts';

/** May this member of staff look after accounts of a type? Schools and hospitals belong to 机构管理, providers and authorities to 服务商管理. */
export function managesType(caller: Staff, musertype: string): boolean {
  if (musertype === '004' || musertype === '005') return caller.codes.has(codeOf('service.institutions'));
  return caller.musertype === '001' && caller.codes.has(codeOf('service.providers'));
}

/**
 * An institution strictly below the caller that the caller looks after, or a refusal: 130001 for anything out of reach (absent and
 * foreign look alike), 110004 for the caller's own institution and for types it does not look after.
 */
export async function demandBelow(scope: Scope, caller: Staff, musercode: string) {
  const place = await queries.findPlace(scope, musercode);
  if (!place) throw problems.notFound({ what: '机构' });
  if (musercode === caller.musercode || !managesType(caller, place.musertype)) throw problems.notAllowed();
  return place;
}

/** An institution of the caller's reach, its own included, or 130001. */
export async function demandReach(scope: Scope, musercode: string) {
  const place = await queries.findPlace(scope, musercode);
  if (!place) throw problems.notFound({ what: '机构' });
  return place;
}

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
  const found = await queries.findDistrict(scope, deepest);
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
