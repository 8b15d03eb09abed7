import type { z } from 'zod';
import { shanghaiTime } from '#domain/base/calendar.ts';
import type { BandOption } from '#domain/scoring/scale.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import type { getQuotaFormOptionList, QuotaOptionRow } from '#features/bandset/bandset.contract.ts';
import * as queries from '#features/bandset/bandset.queries.ts';

type Filters = z.output<(typeof getQuotaFormOptionList)['request']>;

const everybody = { appid: null, gender: null, agemin: null, agemax: null };
const textsOf = ({ comment, staffcomment, suggestion }: Partial<BandOption>) => ({
  comment: comment ?? '',
  staffcomment: staffcomment ?? '',
  suggestion: suggestion ?? '',
});
const populationOf = ({ appid, gender, agemin, agemax }: queries.Population) => ({ appid, gender, agemin, agemax });
const isSameSet = (a: queries.SetKey, b: queries.SetKey) =>
  a.quotacode === b.quotacode &&
  a.musercode === b.musercode &&
  a.appid === b.appid &&
  a.gender === b.gender &&
  a.agemin === b.agemin &&
  a.agemax === b.agemax;

/** The rows of the list: for each score the definition, the sets in force above the caller, and the own rows. */
export async function listOptions(
  { scope, caller }: ReadContext<'staff'>,
  { formcode, quotacode, appid, keyword }: Filters,
): Promise<QuotaOptionRow[]> {
  const code = quotacode?.slice(0, quotacode.indexOf('.')) ?? formcode;
  const forms = await queries.findScales(scope, code);
  const options = await queries.findOptions(scope, caller.musercode, code);
  const sets = await queries.findSetsInForce(scope, caller.musercode, code);
  const above = sets.filter((set) => set.musercode !== caller.musercode);
  const originTimes = new Map(above.flatMap((set) => set.options.map(({ optionid }) => [optionid, set.validfrom.getTime()])));
  const isOriginChanged = ({ originid, origintime }: queries.OptionRow) =>
    originid !== null && originTimes.get(originid) !== origintime?.getTime();
  const rows = forms.flatMap(({ scale, insname, currentversion, musercode, formname }) =>
    scale.scores.flatMap((score): QuotaOptionRow[] => {
      const bands = scale.bands[score.c] ?? [];
      if (bands.length === 0) return [];
      const common = {
        quotacode: `${scale.formcode}.${score.c}`,
        quotaname: score.n,
        formcode: scale.formcode,
        formname,
        formversion: currentversion,
        halfopen: scale.bandmode?.[score.c] === 'halfopen' ? 1 : 0,
      };
      return [
        ...bands.map(([minscore, maxscore, level, levelname], index): QuotaOptionRow => ({
          ...common,
          ...everybody,
          ...textsOf({}),
          optionid: null,
          source: 'definition',
          musercode,
          insname: insname ?? '平台',
          minscore,
          maxscore,
          level,
          levelname,
          ordernum: index + 1,
          enabled: 1,
          validfrom: null,
          originchanged: 0,
          version: 0,
        })),
        ...above
          .filter((set) => set.quotacode === common.quotacode)
          .flatMap((set) =>
            set.options.map((option, index): QuotaOptionRow => ({
              ...common,
              ...populationOf(set),
              ...option,
              ...textsOf(option),
              source: 'above',
              musercode: set.musercode,
              insname: set.insname,
              ordernum: index + 1,
              enabled: 1,
              validfrom: shanghaiTime(set.validfrom),
              originchanged: 0,
              version: set.version,
            })),
          ),
        ...options
          .filter((option) => option.quotacode === common.quotacode)
          .map((option): QuotaOptionRow => {
            const inForce = sets.find((set) => isSameSet(set, option));
            return {
              ...common,
              ...populationOf(option),
              ...textsOf(option),
              optionid: option.optionid,
              source: 'own',
              musercode: option.musercode,
              insname: option.insname,
              minscore: option.minscore,
              maxscore: option.maxscore,
              level: option.level,
              levelname: option.levelname,
              ordernum: option.ordernum,
              enabled: option.enabled,
              validfrom: inForce ? shanghaiTime(inForce.validfrom) : null,
              originchanged: isOriginChanged(option) ? 1 : 0,
              version: option.version,
            };
          }),
      ];
    }),
  );
  return rows.filter(
    (row) =>
      (!quotacode || row.quotacode === quotacode) &&
      (!appid || row.appid === null || row.appid === appid) &&
      (!keyword ||
        [row.formname, row.quotaname, row.levelname, row.comment, row.suggestion].some((text) => text.includes(keyword))),
  );
}
