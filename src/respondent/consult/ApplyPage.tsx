import { useEffect, useRef, useState } from 'react';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { CallRefused, errorMessage, type CallRequest, type CallResponse } from '#respondent/api/api.ts';
import { deriveKey, deriveOldKeys } from '#respondent/api/encrypt.ts';
import type { Session } from '#respondent/api/session.ts';
import { typeWords } from '#respondent/consult/consultWords.ts';
import { deviceStorage } from '#respondent/device.ts';
import { keyOf, type AnswerMap, type AnswerValue } from '#respondent/exam/answerMap.ts';
import { DraftFile } from '#respondent/exam/draft.ts';
import { QuestionField } from '#respondent/exam/QuestionField.tsx';
import { isAnswered, missingOf, questionsOf } from '#respondent/exam/questions.ts';
import { Fault, PageFrame, Paragraphs } from '#respondent/PageFrame.tsx';
import { addressed, type Words } from '#respondent/wording.ts';
import type { RespondentForm } from '#features/respond/respond.contract.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';

interface Props {
  session: Session;
  offer: CallResponse<'getApplyForms'>;
  words: Words;
  done: (support: CallResponse<'applyConsult'>['support']) => void;
  back: () => void;
}

type ConsultType = NonNullable<CallRequest<'applyConsult'>['consulttype']>;
/** A group session is arranged by staff. */
const TYPES = ['01', '02', '03'] as const satisfies readonly ConsultType[];
/** The form stands alone on its page, so its questions need no number of a sheet. */
const SHEET = 0;

interface Draft {
  formcode: string;
  consulttype: ConsultType;
  answers: Record<string, AnswerValue>;
}

/** The application: one form on one page. What was typed stays on the device, encrypted, until it is sent. */
export function ApplyPage({ session, offer, words, done, back }: Props) {
  const [formcode, setFormcode] = useState(offer.forms[0]?.formcode ?? '');
  const [consulttype, setConsulttype] = useState<ConsultType>('01');
  const [answers, setAnswers] = useState<Record<string, AnswerValue>>({});
  const [isShowingMissing, setIsShowingMissing] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [fault, setFault] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const draft = useRef<DraftFile<Draft>>(undefined);

  useEffect(() => {
    void (async () => {
      const key = await deriveKey(session.identity?.draftsecret ?? '', session.clientcode);
      const oldKeys = await deriveOldKeys(session.identity, session.clientcode);
      // A kiosk keeps nothing of one person for the next.
      draft.current = new DraftFile<Draft>(session.kiosk ? undefined : deviceStorage(), key, 'consult', oldKeys);
      const kept = await draft.current.read();
      if (!kept || !offer.forms.some((form) => form.formcode === kept.formcode)) return;
      setFormcode(kept.formcode);
      setConsulttype(kept.consulttype);
      setAnswers(kept.answers);
    })();
  }, []);

  const chosen = offer.forms.find((form) => form.formcode === formcode);
  if (!chosen) return null;
  // The time of the application is now; the person may change it.
  const values: Record<string, AnswerValue> = { ...startAnswers(chosen), ...answers };
  const sheet = {
    ...chosen,
    examformid: SHEET,
    formname: chosen.title,
    recall: '',
    licencetext: '',
    elsewhere: 0,
    answers: {},
    seqs: {},
  } as RespondentForm;
  const answerMap: AnswerMap = Object.fromEntries(
    Object.entries(values).map(([c, value]) => [
      keyOf(SHEET, c),
      { value, seq: 0, saved: false, ...(refused[c] ? { refused: refused[c] } : {}) },
    ]),
  );
  const questions = questionsOf([sheet], answerMap, offer.person as PersonFacts);
  const change = (c: string, value: AnswerValue) => {
    const next = { ...answers, [c]: value };
    setAnswers(next);
    setRefused(({ [c]: _, ...others }) => others);
    void draft.current?.write({ formcode, consulttype, answers: next });
  };
  const send = async () => {
    if (isBusy) return;
    const [gap] = missingOf(questions, answerMap);
    setIsShowingMissing(gap !== undefined);
    if (gap) return document.getElementById(`q-${gap.key}`)?.scrollIntoView({ block: 'start' });
    setIsBusy(true);
    setFault('');
    try {
      const applicable = new Set(questions.map(({ item }) => item.c));
      const given = Object.entries(values).filter(([c, value]) => applicable.has(c) && value !== null);
      const { support } = await session.call('applyConsult', { formcode, consulttype, answers: Object.fromEntries(given) });
      draft.current?.remove();
      done(support);
    } catch (error) {
      const field = error instanceof CallRefused ? error.field?.replace(/^answers\./, '') : undefined;
      if (field && asksFor(questions, field)) {
        setRefused({ [field]: errorMessage(error) });
        document.getElementById(`q-${keyOf(SHEET, field)}`)?.scrollIntoView({ block: 'start' });
      } else setFault(errorMessage(error));
      setIsBusy(false);
    }
  };
  return (
    <PageFrame
      heading={chosen.title}
      actions={
        <>
          <Fault>{fault}</Fault>
          <button type="button" className="primary" aria-disabled={isBusy} onClick={() => void send()}>
            {isBusy ? '正在发送…' : '提交申请'}
          </button>
          <button type="button" onClick={back}>
            返回
          </button>
        </>
      }
    >
      <p className="quiet">
        只有负责心理咨询工作的{words.helper}能看到{words.you}填写的内容；如果提到安全方面的担心，会尽快有人联系{words.you}。
      </p>
      {chosen.instruction && <Paragraphs text={addressed(chosen.instruction, words)} />}
      {offer.forms.length > 1 && (
        <label className="field">
          <span>登记表</span>
          <select value={formcode} onChange={(event) => setFormcode(event.target.value)}>
            {offer.forms.map((form) => (
              <option key={form.formcode} value={form.formcode}>
                {form.title}
              </option>
            ))}
          </select>
        </label>
      )}
      <fieldset className="question" role="radiogroup">
        <legend>希望的方式</legend>
        <div className="options">
          {TYPES.map((code) => (
            <label key={code} className={consulttype === code ? 'option chosen' : 'option'}>
              <input
                type="radio"
                name="consulttype"
                checked={consulttype === code}
                onChange={() => {
                  setConsulttype(code);
                  void draft.current?.write({ formcode, consulttype: code, answers });
                }}
              />
              <span>{typeWords({ consulttype: code })}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {questions.map((question, index) => (
        <QuestionField
          key={`${formcode} ${question.key}`}
          question={question}
          number={`${index + 1}.`}
          entry={answerMap[question.key]}
          isMissing={isShowingMissing && question.item.required && !isAnswered(question, answerMap)}
          answer={(value) => change(question.item.c, value)}
        />
      ))}
    </PageFrame>
  );
}

const asksFor = (questions: ReturnType<typeof questionsOf>, code: string) => questions.some(({ item }) => item.c === code);

/** The answers that the page gives first: the time of the registration. */
function startAnswers({ items }: Props['offer']['forms'][number]): Record<string, AnswerValue> {
  const hasTime = items.some(({ c, type, input }) => c === 'consultdate' && type === 0 && input === 5);
  return hasTime ? { consultdate: shanghaiTime(new Date()).slice(0, 16) } : {};
}
