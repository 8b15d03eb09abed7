import { ConsultTopic } from '#domain/base/enums.ts';
import { visibleItems } from '#domain/exam/questionFlow.ts';
import { findChoiceFault, findValueFault } from '#domain/scoring/answerValue.ts';
import { compileScale, invalidAnswers, isUnanswered, type CompiledItem } from '#domain/scoring/compiledScale.ts';
import type { Answer, Answers, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { score } from '#domain/scoring/scoring.ts';
import { triggerFromForms, type WarningTrigger } from '#domain/warning/warningtrigger.ts';

/** What a filled-in registration form says: faults, topics, alarms (supplement-scales-operations.md section 5). */

/** The code of the question whose answers are the topics of a registration, when its options are those of ConsultTopic. */
const TOPICS_ITEM = 'topics';
const topicCodes: readonly string[] = ConsultTopic.codes;

/** The answers to the questions that apply: a question hidden by an earlier answer has none. */
export function applicableAnswers(scale: Scale, answers: Answers, person: PersonFacts): Answers {
  const known = Object.fromEntries(scale.items.flatMap(({ c }) => (isUnanswered(answers[c]) ? [] : [[c, answers[c]]])));
  // An answer that the form does not offer has no score for conditions; `findAnswerFaults` names it.
  const refused = new Set(invalidAnswers(compileScale(scale), known));
  const offered = Object.fromEntries(Object.entries(known).filter(([c]) => !refused.has(c)));
  const applicable = new Set(visibleItems(scale, offered, person).map(({ c }) => c));
  return Object.fromEntries(Object.entries(known).filter(([c]) => applicable.has(c)));
}

/** Why the answers cannot be saved, by the code of the question, in the order of the form. Empty when they can. */
export function findAnswerFaults(scale: Scale, answers: Answers, person: PersonFacts): Record<string, string> {
  const form = compileScale(scale);
  const given = applicableAnswers(scale, answers, person);
  const refused = new Set(invalidAnswers(form, given));
  const offered = Object.fromEntries(Object.entries(given).filter(([c]) => !refused.has(c)));
  const faults: Record<string, string> = {};
  for (const { c } of visibleItems(scale, offered, person)) {
    const item = form.byCode.get(c);
    if (!item) continue;
    const answer = given[c];
    if (isUnanswered(answer) || answer === undefined) {
      if (item.required) faults[c] = item.type === 0 ? '请填写这一题' : '请选择';
    } else if (refused.has(c)) faults[c] = describeRefusal(item, answer);
  }
  return faults;
}

/** Why the form does not offer an answer. */
function describeRefusal({ item, type, options }: CompiledItem, answer: NonNullable<Answer>): string {
  if (type === 0) return (typeof answer === 'object' ? null : findValueFault(item, answer)) ?? '填写的格式不正确';
  const isKnown = [answer].flat().every((code) => options.has(String(code)));
  return (type === 2 && isKnown && typeof answer === 'object' ? findChoiceFault(item, answer) : null) ?? '请在选项中选择';
}

/** The topics in the answers; none when the question has other options. */
export function topicsOf(answers: Answers): string[] {
  const answer = answers[TOPICS_ITEM];
  const codes = isUnanswered(answer) || answer === undefined ? [] : [answer].flat().map(String);
  return codes.every((code) => topicCodes.includes(code)) ? codes : [];
}

/**
 * The trigger of the alerts that the answers raise; null without one. The words are the person's, also when staff type them in, so the
 * source is 求助 (05). As for every self-report, an alert alone never sets level 4 (clinical-rules.md).
 */
export function findApplicationTrigger(
  scale: Scale,
  answers: Answers,
  { person, minlevel, formname }: { person: PersonFacts; minlevel: 1 | 2; formname: string },
): WarningTrigger | null {
  const result = score(scale, answers, person);
  if (result.kind === 'invalid') return null;
  const trigger = triggerFromForms({ [scale.formcode]: { scale, result } }, { rules: [], minlevel, source: '05' });
  return (
    trigger && {
      ...trigger,
      level: Math.min(trigger.level, 3) as WarningTrigger['level'],
      alertmsgs: trigger.alertmsgs.map((text) => `咨询登记“${formname}”：${text}`),
    }
  );
}
