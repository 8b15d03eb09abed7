import { useRef, useState } from 'react';
import { Fault, PageFrame, Paragraphs } from '#respondent/PageFrame.tsx';
import { SignaturePad } from '#respondent/entry/SignaturePad.tsx';
import type { Identity } from '#respondent/api/session.ts';
import type { Words } from '#respondent/wording.ts';
import { errorMessage, type CallResponse, type CallRequest } from '#respondent/api/api.ts';

interface Props {
  consent: CallResponse<'getEntry'>['consent'];
  identity: Identity;
  words: Words;
  agree: (request: CallRequest<'submitConsent'>) => Promise<void>;
  decline: () => void;
}

type Relation = '01' | '02' | '03';
const relations: readonly (readonly [Relation, string])[] = [
  ['01', '父亲'],
  ['02', '母亲'],
  ['03', '其他监护人'],
];

/** Page 3: consent to the assessment and, separately, to the use of sensitive data. Under 14 the guardian consents too. */
export function ConsentPage({ consent, identity, words, agree, decline }: Props) {
  const [general, setGeneral] = useState(false);
  const [sensitive, setSensitive] = useState(false);
  const [guardian, setGuardian] = useState({ name: '', relation: '' as Relation | '', phonenumber: '' });
  const [guardianAgrees, setGuardianAgrees] = useState(false);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const signature = useRef<() => string | undefined>(() => undefined);

  const missing = (): string => {
    if (!general) return '请先阅读并勾选知情同意';
    if (!sensitive) return '敏感信息的处理需要单独勾选同意';
    if (!identity.needguardian) return '';
    if (guardian.name.trim().length < 2) return '请填写监护人姓名';
    if (!guardian.relation) return `请选择监护人与${words.you}的关系`;
    if (!/^1\d{10}$/.test(guardian.phonenumber.trim())) return '请填写监护人的 11 位手机号码';
    return guardianAgrees ? '' : '需要监护人勾选同意';
  };

  const submit = async () => {
    if (busy) return;
    const why = missing();
    if (why) return setFault(why);
    const drawn = identity.needsignature ? signature.current() : undefined;
    if (identity.needsignature && !drawn) return setFault(identity.needguardian ? '请监护人签名' : '请签名');
    setFault('');
    setBusy(true);
    try {
      const { relation } = guardian;
      await agree({
        consentversion: consent.version,
        scopes: ['01', '02'],
        agreed: 1,
        ...(identity.needguardian &&
          relation && { guardian: { name: guardian.name.trim(), relation, phonenumber: guardian.phonenumber.trim() } }),
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
        <Paragraphs text={consent.text} />
      </section>
      <label className="tick">
        <input type="checkbox" checked={general} onChange={(event) => setGeneral(event.target.checked)} />
        <span>我已阅读以上内容，自愿参加本次测评</span>
      </label>
      <section className="card prose" aria-label="敏感个人信息">
        <Paragraphs text={consent.sensitivetext} />
      </section>
      <label className="tick">
        <input type="checkbox" checked={sensitive} onChange={(event) => setSensitive(event.target.checked)} />
        <span>我单独同意按上述说明处理我的敏感个人信息</span>
      </label>
      {identity.needguardian && (
        <fieldset className="card">
          <legend>监护人同意</legend>
          <Paragraphs text={consent.guardiantext} />
          <label className="field">
            <span>监护人姓名</span>
            <input
              value={guardian.name}
              maxLength={32}
              autoComplete="off"
              onChange={(event) => setGuardian({ ...guardian, name: event.target.value })}
            />
          </label>
          <fieldset className="field inline">
            <legend>与{words.you}的关系</legend>
            {relations.map(([code, label]) => (
              <label key={code} className="chip">
                <input
                  type="radio"
                  name="relation"
                  checked={guardian.relation === code}
                  onChange={() => setGuardian({ ...guardian, relation: code })}
                />
                <span>{label}</span>
              </label>
            ))}
          </fieldset>
          <label className="field">
            <span>监护人手机号</span>
            <input
              value={guardian.phonenumber}
              inputMode="numeric"
              maxLength={11}
              autoComplete="off"
              onChange={(event) => setGuardian({ ...guardian, phonenumber: event.target.value })}
            />
          </label>
          <label className="tick">
            <input type="checkbox" checked={guardianAgrees} onChange={(event) => setGuardianAgrees(event.target.checked)} />
            <span>我是监护人，已阅读并同意</span>
          </label>
        </fieldset>
      )}
      {identity.needsignature && (
        <SignaturePad label={identity.needguardian ? '监护人签名' : '签名'} register={(read) => (signature.current = read)} />
      )}
      <p className="quiet">版本 {consent.version} · 同意之后也可以随时在菜单里撤回</p>
    </PageFrame>
  );
}

/** Shown after the respondent declined. The server records nothing, and the page does not press the respondent. */
export function DeclinedPage({
  words,
  hotline,
  back,
  leave,
}: {
  words: Words;
  hotline: string;
  back: () => void;
  leave: () => void;
}) {
  return (
    <PageFrame
      heading="没关系，这次先不参加"
      actions={
        <>
          <button type="button" className="primary" onClick={leave}>
            退出
          </button>
          <button type="button" onClick={back}>
            返回
          </button>
        </>
      }
    >
      <p>
        是否参加由{words.you}自己决定，不参加不会影响{words.you}。没有保存任何作答。
      </p>
      <p>
        如果之后想参加，重新扫码就可以。如果心里不好受，可以随时找信任的人聊聊，或拨打 <a href={`tel:${hotline}`}>{hotline}</a>。
      </p>
    </PageFrame>
  );
}
