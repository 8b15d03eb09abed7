import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Questionnaire } from '#domain/exam/questionFlow.ts';

/**
 * Fast entry by the keyboard: a digit chooses the option with this code, or else the option at this place, and goes to the next
 * question. `choose` stores the option of a question.
 */
export function chooseByDigit(
  event: KeyboardEvent<HTMLElement>,
  questionnaire: Questionnaire,
  choose: (item: string, option: string) => void,
): void {
  if (!/^\d$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = (event.target as HTMLElement).closest<HTMLFieldSetElement>('fieldset[data-item]');
  const item = questionnaire.items.find(({ c }) => c === field?.dataset['item']);
  if (!field || !item || (item.type ?? 1) !== 1) return;
  const options = questionnaire.optionsets[item.o ?? ''] ?? [];
  const option = options.find(([code]) => code === event.key) ?? options[Number(event.key) - 1];
  if (!option) return;
  event.preventDefault();
  // The answer may show further questions. React draws them before the focus moves, and the focus moves before the next key.
  flushSync(() => choose(item.c, option[0]));
  focusNext(field);
}

/** Puts the focus on the first input of the question after `field`, also in the next questionnaire of the entry. */
function focusNext(field: HTMLFieldSetElement): void {
  const all = [...(field.closest('[data-entry]') ?? document).querySelectorAll<HTMLFieldSetElement>('fieldset[data-item]')];
  const next = all[all.indexOf(field) + 1];
  const input = next?.querySelector<HTMLElement>('input:checked') ?? next?.querySelector<HTMLElement>('input, select, textarea');
  input?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
