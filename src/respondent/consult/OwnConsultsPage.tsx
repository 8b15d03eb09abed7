import { useState } from 'react';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { slotWords } from '#domain/consult/slotWords.ts';
import { errorMessage } from '#respondent/api/api.ts';
import type { Session } from '#respondent/api/session.ts';
import { statusWords, typeWords, type OwnConsult } from '#respondent/consult/consultWords.ts';
import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import type { Words } from '#respondent/wording.ts';

interface Props {
  session: Session;
  consults: readonly OwnConsult[];
  words: Words;
  /** absent: the institution offers no form */
  apply: (() => void) | undefined;
  choose: (consult: OwnConsult) => void;
  changed: () => void;
  back: () => void;
}

const isOpen = ({ status }: OwnConsult) => status === '01' || status === '02';
const isBegun = ({ slotbegin }: OwnConsult) => slotbegin !== null && slotbegin <= shanghaiTime(new Date()).slice(0, 16);

/** The person's registrations, the open ones first, with what can be done. */
export function OwnConsultsPage({ session, consults, words, apply, choose, changed, back }: Props) {
  const hasOpen = consults.some(isOpen);
  const ordered = [...consults.filter(isOpen), ...consults.filter((consult) => !isOpen(consult))];
  return (
    <PageFrame
      heading={consults.length > 0 ? '我的咨询' : '预约咨询'}
      actions={
        <>
          {apply && !hasOpen && (
            <button type="button" className="primary" onClick={apply}>
              {consults.length > 0 ? '再申请一次' : '填写申请'}
            </button>
          )}
          <button type="button" onClick={back}>
            返回
          </button>
        </>
      }
    >
      {consults.length === 0 && (
        <p>
          {apply
            ? `想找人聊聊，可以在这里申请，${words.helper}会安排时间。`
            : `这里暂时不能在线申请，请直接联系${words.helper}。`}
        </p>
      )}
      <ul className="tasks">
        {ordered.map((consult) => (
          <li key={consult.consultid} className="card">
            <ConsultCard consult={consult} session={session} choose={choose} changed={changed} words={words} />
          </li>
        ))}
      </ul>
    </PageFrame>
  );
}

function ConsultCard({
  consult,
  session,
  choose,
  changed,
  words,
}: Pick<Props, 'session' | 'choose' | 'changed' | 'words'> & { consult: OwnConsult }) {
  const [isCancelling, setIsCancelling] = useState(false);
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const { consultid, slotbegin, slotend, counsellorname, room, status } = consult;
  const cancel = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setFault('');
    try {
      await session.call('cancelOwnConsult', { consultid, reason: reason.trim() });
      changed();
    } catch (error) {
      setFault(errorMessage(error));
      setIsBusy(false);
    }
  };
  return (
    <>
      <h2>{slotbegin && status !== '04' ? slotWords(slotbegin, slotend) : consult.title}</h2>
      <p>
        {statusWords(consult)} · {typeWords(consult)}
      </p>
      {status === '02' && (
        <p className="quiet">
          {[counsellorname && `咨询师：${counsellorname}`, room && `地点：${room}`].filter(Boolean).join(' · ')}
        </p>
      )}
      <p className="quiet">{consult.applytime.slice(0, 10)} 申请</p>
      {isCancelling ? (
        <>
          <label className="field">
            <span>取消的原因（可以不写）</span>
            <textarea value={reason} maxLength={200} rows={2} onChange={(event) => setReason(event.target.value)} />
          </label>
          <Fault>{fault}</Fault>
          <div className="actions">
            <button type="button" className="primary" aria-disabled={isBusy} onClick={() => void cancel()}>
              {isBusy ? '正在取消…' : '确认取消'}
            </button>
            <button type="button" onClick={() => setIsCancelling(false)}>
              不取消
            </button>
          </div>
        </>
      ) : (
        <div className="actions">
          {consult.canbook && (
            <button type="button" className={status === '02' ? '' : 'primary'} onClick={() => choose(consult)}>
              {status === '02' ? '改时间' : '选择时间'}
            </button>
          )}
          {consult.cancancel && (
            <button type="button" onClick={() => setIsCancelling(true)}>
              取消
            </button>
          )}
        </div>
      )}
      {status === '02' && !consult.cancancel && (
        <p className="quiet">
          {isBegun(consult) ? '约定的时间已到' : '离开始不到 2 小时'}，需要改动请直接联系{words.helper}。
        </p>
      )}
    </>
  );
}
