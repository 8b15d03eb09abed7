import { useEffect, useRef } from 'react';
import { isBlank, type AnswerValue, type SavedAnswer } from '#respondent/exam/answerMap.ts';
import { canSpeak, stopSpeaking, speak } from '#respondent/device.ts';
import { QuestionField } from '#respondent/exam/QuestionField.tsx';
import type { Question } from '#respondent/exam/questions.ts';
import { addressed, type Words } from '#respondent/wording.ts';

interface Props {
  question: Question;
  number: number;
  /** first of its form: the instruction is shown */
  first: boolean;
  /** of the form, as the page calls it; empty when it needs none */
  name: string;
  entry: SavedAnswer | undefined;
  resumed: boolean;
  showMissing: boolean;
  aloud: boolean;
  covered: boolean;
  words: Words;
  answer: (value: AnswerValue, typing: boolean) => void;
  back: (() => void) | undefined;
  next: () => void;
}

/** A second tap meant for the question before must not answer this one. */
const settleMs = 350;
/** Long enough to see what was chosen. */
const advanceMs = 260;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.tagName === 'TEXTAREA' || (target instanceof HTMLInputElement && !/radio|checkbox/.test(target.type)));

/** One question on the screen. Number keys choose, ← and → turn the page, a choice goes on by itself. */
export function OneQuestion(props: Props) {
  const { question, number, first, name, entry, resumed, showMissing, aloud, covered, words, answer, back, next } = props;
  const { sheet, item } = question;
  const title = useRef<HTMLElement>(null);
  const appeared = useRef(Date.now());
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const answered = entry !== undefined && !entry.refused && !isBlank(entry.value);
  const reading = [sheet.recall, item.t, ...(item.options ?? []).map(([, label], index) => `${index + 1}，${label}`)].join('。');

  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    if (aloud) speak(reading);
    return () => {
      clearTimeout(leaving.current);
      stopSpeaking();
    };
  }, []);

  const take = (value: AnswerValue, { typing, settled }: { typing: boolean; settled: boolean }) => {
    answer(value, typing);
    clearTimeout(leaving.current);
    if (settled && item.type === 1) leaving.current = setTimeout(next, advanceMs);
  };

  useEffect(() => {
    if (covered) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'ArrowLeft' && back) {
        event.preventDefault();
        back();
      } else if (event.key === 'ArrowRight') {
        event.preventDefault();
        next();
      } else if (/^[1-9]$/.test(event.key)) {
        const code = item.options?.[Number(event.key) - 1]?.[0];
        if (code === undefined) return;
        event.preventDefault();
        if (item.type === 1) return take(code, { typing: false, settled: true });
        const list = Array.isArray(entry?.value) ? entry.value : [];
        answer(list.includes(code) ? list.filter((text) => text !== code) : [...list, code], false);
      }
    };
    // Before the radios' own keys, which would choose with ← and →.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  });

  return (
    <div
      onClickCapture={(event) => {
        if (event.detail > 0 && Date.now() - appeared.current < settleMs) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}
    >
      <h1 className="unseen">心理健康测评</h1>
      {name && <p className="form-name">{name}</p>}
      {resumed && <p className="quiet">已恢复之前的作答，从这里继续。</p>}
      {first && sheet.instruction && <p className="instruction">{addressed(sheet.instruction, words)}</p>}
      {item.group && <p className="group quiet">{item.group}</p>}
      {sheet.recall && <p className="recall">{sheet.recall}</p>}
      <QuestionField
        question={question}
        number={`${number}.`}
        entry={entry}
        answer={take}
        isMissing={showMissing && item.required && !answered}
        titleRef={title}
      />
      <div className="actions turn">
        <button type="button" onClick={back} disabled={!back}>
          上一题
        </button>
        <button type="button" className={answered ? 'primary' : ''} onClick={next}>
          {answered || !item.required ? '下一题' : '先跳过'}
        </button>
      </div>
      <div className="row">
        {canSpeak() && (
          <button type="button" className="plain" onClick={() => speak(reading)}>
            朗读这一题
          </button>
        )}
        <span className="keys quiet">键盘：数字键选择，← → 翻页</span>
      </div>
      <span className="unseen">{words.you}可以随时返回修改。</span>
    </div>
  );
}
