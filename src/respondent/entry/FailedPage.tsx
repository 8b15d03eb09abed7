import { PageFrame } from '#respondent/PageFrame.tsx';

/** The refusal of an entry that is known but not open (140001); its message says why. */
export const ENTRY_NOT_OPEN = 140001;

/** The page could not open, or the entry is not open. */
export function FailedPage({ reason, retry, isClosed = false }: { reason: string; retry: () => void; isClosed?: boolean }) {
  return (
    <PageFrame
      heading={isClosed ? '现在不能作答' : '暂时打不开'}
      actions={
        <button type="button" {...(isClosed ? {} : { className: 'primary' })} onClick={retry}>
          再试一次
        </button>
      }
    >
      <p role="alert">{reason}</p>
      {isClosed && (
        <p className="quiet">
          想找人聊聊，可以拨打全国统一心理援助热线 <a href="tel:12356">12356</a>。
        </p>
      )}
    </PageFrame>
  );
}
