import { PageFrame } from '#respondent/PageFrame.tsx';
import { useCountdown } from '#respondent/flow/useCountdown.ts';
import { SupportCard } from '#respondent/report/SupportCard.tsx';
import type { SubmitResult } from '#respondent/exam/saver.ts';
import type { HotlineView } from '#domain/exam/hotline.ts';
import type { Words } from '#respondent/wording.ts';

interface Props {
  result: SubmitResult;
  words: Words;
  lines: readonly HotlineView[];
  contact: () => void;
  /** present when the respondent may read the report */
  read?: (() => void) | undefined;
  /** present when another task is open */
  more?: (() => void) | undefined;
  /** leads to 放松与学习; absent on a kiosk */
  relax?: (() => void) | undefined;
  leave: () => void;
  /** the page leaves by itself after this many seconds: another person uses the device next */
  clearsAfter?: number | undefined;
}

/**
 * Page 7: thanks. It shows no score. Help is available to every respondent; the server decides for which of them it stands first.
 */
export function ThanksPage({ result, words, lines, contact, read, more, relax, leave, clearsAfter }: Props) {
  const { you, helper } = words;
  const [first] = lines;
  const left = useCountdown(clearsAfter, leave);
  return (
    <PageFrame heading={result.late ? `谢谢${you}，作答已经保存` : `谢谢${you}，已经交卷`}>
      <p className="lead" role={result.late ? 'status' : undefined}>
        {result.late ?? `${you}的作答已经保存好了。照顾好自己，累了就歇一歇。`}
      </p>
      {result.support.show && <SupportCard text={result.support.text} lines={lines} words={words} />}
      <div className="actions">
        {more && (
          <button type="button" className="primary" onClick={more}>
            还有其他测评，继续
          </button>
        )}
        {read && (
          <button type="button" className="primary" onClick={read}>
            查看我的报告
          </button>
        )}
        <button type="button" onClick={contact}>
          请{helper}联系我
        </button>
        {relax && (
          <button type="button" onClick={relax}>
            放松与学习
          </button>
        )}
        <button type="button" onClick={leave}>
          {left === undefined ? '完成并退出' : `完成并退出（${left}）`}
        </button>
      </div>
      {!result.support.show && first && (
        <p className="quiet">
          想找人聊聊，可以拨打 <a href={`tel:${first.number}`}>{first.number}</a>（{first.hours}）。
        </p>
      )}
    </PageFrame>
  );
}
