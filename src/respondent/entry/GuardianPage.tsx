import { useRef, useState, type FormEvent } from 'react';
import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import { errorMessage } from '#respondent/api/api.ts';

interface Props {
  /** the masked telephone of the roster; '' when the roster has none */
  phone: string;
  send: () => Promise<unknown>;
  confirm: (code: string) => Promise<void>;
  /** continues without the guardian's consent: scores and reports wait for it */
  later: () => void;
}

/** The guardian agrees by saying the code that was sent to the roster's telephone. Nobody types a telephone here. */
export function GuardianPage({ phone, send, confirm, later }: Props) {
  const [isSent, setIsSent] = useState(false);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  const run = async (work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setFault('');
    try {
      await work();
    } catch (error) {
      setFault(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = code.current?.value.trim() ?? '';
    if (!/^\d{6}$/.test(value)) return setFault('请填写 6 位验证码');
    void run(() => confirm(value));
  };
  return (
    <PageFrame
      heading="请监护人同意"
      actions={
        <button type="button" className={phone ? '' : 'primary'} onClick={later}>
          {phone ? '监护人不在，先作答' : '知道了，先作答'}
        </button>
      }
    >
      <p>爸爸妈妈或其他监护人同意以前，分数和报告不给任何人看。</p>
      {phone ? (
        <form className="card" onSubmit={submit} noValidate>
          <p>监护人电话：{phone}（老师登记的号码）</p>
          <button type="button" aria-disabled={busy} onClick={() => void run(async () => (await send(), setIsSent(true)))}>
            {isSent ? '重新发送验证码' : '发送验证码'}
          </button>
          {isSent && (
            <>
              <p role="status">验证码会由学校发短信或打电话告诉监护人，24 小时内有效。监护人同意后，请把它填在下面。</p>
              <label className="field">
                <span>验证码</span>
                <input ref={code} inputMode="numeric" maxLength={6} autoComplete="one-time-code" aria-describedby="code-fault" />
              </label>
              <button type="submit" className="primary" aria-disabled={busy}>
                监护人已同意
              </button>
            </>
          )}
          <Fault id="code-fault">{fault}</Fault>
        </form>
      ) : (
        <p>学校名册里还没有监护人电话。老师会用纸质同意书或电话联系监护人。</p>
      )}
    </PageFrame>
  );
}
