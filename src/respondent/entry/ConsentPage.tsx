import { useRef, useState } from 'react';
import { Fault, PageFrame, Paragraphs } from '#respondent/PageFrame.tsx';
import { SignaturePad } from '#respondent/entry/SignaturePad.tsx';
import type { Identity } from '#respondent/api/session.ts';
import type { HotlineView } from '#domain/exam/hotline.ts';
import type { Words } from '#respondent/wording.ts';
import { errorMessage, type CallResponse, type CallRequest } from '#respondent/api/api.ts';

interface Props {
  consent: CallResponse<'getEntry'>['consent'];
  identity: Identity;
  agree: (request: CallRequest<'submitConsent'>) => Promise<void>;
  decline: () => void;
}

/**
 * Page 3: consent to the assessment and, separately, to the use of sensitive data. With a recipient there is a third tick, which is
 * free. Primary-school pupils read the short text. The guardian agrees on the next page or later.
 */
export function ConsentPage({ consent, identity, agree, decline }: Props) {
  const [general, setGeneral] = useState(false);
  const [sensitive, setSensitive] = useState(false);
  const [provide, setProvide] = useState(false);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const signature = useRef<() => string | undefined>(() => undefined);
  const isShort = identity.reading === 'short' && consent.short !== null;
  const shown = isShort && consent.short ? consent.short : consent;

  const missing = (): string => {
    if (!general) return '请先阅读并勾选知情同意';
    return sensitive ? '' : '敏感信息的处理需要单独勾选同意';
  };

  const submit = async () => {
    if (busy) return;
    const why = missing();
    if (why) return setFault(why);
    const drawn = identity.needsignature ? signature.current() : undefined;
    if (identity.needsignature && !drawn) return setFault('请签名');
    setFault('');
    setBusy(true);
    try {
      await agree({
        consentversion: consent.version,
        scopes: provide && shown.providetext ? ['01', '02', '05'] : ['01', '02'],
        agreed: 1,
        ...(drawn && { signature: drawn }),
      });
    } catch (error) {
      setFault(errorMessage(error));
      setBusy(false);
    }
  };

  return (
    <PageFrame
      heading="知情同意书"
      actions={
        <>
          <Fault>{fault}</Fault>
          <button type="button" className="primary" aria-disabled={busy} onClick={() => void submit()}>
            {busy ? '请稍候…' : '同意并开始'}
          </button>
          <button type="button" onClick={decline}>
            暂不参加
          </button>
        </>
      }
    >
      <section className="card prose" aria-label="知情同意书全文">
        <Paragraphs text={shown.text} />
      </section>
      <label className="tick">
        <input type="checkbox" checked={general} onChange={(event) => setGeneral(event.target.checked)} />
        <span>{isShort ? '我看完了，愿意参加。' : '我已阅读以上内容，自愿参加本次测评。'}</span>
      </label>
      <label className="tick">
        <input type="checkbox" checked={sensitive} onChange={(event) => setSensitive(event.target.checked)} />
        <span>{shown.sensitivetext}</span>
      </label>
      {shown.providetext && (
        <label className="tick">
          <input type="checkbox" checked={provide} onChange={(event) => setProvide(event.target.checked)} />
          <span>{shown.providetext}（可以不勾选，不影响参加）</span>
        </label>
      )}
      {identity.needguardian && (
        <section className="card prose" aria-label="监护人同意">
          <Paragraphs text={shown.guardiantext} />
        </section>
      )}
      {identity.needsignature && <SignaturePad label="签名" register={(read) => (signature.current = read)} />}
      <p className="quiet">版本 {consent.version} · 同意之后也可以在菜单里撤回</p>
    </PageFrame>
  );
}

/**
 * Shown when the respondent does not agree. 这次不参加 is recorded, so that nobody chases the respondent; 以后再说 records nothing. The
 * page does not press the respondent.
 */
export function DeclinedPage({
  words,
  lines,
  decline,
  back,
  leave,
}: {
  words: Words;
  lines: readonly HotlineView[];
  decline: () => Promise<unknown>;
  back: () => void;
  leave: () => void;
}) {
  const { you, helper } = words;
  const [isRecorded, setIsRecorded] = useState(false);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const [first] = lines;
  const record = async () => {
    if (busy) return;
    setBusy(true);
    setFault('');
    try {
      await decline();
      setIsRecorded(true);
    } catch (error) {
      setFault(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <PageFrame
      heading={isRecorded ? '已经记下，这次不参加' : '没关系，可以不参加'}
      actions={
        isRecorded ? (
          <button type="button" className="primary" onClick={leave}>
            退出
          </button>
        ) : (
          <>
            <Fault>{fault}</Fault>
            <button type="button" className="primary" aria-disabled={busy} onClick={() => void record()}>
              这次不参加
            </button>
            <button type="button" onClick={leave}>
              以后再说
            </button>
            <button type="button" onClick={back}>
              返回
            </button>
          </>
        )
      }
    >
      <p>
        是否参加由{you}自己决定，不参加不会影响{you}。没有保存任何作答。
      </p>
      <p>
        {isRecorded ? `${helper}会知道${you}这次不参加，不会再催${you}。` : `选“这次不参加”，${helper}会知道，不会再催${you}。`}
        如果之后想参加，重新扫码就可以。如果心里不好受，可以找信任的人聊聊
        {first && (
          <>
            ，或拨打 <a href={`tel:${first.number}`}>{first.number}</a>（{first.hours}）
          </>
        )}
        。
      </p>
    </PageFrame>
  );
}
