import type { Observation, QuestionnaireResponse, QuestionnaireResponseItem, QuestionnaireResponseItemAnswer } from 'fhir/r4.js';
import { compileScale, isUnanswered } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, Item, Scale } from '#domain/scoring/scale.ts';
import { optionCoding, typeOf } from '#features/fhir/resource/questionnaire.ts';
import { compact, type FhirSpace, loinc, toId, toInstant } from '#features/fhir/resource/resource.ts';

/** An answer sheet and its scores as FHIR. */

export interface FhirSheet {
  examformid: number;
  cuserid: string;
  submittime: Date;
  /** 1: the sheet counts; 0: its answers are doubtful */
  valid: number | null;
  /** null: the reader may not read them */
  answers: Answers | null;
}

const numberOf = ({ examformid }: Pick<FhirSheet, 'examformid'>): string => `F${examformid}`;

/** The Shanghai time zone: a moment that a person typed has none. */
const ZONE = '+08:00';

function answerOf(space: FhirSpace, scale: Scale, item: Item, value: string | number): QuestionnaireResponseItemAnswer {
  const text = String(value);
  const type = typeOf(item);
  if (item.type !== 0) {
    const option = (scale.optionsets[item.o ?? ''] ?? []).find(([code]) => code === text);
    if (!option) return { valueString: text };
    const coding = optionCoding(space, scale, item, option);
    return { valueCoding: scale.tier === 'C' ? { ...coding, display: text } : coding };
  }
  if (type === 'integer') return { valueInteger: Number(value) };
  if (type === 'decimal') return { valueDecimal: Number(value) };
  if (type === 'date') return { valueDate: text };
  if (type === 'time') return { valueTime: `${text}:00` };
  if (type === 'dateTime') return { valueDateTime: `${text.replace(' ', 'T')}:00${ZONE}` };
  if (type === 'choice') return { valueCoding: space.coding('district', text) };
  return { valueString: text };
}

const valuesOf = (answer: Answer | undefined): (string | number)[] =>
  isUnanswered(answer) ? [] : ([answer].flat() as (string | number)[]);

/** Returns a handed-in sheet. Without the right to answers it has no items. */
export function toQuestionnaireResponse(
  space: FhirSpace,
  sheet: FhirSheet,
  scale: Scale,
): QuestionnaireResponse & { id: string } {
  const { answers } = sheet;
  const items =
    answers &&
    compileScale(scale).items.flatMap(({ item }): QuestionnaireResponseItem[] => {
      const values = valuesOf(answers[item.c]);
      if (values.length === 0) return [];
      const answer = values.map((value) => answerOf(space, scale, item, value));
      return [compact({ linkId: item.c, text: scale.tier === 'C' ? undefined : item.t, answer })];
    });
  return compact({
    resourceType: 'QuestionnaireResponse' as const,
    id: toId(numberOf(sheet)),
    questionnaire: `${space.base}/Questionnaire/${toId(scale.formcode)}|${scale.version}`,
    status: 'completed' as const,
    subject: space.refer('Patient', sheet.cuserid),
    authored: toInstant(sheet.submittime),
    item: items ?? undefined,
  });
}

export interface FhirScore {
  quotacode: string;
  score: number | null;
  level: number | null;
  levelname: string | null;
}

/** Returns one score of a sheet. A score that could not be computed, or of a doubtful sheet, says so instead of a level. */
export function toObservation(
  space: FhirSpace,
  sheet: FhirSheet,
  scale: Scale,
  { quotacode, score, level, levelname }: FhirScore,
): Observation & { id: string } {
  const own = quotacode.startsWith(`${scale.formcode}.`) ? quotacode.slice(scale.formcode.length + 1) : quotacode;
  const definition = scale.scores.find(({ c }) => c === own);
  const total = definition?.primary ? scale.loinc?.total : undefined;
  const isReliable = sheet.valid !== 0;
  return compact({
    resourceType: 'Observation' as const,
    id: toId(`${numberOf(sheet)}-${own}`),
    status: 'final' as const,
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'survey' }] }],
    code: {
      coding: [...(total ? [loinc(total)] : []), space.coding('quota', `${scale.formcode}.${own}`, definition?.n)],
      text: `${scale.title} ${definition?.n ?? own}`,
    },
    subject: space.refer('Patient', sheet.cuserid),
    effectiveDateTime: toInstant(sheet.submittime),
    derivedFrom: [space.refer('QuestionnaireResponse', numberOf(sheet))],
    valueQuantity:
      score === null ? undefined : { value: score, unit: '分', system: 'http://unitsofmeasure.org', code: '{score}' },
    dataAbsentReason:
      score === null
        ? { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason', code: 'not-performed' }] }
        : undefined,
    interpretation:
      level === null || !isReliable
        ? undefined
        : [{ coding: [space.coding('level', `level-${level}`)], text: levelname || undefined }].map(compact),
    note: isReliable ? undefined : [{ text: '作答存疑，等级不作参考' }],
  });
}
