import { useEffect, useRef } from 'react';
import { isBlank, type AnswerValue, type SavedAnswer } from '#respondent/exam/answerMap.ts';
import { canSpeak, stopSpeaking, speak } from '#respondent/device.ts';
import { QuestionField } from '#respondent/exam/QuestionField.tsx';
import type { Question } from '#respondent/exam/questions.ts';
import { addressed, type Words } from '#respondent/wording.ts';

interface Props {
  question: Question;
  number: number;
  /** the first question of its form: the page shows the instruction */
  first: boolean;
  /** name of the form on the page; empty when it needs none */
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

/** Ignores taps in this time after the page appears: a double tap on the question before must not answer this one. */
const settleMs = 350;
/** Time for the respondent to see the chosen option, in milliseconds. */
const advanceMs = 260;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.tagName === 'TEXTAREA' || (target instanceof HTMLInputElement && !/radio|checkbox/.test(target.type)));

/** Shows one question on the screen. Number keys choose, ← and → turn the page, and a choice goes on to the next question. */
export function OneQuestion(props: Props) {
  const { question, number, first, name, entry, resumed, showMissing, aloud, covered, words, answer, back, next } = props;
  const { form, item } = question;
  const title = useRef<HTMLElement>(null);
  const appeared = useRef(Date.now());
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const answered = entry !== undefined && !entry.refused && !isBlank(entry.value);
  const reading = [form.recall, item.t, ...(item.options ?? []).map(([, label], index) => `${index + 1}，${label}`)].join('。');

  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    if (aloud) speak(reading);
    return () => {
      clearTimeout(leaving.current);
      stopSpeaking();
    };
  }, []);

  const choose = (value: AnswerValue, { typing, settled }: { typing: boolean; settled: boolean }) => {
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
        if (item.type === 1) return choose(code, { typing: false, settled: true });
        const boxes = title.current?.closest('.question')?.querySelectorAll<HTMLInputElement>('input[type=checkbox]');
        boxes?.[Number(event.key) - 1]?.click();
      }
    };
    // In the capture phase: otherwise the radio buttons would choose with ← and →.
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
      {first && form.instruction && <p className="instruction">{addressed(form.instruction, words)}</p>}
      {item.group && <p className="group quiet">{item.group}</p>}
      {form.recall && <p className="recall">{form.recall}</p>}
      <QuestionField
        question={question}
        number={`${number}.`}
        entry={entry}
        answer={choose}
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
