import type { ArchiveFacts } from '#domain/person/populations.ts';
import type { Answers } from '#domain/scoring/scale.ts';

/**
 * Whether the person was asked about violence at home or abuse, and the answer. Advice names the family only after a
 * denial (clinical-rules.md K): the person who does harm may live at home and may read the report.
 */
export type ViolenceScreen = 'positive' | 'denied' | 'notasked';

interface AnsweredForm {
  scale: { formcode: string };
  answers?: Answers;
  result: { itemscores: Readonly<Record<string, number | null>> };
}

/** Questions that ask the person. `denied` is the code of a clear no; an empty answer or a refusal is “not asked”. */
const questions: readonly { form: string; item: string; positive: string; denied: string }[] = [
  { form: 'MATREG', item: 'domesticviolence', positive: '2', denied: '1' },
  { form: 'INTERVIEW', item: 'abuse', positive: '1', denied: '0' },
];
/** The same question in the archive of the population. */
const archiveQuestion = { field: 'domesticviolence', positive: '2', denied: '1' };

/** Signs that another person saw, from 1 point on: suspected wounds and bullying. Their absence denies nothing. */
const observations: readonly { form: string; items: readonly string[] }[] = [
  { form: 'TEACHOBS', items: ['q11', 'q12'] },
  { form: 'CAREOBS', items: ['q10'] },
];

const screenOf = (answer: unknown, { positive, denied }: { positive: string; denied: string }): ViolenceScreen =>
  String(answer) === positive ? 'positive' : String(answer) === denied ? 'denied' : 'notasked';

/** The answer about violence. A positive sign from any source wins; an answer of this exam wins over the archive. */
export function violenceScreenOf({ forms, archive }: { forms: readonly AnsweredForm[]; archive?: ArchiveFacts }): ViolenceScreen {
  const formOf = (code: string): AnsweredForm | undefined => forms.find(({ scale }) => scale.formcode === code);
  const answers = questions.flatMap((question) => {
    const form = formOf(question.form);
    return form ? [screenOf(form.answers?.[question.item], question)] : [];
  });
  const earlier = screenOf(archive?.[archiveQuestion.field], archiveQuestion);
  const isObserved = observations.some(({ form, items }) =>
    items.some((item) => (formOf(form)?.result.itemscores[item] ?? 0) >= 1),
  );
  if (isObserved || [...answers, earlier].includes('positive')) return 'positive';
  return answers[0] ?? earlier;
}

/** The name of the topic. */
export const violenceTopic = '家暴与侵害';

/** The title above the caution. */
export const cautionTitle = '先看这一条';

/** What staff read about the screen; null after a denial, because then nothing restricts the advice. */
export const violenceNote = (screen: ViolenceScreen): string | null =>
  screen === 'denied' ? null : `${violenceTopic}——${screen === 'positive' ? '阳性' : '未询问'}：单独询问，勿邀家人共同参与。`;
