import type { SaverState } from '#respondent/exam/saver.ts';

/** Shows whether the answers are saved. Screen readers do not interrupt for it. */
export function StatusLine({ state, retry }: { state: SaverState; retry: () => void }) {
  const text =
    state.status === 'stopped'
      ? state.reason
      : state.status === 'waiting'
        ? state.isOnDevice
          ? '网络不稳定，答案已存在本机，恢复后自动上传'
          : '网络不稳定，请先不要关闭本页，恢复后自动上传'
        : state.status === 'saving'
          ? '正在保存…'
          : Object.keys(state.answerMap).length > 0
            ? '已保存'
            : '';
  return (
    <p className={`status ${state.status}`}>
      <span role="status" aria-live="polite">
        {/* Screen readers would read 正在保存 after every answer */}
        {state.status === 'saving' ? <span aria-hidden="true">{text}</span> : text}
      </span>
      {state.status === 'waiting' && (
        <button type="button" className="plain" onClick={retry}>
          立即重试
        </button>
      )}
    </p>
  );
}

/** Shows the progress as a bar and in words. */
export function Progress({ done, total, words }: { done: number; total: number; words: string }) {
  return (
    <div className="progress">
      <div
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={words}
        aria-label="作答进度"
      >
        <span style={{ width: `${total === 0 ? 0 : Math.round((done / total) * 100)}%` }} />
      </div>
      <p aria-hidden="true">{words}</p>
    </div>
  );
}
