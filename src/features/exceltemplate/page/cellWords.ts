import { Gender } from '#domain/base/enums.ts';
import { indicatorOf } from '#domain/exceltemplate/indicators.ts';
import { gradeName, isDownwards, partsOfTarget, type Mapping } from '#domain/exceltemplate/mapping.ts';

interface Names {
  districts: readonly { code: string; name: string }[];
  schools: readonly { code: string; name: string }[];
}

/** What fills a cell, in words: 应测 · 每行的学校（A 列） · 初一. */
export function describeMapping(mapping: Mapping, { districts, schools }: Names): string {
  const indicator = indicatorOf(mapping.indicator);
  const title = indicator?.title ?? mapping.indicator;
  if (indicator?.of === 'form') return title;
  const [where, who] = [partsOfTarget(mapping.place), partsOfTarget(mapping.people)];
  const nameIn = (list: Names['schools']) => list.find(({ code }) => code === where.code)?.name ?? where.code;
  const place =
    where.kind === 'rows'
      ? `每行的${where.code === 'school' ? '学校' : '区县'}（${mapping.placecolumn} 列）`
      : where.kind === 'school'
        ? nameIn(schools)
        : where.kind === 'district'
          ? nameIn(districts)
          : '全部学校';
  const people =
    who.kind === 'rows'
      ? `每行的年级（${mapping.peoplecolumn} 列）`
      : who.kind === 'grade'
        ? gradeName(who.code)
        : who.kind === 'gender'
          ? `${Gender.label(who.code as '01')}生`
          : '';
  return [title, place, people].filter(Boolean).join(' · ');
}

/** The sign of a chosen cell: one cell, or a column that is filled downwards. */
export const signOf = (mapping: Mapping): string => (isDownwards(mapping) ? '▼' : '●');
