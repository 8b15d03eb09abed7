import type { StoredVersion } from '#features/plan/lineage/lineage.queries.ts';

const reportNames: Readonly<Record<string, string>> = { '01': '测评报告', '02': 'AI个体报告', '03': '自定义报告' };
const reportOf = ({ reportmode, templatename }: StoredVersion) =>
  `${reportNames[reportmode] ?? reportmode}${reportmode === '03' && templatename ? `（${templatename}）` : ''}`;
const daysOf = ({ retestdays }: StoredVersion) => (retestdays ? `${retestdays} 天` : '不设');
const keyOf = (form: StoredVersion['forms'][number]) => `${form.formcode} ${form.stagecode}`;
const nameOf = (form: StoredVersion['forms'][number]) =>
  `“${form.formname}”${form.stagecode ? `（${form.stagename ?? form.stagecode}）` : ''}`;

/** Returns in words how the content of a version differs from the version before it. */
export function describeChanges(before: StoredVersion, after: StoredVersion): string[] {
  const changes: string[] = [];
  const oldForms = new Map(before.forms.map((form) => [keyOf(form), form]));
  const newForms = new Map(after.forms.map((form) => [keyOf(form), form]));
  for (const [key, form] of newForms) if (!oldForms.has(key)) changes.push(`新增量表${nameOf(form)}`);
  for (const [key, form] of oldForms) if (!newForms.has(key)) changes.push(`移除量表${nameOf(form)}`);
  for (const [key, form] of newForms) {
    const old = oldForms.get(key);
    if (old && old.required !== form.required) changes.push(`${nameOf(form)}改为${form.required ? '必答' : '选答'}`);
  }
  const kept = (forms: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>) =>
    [...forms.keys()].filter((key) => others.has(key)).join();
  if (kept(oldForms, newForms) !== kept(newForms, oldForms))
    changes.push(`量表顺序改为${after.forms.map((form) => nameOf(form)).join('、')}`);
  const namesOf = (version: StoredVersion) => version.stages.map((stage) => stage.stagename).join('、') || '不分阶段';
  if (namesOf(before) !== namesOf(after)) changes.push(`阶段：${namesOf(before)} → ${namesOf(after)}`);
  if (before.retestdays !== after.retestdays) changes.push(`复测间隔：${daysOf(before)} → ${daysOf(after)}`);
  if (reportOf(before) !== reportOf(after)) changes.push(`报告形式：${reportOf(before)} → ${reportOf(after)}`);
  return changes;
}
