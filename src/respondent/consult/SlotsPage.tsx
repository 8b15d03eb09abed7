import { useEffect, useState } from 'react';
import { dayWords } from '#domain/consult/slotWords.ts';
import { errorMessage } from '#respondent/api/api.ts';
import type { Session } from '#respondent/api/session.ts';
import type { FreeSlot, OwnConsult } from '#respondent/consult/consultWords.ts';
import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import type { Words } from '#respondent/wording.ts';

interface Props {
  session: Session;
  consult: OwnConsult;
  words: Words;
  done: () => void;
}

const keyOf = ({ counsellor, slotbegin }: FreeSlot) => `${counsellor} ${slotbegin}`;

/** The free times of the next two weeks: choose a day, choose a time, confirm. */
export function SlotsPage({ session, consult, words, done }: Props) {
  const [slots, setSlots] = useState<readonly FreeSlot[]>();
  const [chosen, setChosen] = useState<FreeSlot>();
  const [openDay, setOpenDay] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const load = async () => {
    try {
      setSlots(await session.call('getFreeSlots', {}));
    } catch (error) {
      setFault(errorMessage(error));
    }
  };
  useEffect(() => void load(), []);
  const book = async () => {
    if (isBusy) return;
    if (!chosen) return setFault('请先选一个时间');
    setIsBusy(true);
    setFault('');
    try {
      const { counsellor, slotbegin } = chosen;
      await session.call('bookSlot', { consultid: consult.consultid, counsellor, slotbegin });
      done();
    } catch (error) {
      setFault(errorMessage(error));
      setChosen(undefined);
      setIsBusy(false);
      // Somebody else may have taken the time.
      void load();
    }
  };
  const days = [...new Set(slots?.map(({ slotbegin }) => slotbegin.slice(0, 10)))];
  const day = days.find((date) => date === openDay) ?? days[0];
  return (
    <PageFrame
      heading={consult.status === '02' ? '改一个时间' : '选择时间'}
      actions={
        <>
          <Fault>{fault}</Fault>
          {days.length > 0 && (
            <button type="button" className="primary" aria-disabled={isBusy} onClick={() => void book()}>
              {isBusy ? '正在预约…' : chosen ? `约 ${dayWords(chosen.slotbegin)} ${chosen.slotbegin.slice(11)}` : '约这个时间'}
            </button>
          )}
          <button type="button" onClick={done}>
            返回
          </button>
        </>
      }
    >
      {!slots && !fault && (
        <p className="loading" role="status">
          正在查询…
        </p>
      )}
      {slots?.length === 0 && (
        <p>
          今后两周暂时没有空闲时间。申请已收到，{words.helper}会和{words.you}联系。
        </p>
      )}
      {days.length > 1 && (
        <div className="days" role="group" aria-label="日期">
          {days.map((date) => (
            <button key={date} type="button" aria-pressed={date === day} onClick={() => setOpenDay(date)}>
              {dayWords(date)}
            </button>
          ))}
        </div>
      )}
      {day && (
        <fieldset className="question">
          <legend>{dayWords(day)}</legend>
          <div className="options">
            {slots
              ?.filter(({ slotbegin }) => slotbegin.startsWith(day))
              .map((slot) => {
                const isChosen = chosen !== undefined && keyOf(chosen) === keyOf(slot);
                return (
                  <label key={keyOf(slot)} className={isChosen ? 'option chosen' : 'option'}>
                    <input type="radio" name="slot" checked={isChosen} onChange={() => setChosen(slot)} />
                    <span>
                      {slot.slotbegin.slice(11)}–{slot.slotend.slice(11)} · {slot.counsellorname}
                      {slot.room && ` · ${slot.room}`}
                    </span>
                  </label>
                );
              })}
          </div>
        </fieldset>
      )}
      {chosen && !chosen.cancancel && (
        <p className="quiet" role="status">
          离开始不到 2 小时：约好以后，在这里不能再改时间或取消。需要改动请直接联系{words.helper}。
        </p>
      )}
    </PageFrame>
  );
}
