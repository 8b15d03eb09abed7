import { useState } from 'react';
import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import { SupportCard } from '#respondent/report/SupportCard.tsx';
import type { HotlineView } from '#domain/exam/hotline.ts';
import type { Words } from '#respondent/wording.ts';
import { errorMessage } from '#respondent/api/api.ts';

interface Props {
  words: Words;
  lines: readonly HotlineView[];
  /** resolves with the message for the respondent */
  ask: (content: string) => Promise<string>;
  back: () => void;
}

/** 请老师联系我: one tap sends the request; a reason is optional. */
export function ContactPage({ words, lines, ask, back }: Props) {
  const { helper } = words;
  const [content, setContent] = useState('');
  const [answer, setAnswer] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (busy) return;
    setBusy(true);
    setFault('');
    try {
      setAnswer((await ask(content.trim())) || `已收到，${helper}能看到。`);
    } catch (error) {
      setFault(`${errorMessage(error)}。如果很着急，请直接拨打下面的电话。`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <PageFrame heading={answer ? `已告诉${helper}` : `请${helper}联系我`}>
      {answer ? (
        <p role="status">{answer}</p>
      ) : (
        <div className="card">
          <label className="field">
            <span>想说的话（可以不写）</span>
            <textarea value={content} maxLength={500} rows={4} onChange={(event) => setContent(event.target.value)} />
          </label>
          <Fault>{fault}</Fault>
          <button type="button" className="primary" aria-disabled={busy} onClick={() => void send()}>
            {busy ? '正在发送…' : `请${helper}联系我`}
          </button>
        </div>
      )}
      <button type="button" onClick={back}>
        返回
      </button>
      <SupportCard text="" lines={lines} words={words} />
    </PageFrame>
  );
}
