import { PageFrame } from '#respondent/PageFrame.tsx';
import { useCountdown } from '#respondent/flow/useCountdown.ts';

/** Seconds without a touch after which a kiosk asks whether the person is still there. Reading one page takes less. */
const ASKS_AFTER = 120;
/** Seconds that the person has to answer; WCAG 2.2.1 asks for at least 20. */
const ANSWERS_WITHIN = 30;

/** Watches a kiosk in use and calls `ask` when nobody has touched it for a while. It draws nothing. */
export function IdleWatch({ ask }: { ask: () => void }) {
  useCountdown(ASKS_AFTER, ask);
  return null;
}

/**
 * Asks whether the person is still there and clears the kiosk after the countdown. It stands instead of the page: a tap that ends it
 * must not land on an answer below.
 */
export function IdlePage({ isInExam, stay, clear }: { isInExam: boolean; stay: () => void; clear: () => void }) {
  const left = useCountdown(ANSWERS_WITHIN, clear, true);
  return (
    <PageFrame
      heading="还在这里吗？"
      actions={
        <>
          <button type="button" className="primary" onClick={stay}>
            我还在，继续
          </button>
          <button type="button" onClick={clear}>
            保存并退出
          </button>
        </>
      }
    >
      <p className="lead" role="alert">
        有一会儿没有人操作了。为了保护隐私，本机将自动回到开始页。
        {isInExam && '已经答过的都已保存，请工作人员再给一个测评码就能接着答。'}
      </p>
      <p className="countdown" aria-hidden="true">
        <b>{left}</b> 秒
      </p>
    </PageFrame>
  );
}
