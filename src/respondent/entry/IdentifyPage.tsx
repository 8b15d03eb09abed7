import { useRef, useState, type FormEvent } from 'react';
import { firstViewOf } from '#domain/exam/firstView.ts';
import { Fault, PageFrame, Paragraphs } from '#respondent/PageFrame.tsx';
import type { HotlineView } from '#domain/exam/hotline.ts';
import type { Words } from '#respondent/wording.ts';
import { errorMessage, type CallResponse, type CallRequest } from '#respondent/api/api.ts';

type Entry = CallResponse<'getEntry'>;
type Login = CallRequest<'loginRespondent'>;

interface Props {
  entry: Entry;
  clientcode: string;
  words: Words;
  lines: readonly HotlineView[];
  /** the session ended during the exam: the answers are safe, and the page only asks for the identity */
  isReidentification?: boolean;
  login: (request: Login) => Promise<void>;
}

/**
 * Page 1: names the institution, the duration and the readers of the answers. Then it identifies the respondent by the entry's
 * login mode.
 */
export function IdentifyPage({ entry, clientcode, words, lines, isReidentification = false, login }: Props) {
  const { you } = words;
  const view = firstViewOf(entry);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const [hasNoNumber, setHasNoNumber] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mode = entry.loginmode;
  const keyLabel = mode === '01' ? '测评码' : mode === '02' ? '手机号' : words.number;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const field = (name: string) => (form.current?.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? '';
    const [username, key] = [field('username'), field('key')];
    const asksName = mode === '02' || mode === '03';
    if (asksName && !username) return setFault('请填写姓名');
    if (mode === '03' && hasNoNumber) {
      const [classname, birthday] = [field('classname'), field('birthday')];
      if (!classname) return setFault('请填写班级');
      if (!birthday) return setFault('请选择出生日期');
      return send({ clientcode, username, classname, birthday });
    }
    if (mode !== '04' && !key) return setFault(`请填写${keyLabel}`);
    if (mode === '02' && !/^1\d{10}$/.test(key)) return setFault('请填写 11 位手机号');
    return send({ clientcode, ...(asksName && { username }), ...(mode !== '04' && { key }) });
  };
  const send = async (request: Login) => {
    setFault('');
    setBusy(true);
    try {
      await login(request);
    } catch (error) {
      setFault(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <PageFrame heading={isReidentification ? `请再确认一次${you}的身份` : view.heading}>
      {isReidentification ? (
        <p className="lead">离开的时间有点久，为了保护{you}的隐私，需要再确认一次身份。已填的答案都还在，确认后从原处继续。</p>
      ) : (
        <>
          {view.institution && <p className="institution">{view.institution}</p>}
          <div className="lead">
            <Paragraphs text={view.welcome} />
          </div>
          <ul className="facts">
            {view.facts.map(([title, text]) => (
              <li key={title}>
                <b>{title}</b>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate className="card">
        {(mode === '02' || mode === '03') && (
          <label className="field">
            <span>姓名</span>
            <input name="username" autoComplete="name" maxLength={32} aria-describedby="identify-fault" />
          </label>
        )}
        {mode !== '04' && !hasNoNumber && (
          <label className="field">
            <span>{keyLabel}</span>
            <input
              name="key"
              autoComplete={mode === '02' ? 'tel' : 'off'}
              inputMode={mode === '02' ? 'numeric' : 'text'}
              autoCapitalize={mode === '01' ? 'characters' : 'off'}
              spellCheck={false}
              maxLength={32}
              aria-describedby="identify-fault"
            />
          </label>
        )}
        {hasNoNumber && (
          <>
            <label className="field">
              <span>班级</span>
              <input
                name="classname"
                autoComplete="off"
                maxLength={40}
                placeholder="如：初一3班"
                aria-describedby="identify-fault"
              />
            </label>
            <label className="field">
              <span>出生日期</span>
              <input name="birthday" type="date" min="1940-01-01" aria-describedby="identify-fault" />
            </label>
          </>
        )}
        {mode === '03' && entry.sector === 'edu' && (
          <button type="button" className="link" onClick={() => (setFault(''), setHasNoNumber(!hasNoNumber))}>
            {hasNoNumber ? `我有${keyLabel}` : `我没有${keyLabel}`}
          </button>
        )}
        {mode === '04' && <p>本次测评不记名，无需填写身份信息。</p>}
        <Fault id="identify-fault">{fault}</Fault>
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? '请稍候…' : isReidentification ? '确认并继续' : mode === '04' ? '开始' : '下一步'}
        </button>
      </form>
      {!isReidentification && (
        <p className="quiet">
          现在就需要帮助？可以拨打
          {lines.map(({ number, name, hours }, index) => (
            <span key={number}>
              {index > 0 && '、'}
              <a href={`tel:${number}`} aria-label={`${name} ${number}，${hours}`}>
                {number}
              </a>
            </span>
          ))}
        </p>
      )}
    </PageFrame>
  );
}
