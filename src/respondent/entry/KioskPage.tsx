import { useState, type FormEvent } from 'react';
import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import { CallRefused, errorMessage, type CallResponse } from '#respondent/api/api.ts';

const LENGTH = 4;
/** The pairing of this device has ended (140001 of `loginByKioskCode`). */
const UNPAIRED = 140001;

interface Props {
  entry: CallResponse<'getEntry'>;
  login: (code: string) => Promise<void>;
  /** staff use the device for something else */
  unpair: () => void;
}

/** The first page of a kiosk: four digits from the staff open the test of one person. */
export function KioskPage({ entry, login, unpair }: Props) {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState('');
  const [isUnpaired, setIsUnpaired] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length < LENGTH) return setFault('请输入 4 位数字');
    setFault('');
    setBusy(true);
    try {
      await login(code);
    } catch (error) {
      setFault(errorMessage(error));
      setIsUnpaired(error instanceof CallRefused && error.code === UNPAIRED);
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  return (
    <PageFrame heading={entry.clienttitle || '心理健康测评'}>
      <p className="lead">请输入工作人员给您的 4 位测评码。</p>
      <form className="card" onSubmit={(event) => void submit(event)} noValidate>
        <label className="field">
          <span>测评码</span>
          <input
            className="kioskcode"
            value={code}
            onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, LENGTH))}
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            aria-describedby="kiosk-fault"
          />
        </label>
        <Fault id="kiosk-fault">{fault}</Fault>
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? '请稍候…' : '开始'}
        </button>
        {isUnpaired && (
          <button type="button" onClick={unpair}>
            退出自助机模式
          </button>
        )}
      </form>
      <p className="quiet">测评码 15 分钟内有效，只能用一次。答完后本机不留下任何内容。</p>
    </PageFrame>
  );
}
