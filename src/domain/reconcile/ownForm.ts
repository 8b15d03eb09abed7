import { listItems } from '#domain/reconcile/judgeForm.ts';
import type { Sum, SumStep, TableAlert, TableForm, Test } from '#domain/reconcile/tableForm.ts';

/** The parts of a stored definition (`asds/1`) that judging needs. Institutions make questionnaires in this format. */
interface StoredForm {
  items?: readonly { c: string; type?: number; o?: string; scored?: boolean; required?: boolean; showif?: Test }[];
  optionsets?: Readonly<Record<string, readonly (readonly [string, string, number | null])[]>>;
  reverse?: readonly string[];
  derive?: readonly { if: Test; set: Readonly<Record<string, string>> }[];
  scores?: readonly {
    c: string;
    op: string;
    of?: string | readonly string[];
    where?: Sum['where'];
    w?: readonly number[];
    b?: number;
    ref?: string;
    num?: string;
    den?: string;
    miss?: { max: number; how: string };
    post?: readonly (readonly [string, ...(number | string)[]])[];
    primary?: boolean;
    better?: string;
  }[];
  norms?: Readonly<Record<string, readonly { where?: Test; mean: number; sd: number }[]>>;
  bands?: Readonly<Record<string, readonly (readonly [number | null, number | null, number, string])[]>>;
  validity?: readonly { when: Test; action: string }[];
  alerts?: readonly { c: string; level: number; when: Test }[];
}

/** The row of the table for a questionnaire that the table does not contain, from its stored definition. */
export function readOwnForm(definition: unknown): TableForm {
  const stored = (definition ?? {}) as StoredForm;
  const items = stored.items ?? [];
  const codes = items.map(({ c }) => c);
  const optionsOf = (name: string | undefined) =>
    Object.fromEntries((stored.optionsets?.[name ?? ''] ?? []).map(([code, , points]) => [code, points]));
  const invalid = (stored.validity ?? []).filter((rule) => rule.action === 'invalid').map((rule) => rule.when);
  return {
    items: codes.join(','),
    points: {},
    pointsOf: Object.fromEntries(items.filter((item) => item.type !== 0).map(({ c, o }) => [c, optionsOf(o)])),
    numbers: items.filter((item) => item.type === 0 && item.scored).map(({ c }) => c),
    optional: items.filter((item) => item.required === false).map(({ c }) => c),
    choices: items.filter((item) => (item.type ?? 1) === 1 && item.scored !== false).map(({ c }) => c),
    reversed: (stored.reverse ?? []).join(','),
    implied: (stored.derive ?? []).map((rule) => ({ when: rule.if, answers: rule.set })),
    only: Object.fromEntries(items.flatMap(({ c, showif }) => (showif ? [[c, showif]] : []))),
    sums: (stored.scores ?? []).map((score) => readSum(stored, score, codes)),
    ...(invalid.length > 0 && { invalid: { any: invalid } }),
    alerts: (stored.alerts ?? []).map(({ c, level, when }) => ({ code: c, level: level as TableAlert['level'], when })),
  };
}

function readSum(stored: StoredForm, score: NonNullable<StoredForm['scores']>[number], codes: readonly string[]): Sum {
  const names =
    score.op === 'ref'
      ? [score.ref ?? '']
      : score.op === 'ratio'
        ? [score.num ?? '', score.den ?? '']
        : listItems(typeof score.of === 'object' ? score.of.join(',') : (score.of ?? ''), codes);
  const bands = stored.bands?.[score.c];
  return {
    code: score.c,
    op: score.op === 'ref' ? 'same' : (score.op as Sum['op']),
    of: names.join(','),
    where: score.where,
    weights: score.w ?? [],
    base: score.b ?? 0,
    missing: score.miss?.max ?? 0,
    isProrated: score.miss?.how === 'prorate',
    steps: (score.post ?? []).map(([kind, ...values]): SumStep =>
      kind === 'tscore'
        ? ['norms', stored.norms?.[String(values[0])] ?? []]
        : ([kind, ...values.map(Number)] as unknown as SumStep),
    ),
    ...(bands && {
      levels: bands.map(([low, , level]) => [low ?? Number.NEGATIVE_INFINITY, level] as const).sort(([a], [b]) => a - b),
    }),
    isPrimary: score.primary === true,
    isHighGood: score.better === 'high',
  };
}
