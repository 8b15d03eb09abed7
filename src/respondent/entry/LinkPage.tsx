import { useState, type FormEvent } from 'react';
import { Fault, PageFrame, Paragraphs } from '#respondent/PageFrame.tsx';
import { errorMessage, type CallResponse } from '#respondent/api/api.ts';
import type { Words } from '#respondent/wording.ts';

const numbers = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const twoDigits = (text: string) => text.padStart(2, '0');

interface Props {
  entry: CallResponse<'getEntry'>;
  words: Words;
  /** the session ended during the exam: the answers are safe */
  isReidentification?: boolean;
  /** `MM-DD` */
  login: (birthday: string) => Promise<void>;
}

/** Page 1 of a personal link: month and day of birth show that the link reached the right person. */
export function LinkPage({ entry, words: { you }, isReidentification = false, login }: Props) {
  const [month, setMonth] = useState('');
  const [day, setDay] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!month || !day) return setFault('请选择出生的月和日');
    setFault('');
    setBusy(true);
    try {
      await login(`${twoDigits(month)}-${twoDigits(day)}`);
    } catch (error) {
      setFault(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const choice = (label: string, last: number, value: string, choose: (next: string) => void) => (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.target.value)} aria-describedby="link-fault">
        <option value="">请选择</option>
        {numbers(last).map((number) => (
          <option key={number} value={number}>
            {number}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <PageFrame heading={isReidentification ? `请再确认一次${you}的身份` : entry.clienttitle || '心理健康测评'}>
      {!isReidentification && (
        <>
          {!entry.clienttitle.includes(entry.insname) && <p className="institution">{entry.insname}</p>}
          <div className="lead">
            <Paragraphs text={`这是给${you}本人的测评链接。为了保护${you}的隐私，请先选择${you}的出生月份和日期。`} />
          </div>
        </>
      )}
      <form className="card" onSubmit={(event) => void submit(event)} noValidate>
        <div className="birthday">
          {choice('出生月份', 12, month, setMonth)}
          {choice('出生日期', 31, day, setDay)}
        </div>
        <Fault id="link-fault">{fault}</Fault>
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? '请稍候…' : '下一步'}
        </button>
      </form>
      <p className="quiet">按身份证上的公历日期选择。如果不是{you}的链接，请关闭本页，并告诉发链接的工作人员。</p>
    </PageFrame>
  );
}
