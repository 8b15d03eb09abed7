import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import type { Question } from '#respondent/exam/questions.ts';
import type { SaverState } from '#respondent/exam/saver.ts';
import type { Words } from '#respondent/wording.ts';

interface Props {
  missing: readonly Question[];
  numberOf: (question: Question) => number;
  state: SaverState;
  words: Words;
  fault: string;
  submit: () => void;
  retry: () => void;
  jump: (question: Question) => void;
  back: (() => void) | undefined;
}

/** Page 6: lists the missing answers, or submits the exam once. */
export function SubmitPage({ missing, numberOf, state, words, fault, submit, retry, jump, back }: Props) {
  const [first] = missing;
  if (state.submission !== 'no') {
    const isWaiting = state.submission === 'waiting';
    return (
      <PageFrame heading="正在交卷…">
        <p role="status">
          {!isWaiting
            ? '请稍候，不用重复点击。'
            : state.isOnDevice
              ? '网络不稳定，答案已存在本机，恢复后会自动交卷，不会丢失，也不会重复。'
              : '网络不稳定，请先不要关闭本页，恢复后会自动交卷。'}
        </p>
        {isWaiting && (
          <button type="button" onClick={retry}>
            立即重试
          </button>
        )}
      </PageFrame>
    );
  }
  if (first) {
    return (
      <PageFrame
        heading={`还有 ${missing.length} 题没有回答`}
        actions={
          <>
            <button type="button" className="primary" onClick={() => jump(first)}>
              去回答第 {numberOf(first)} 题
            </button>
            <button type="button" onClick={back}>
              返回查看
            </button>
          </>
        }
      >
        <Fault>{fault}</Fault>
        <ol className="missing">
          {missing.slice(0, 30).map((question) => (
            <li key={question.key}>
              <button type="button" className="plain" aria-label={`第 ${numberOf(question)} 题`} onClick={() => jump(question)}>
                {numberOf(question)}
              </button>
            </li>
          ))}
        </ol>
      </PageFrame>
    );
  }
  return (
    <PageFrame
      heading="都答完了"
      actions={
        <>
          <button type="button" className="primary" onClick={submit}>
            交卷
          </button>
          {back && (
            <button type="button" onClick={back}>
              返回检查
            </button>
          )}
        </>
      }
    >
      <Fault>{fault}</Fault>
      <p>{back && `交卷前${words.you}可以返回修改；`}交卷后答案不能再改。</p>
    </PageFrame>
  );
}
