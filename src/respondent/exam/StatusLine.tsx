import type { SaverState } from '#respondent/exam/saver.ts';

/** Quietly says whether the answers are safe. */
export function StatusLine({ state, retry }: { state: SaverState; retry: () => void }) {
  const text =
    state.status === 'stopped'
      ? state.why
      : state.status === 'waiting'
        ? state.kept
          ? '网络不稳定，答案已存在本机，恢复后自动上传'
          : '网络不稳定，请先不要关闭本页，恢复后自动上传'
        : state.status === 'saving'
          ? '正在保存…'
          : Object.keys(state.book).length > 0
            ? '已保存'
            : '';
  return (
    <p className={`status ${state.status}`}>
      <span role="status" aria-live="polite">
        {/* 正在保存 would be read out after every answer */}
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

/** How far one has come, as a bar and in words. */
export function Progress({ done: doneCount, of, words }: { done: number; of: number; words: string }) {
  return (
    <div className="progress">
      <div
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={doneCount}
        aria-valuetext={words}
        aria-label="作答进度"
      >
        <span style={{ width: `${of === 0 ? 0 : Math.round((doneCount / of) * 100)}%` }} />
      </div>
      <p aria-hidden="true">{words}</p>
    </div>
  );
}
