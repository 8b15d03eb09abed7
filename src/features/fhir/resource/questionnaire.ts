import type { Questionnaire, QuestionnaireItem, QuestionnaireItemAnswerOption, QuestionnaireItemEnableWhen } from 'fhir/r4.js';
import { compileScale, type CompiledItem } from '#domain/scoring/compiledScale.ts';
import type { Cond, Item, OptionRow, Scale } from '#domain/scoring/scale.ts';
import { compact, type FhirSpace, LOINC_NOTICE, loinc, toId } from '#features/fhir/resource/resource.ts';

/** A questionnaire as FHIR (design: fhir.md). */

const ORDINAL_VALUE = 'http://hl7.org/fhir/StructureDefinition/ordinalValue';
const MIN_VALUE = 'http://hl7.org/fhir/StructureDefinition/minValue';
const MAX_VALUE = 'http://hl7.org/fhir/StructureDefinition/maxValue';

/** The type of an item by our input type: text, integer, number, day, time, moment, range of times, step, region. */
const INPUT_TYPES = ['string', 'integer', 'decimal', 'date', 'time', 'dateTime', 'string', 'integer', 'choice'] as const;

export const typeOf = ({ type, input, scored }: Item): QuestionnaireItem['type'] => {
  if (type === 1 || type === 2 || type === undefined) return 'choice';
  return scored && (input ?? 0) === 0 ? 'decimal' : INPUT_TYPES[input ?? 0];
};

/** The code of an option: every option set of a questionnaire is a code system of ours. */
export const optionCoding = (space: FhirSpace, scale: Scale, item: Item, [code, label]: OptionRow) =>
  space.coding(toId(`${scale.formcode}-${item.o ?? ''}`), code, label);

/** Whether an item shows for one answer of one earlier item; other conditions have no equal in FHIR. */
function enableWhenOf(space: FhirSpace, scale: Scale, cond: Cond | undefined): QuestionnaireItemEnableWhen[] | undefined {
  if (!cond || !('item' in cond) || 'form' in cond) return undefined;
  const question = scale.items.find(({ c }) => c === cond.item);
  if (question?.type === 0 || cond.eq === undefined) return undefined;
  const option = (scale.optionsets[question?.o ?? ''] ?? []).find(([code]) => code === String(cond.eq));
  return option && question
    ? [{ question: question.c, operator: '=', answerCoding: optionCoding(space, scale, question, option) }]
    : undefined;
}

function itemOf(space: FhirSpace, scale: Scale, { item }: CompiledItem): QuestionnaireItem {
  const type = typeOf(item);
  const isLicensed = scale.tier === 'C';
  const options = item.type === 0 ? [] : (scale.optionsets[item.o ?? ''] ?? []);
  const limits = type === 'integer' || type === 'decimal' ? [[MIN_VALUE, item.min] as const, [MAX_VALUE, item.max] as const] : [];
  return compact({
    linkId: item.c,
    code: item.loinc ? [loinc(item.loinc)] : undefined,
    // A licensed questionnaire leaves the house without its wording.
    text: isLicensed ? undefined : item.t,
    type,
    required: item.required ?? undefined,
    repeats: item.type === 2 ? true : undefined,
    maxLength: type === 'string' ? item.maxlen : undefined,
    enableWhen: enableWhenOf(space, scale, item.showif),
    answerValueSet: item.type === 0 && item.input === 8 ? `${space.base}/ValueSet/district` : undefined,
    extension: limits.flatMap(([url, value]) =>
      value === undefined ? [] : [type === 'integer' ? { url, valueInteger: value } : { url, valueDecimal: value }],
    ),
    answerOption: options.map((option): QuestionnaireItemAnswerOption => {
      const [, , score] = option;
      const coding = optionCoding(space, scale, item, option);
      return {
        valueCoding: isLicensed ? { ...coding, display: option[0] } : coding,
        ...(score === null ? {} : { extension: [{ url: ORDINAL_VALUE, valueDecimal: score }] }),
      };
    }),
  });
}

/** The number of the resource: every version of a form is a questionnaire of its own. */
export const questionnaireCode = (scale: Pick<Scale, 'formcode' | 'version'>): string => `${scale.formcode}-${scale.version}`;

/** Returns a version of a form. A licensed form (tier C) has no wording and stays a draft for others. */
export function toQuestionnaire(space: FhirSpace, scale: Scale, isWithdrawn: boolean): Questionnaire & { id: string } {
  const hasLoinc = scale.loinc !== undefined || scale.items.some((item) => item.loinc !== undefined);
  const status = isWithdrawn ? 'retired' : 'active';
  return compact({
    resourceType: 'Questionnaire' as const,
    id: toId(questionnaireCode(scale)),
    url: `${space.base}/Questionnaire/${toId(scale.formcode)}`,
    version: scale.version,
    title: scale.title,
    status: scale.tier === 'C' ? ('draft' as const) : (status as 'active' | 'retired'),
    subjectType: ['Patient' as const],
    copyright: [scale.licencetext, hasLoinc ? LOINC_NOTICE : ''].filter(Boolean).join('\n'),
    code: scale.loinc?.panel ? [loinc(scale.loinc.panel)] : undefined,
    item: compileScale(scale).items.map((item) => itemOf(space, scale, item)),
  });
}
