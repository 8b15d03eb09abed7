import { compileScale } from '#domain/scoring/compiledScale.ts';
import { noticeAt, type Fault, type Place } from '#domain/scoring/editor/fault.ts';
import { reachOfItem } from '#domain/scoring/editor/reachable.ts';
import { atomsOf } from '#domain/scoring/editor/references.ts';
import { findForbidden, type Audience } from '#domain/report/forbiddenWording.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { expand } from '#domain/scoring/condition.ts';

/** A form that takes longer gets a notice. */
const MINUTES = 15;
/** The usual time for one question, in minutes. */
const MINUTES_PER_ITEM = 1 / 6;

/** What an author must confirm before publishing. */
export function findNotices(scale: Scale): Fault[] {
  return [...findLevelNotices(scale), ...findItemNotices(scale), ...findLengthNotice(scale), ...findWordNotices(scale)];
}

function findLevelNotices(scale: Scale): Fault[] {
  if (scale.formtype === '02' || scale.formtype === '03') return [];
  const primary = scale.scores.filter((score) => score.primary);
  if (!primary.some(({ c }) => scale.bands[c]?.length))
    return [noticeAt('bands.none', { part: 'bands' }, '没有任何主要得分划分等级，本量表不会产生预警')];
  return primary.flatMap(({ c, n, domain }) => {
    const without = scale.bands[c]?.length
      ? []
      : [noticeAt('bands.none', { part: 'bands', code: c }, `主要得分“${n}”没有等级，不会产生预警`)];
    const place = { part: 'scores', code: c, field: 'domain' } as const;
    const other = (domain ?? '08') === '08' ? [noticeAt('scores.domain', place, `“${n}”的领域为其他，不计入抑郁、焦虑统计`)] : [];
    return [...without, ...other];
  });
}

function findItemNotices(scale: Scale): Fault[] {
  const form = compileScale(scale);
  const inScores = new Set(form.scores.flatMap(({ codes }) => codes));
  const inAlerts = new Set(
    (scale.alerts ?? [])
      .flatMap(({ when }) => atomsOf(when))
      .flatMap((atom) => ('count' in atom ? expand(atom.count, scale.items) : 'item' in atom ? [atom.item] : [])),
  );
  return form.items.flatMap((compiled) => {
    const { item } = compiled;
    const place = (field: string): Place => ({ part: 'items', code: item.c, field });
    const faults: Fault[] = [];
    const isScored = item.scored !== false && reachOfItem(compiled) !== undefined;
    if (scale.scores.length > 0 && isScored && !inScores.has(item.c))
      faults.push(noticeAt('items.unused', place('scored'), '这道题有分值，但不在任何得分中'));
    if (item.sensitive && !inAlerts.has(item.c)) faults.push(noticeAt('items.alert', place('sensitive'), '敏感题目没有预警规则'));
    if (item.sensitive && scale.agemin === undefined)
      faults.push(noticeAt('items.age', place('sensitive'), '量表有敏感题目，但没有最小年龄'));
    return faults;
  });
}

function findLengthNotice(scale: Scale): Fault[] {
  const minutes = scale.minutes ?? Math.round(scale.items.length * MINUTES_PER_ITEM);
  return minutes > MINUTES
    ? [noticeAt('form.minutes', { part: 'form', field: 'minutes' }, `预计作答 ${minutes} 分钟，超过 ${MINUTES} 分钟容易草率作答`)]
    : [];
}

/** Forbidden words, by the readers of each text. */
function findWordNotices(scale: Scale): Fault[] {
  const person: Audience = scale.capturemode === 'staff' ? 'staff' : 'self';
  const texts: [Place, string, Audience][] = [
    [{ part: 'form', field: 'title' }, scale.title, person],
    [{ part: 'form', field: 'instruction' }, scale.instruction ?? '', person],
  ];
  for (const { c, t, head } of scale.items) {
    texts.push([{ part: 'items', code: c, field: 't' }, t, person]);
    if (head) texts.push([{ part: 'items', code: c, field: 'head' }, head, person]);
  }
  for (const [code, rows] of Object.entries(scale.optionsets))
    rows.forEach(([, label], index) => texts.push([{ part: 'optionsets', code, index, field: 'label' }, label, person]));
  for (const { c, n } of scale.scores) texts.push([{ part: 'scores', code: c, field: 'n' }, n, person]);
  for (const [code, rows] of Object.entries(scale.bands))
    rows.forEach(([, , , label], index) => texts.push([{ part: 'bands', code, index, field: 'label' }, label, person]));
  for (const { c, msg } of scale.alerts ?? []) texts.push([{ part: 'alerts', code: c, field: 'msg' }, msg, 'staff']);
  for (const { c, msg } of scale.validity ?? []) texts.push([{ part: 'validity', code: c, field: 'msg' }, msg, 'staff']);
  return texts.flatMap(([place, text, audience]) =>
    findForbidden(text, audience).map(({ word, why }) => noticeAt('words.forbidden', place, `“${word}”：${why}`)),
  );
}
