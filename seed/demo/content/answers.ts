import type { Scale } from '#domain/scoring/scale.ts';
import type { Random } from '#seed/demo/content/random.ts';

/**
 * The response model of fictional persons. One latent trait θ for distress influences all items.
 * Loadings, cuts and difficulties were fitted to published Chinese surveys: the same shares of persons are above the cut-offs
 * (prevalence windows in answers.test.ts).
 */
interface Model {
  loading: number;
  cuts: readonly number[];
  /** how much higher θ must be for a person to endorse an item; negative: persons endorse it more easily */
  difficulty: readonly number[];
  /** difference of the mean from the PHQ-9 */
  shift?: number;
}

const models: Readonly<Record<string, Model>> = {
  PHQ9: { loading: 0.78, cuts: [0.35, 1.35, 1.9], difficulty: [0.05, 0.15, 0, -0.15, 0.2, 0.25, 0.2, 0.6, 1.15] },
  GAD7: { loading: 0.78, cuts: [0.35, 1.35, 1.9], difficulty: [0, 0.2, 0.05, 0.1, 0.35, 0, 0.45], shift: -0.1 },
  K10: { loading: 0.78, cuts: [0, 0.7, 1.5, 2.2], difficulty: [-0.4, -0.2, 0.4, 0.2, 0, 0.4, 0, 0, 0.4, 0.5] },
  EPDS: { loading: 0.78, cuts: [0.2, 1.2, 2], difficulty: [0.5, 0.4, -0.4, -0.1, 0.1, 0, 0.3, 0.2, 0.4, 1.4] },
  PHQ15: {
    loading: 0.7,
    cuts: [0.55, 1.6],
    difficulty: [0.5, 0.1, 0.2, 0.2, 0.2, 0.8, 0.3, 1.3, 0.5, 0.6, 1.2, 0.4, 0.5, -0.4, -0.2],
  },
  GDS15: { loading: 0.78, cuts: [0.9], difficulty: [0.1, -0.2, 0.2, 0.2, 0.1, 0, 0.1, 0.2, -0.6, -0.4, 0.3, 0.35, -0.5, 0.5, 0] },
};

/** Returns the symptom category of each item of a questionnaire, 0 for none, for a person of distress `theta`. */
export function categoriesOf(formcode: string, theta: number, random: Random): number[] {
  const model = models[formcode];
  if (!model) throw new RangeError(`no response model for ${formcode}`);
  const noise = Math.sqrt(1 - model.loading ** 2);
  return model.difficulty.map((difficulty) => {
    const y = model.loading * (theta + (model.shift ?? 0)) + noise * random.normal() - difficulty;
    return model.cuts.filter((cut) => y > cut).length;
  });
}

/** Returns the option code of each item for its symptom category; it reverses reversed items. Further items get no answer. */
export function answersOf(scale: Scale, categories: readonly number[]): Record<string, string> {
  const reversed = new Set(scale.reverse ?? []);
  return Object.fromEntries(
    categories.flatMap((category, index) => {
      const item = scale.items[index];
      const options = [...(scale.optionsets?.[item?.o ?? ''] ?? [])].sort((a, b) => (a[2] ?? 0) - (b[2] ?? 0));
      if (item && reversed.has(item.c)) options.reverse();
      const chosen = options[category];
      return item && chosen ? [[item.c, chosen[0]]] : [];
    }),
  );
}

/** Returns the distress of a person at the next exam: a correlation of 0.75 between exams, plus `drift`. */
export const laterTheta = (theta: number, random: Random, drift = 0) =>
  0.75 * theta + Math.sqrt(1 - 0.75 ** 2) * random.normal() + drift;

/** Returns the difference of the mean distress in a month (exams in spring, holidays in summer); `month` 1–12. */
export const seasonalShift = (month: number): number =>
  ({ 1: 0.03, 3: 0.08, 4: 0.1, 5: 0.08, 6: 0.05, 7: -0.1, 8: -0.1, 9: 0.03, 11: 0.05 })[month] ?? 0;

/** Returns the difference of a student's mean distress. Grades are P, J or S with the year; the last year of J and S counts extra. */
export function studentMean(options: {
  gender: string;
  gradecode: string;
  boarding: boolean;
  leftbehind: boolean;
  singleparent: boolean;
}): number {
  const phase = { P: -0.2, J: 0, S: 0.18 }[options.gradecode[0] ?? ''] ?? 0;
  return (
    (options.gender === '02' ? 0.12 : -0.12) +
    phase +
    (['J3', 'S3'].includes(options.gradecode) ? 0.1 : 0) +
    (options.boarding ? 0.05 : 0) +
    (options.leftbehind ? 0.2 : 0) +
    (options.singleparent ? 0.15 : 0)
  );
}
