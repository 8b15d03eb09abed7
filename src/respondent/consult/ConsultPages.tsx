import { useEffect, useState } from 'react';
import type { HotlineView } from '#domain/exam/hotline.ts';
import { CallRefused, errorMessage, type CallResponse } from '#respondent/api/api.ts';
import type { Session } from '#respondent/api/session.ts';
import { ApplyPage } from '#respondent/consult/ApplyPage.tsx';
import type { OwnConsult } from '#respondent/consult/consultWords.ts';
import { OwnConsultsPage } from '#respondent/consult/OwnConsultsPage.tsx';
import { SlotsPage } from '#respondent/consult/SlotsPage.tsx';
import { PageFrame } from '#respondent/PageFrame.tsx';
import { SupportCard } from '#respondent/report/SupportCard.tsx';
import type { Words } from '#respondent/wording.ts';

interface Props {
  session: Session;
  words: Words;
  lines: readonly HotlineView[];
  back: () => void;
}

type Part =
  | { page: 'list' }
  | { page: 'apply' }
  | { page: 'slots'; consult: OwnConsult }
  | { page: 'sent'; support: CallResponse<'applyConsult'>['support'] };

/** 预约咨询: the person's own registrations, the form, the free times. */
export function ConsultPages({ session, words, lines, back }: Props) {
  const [offer, setOffer] = useState<CallResponse<'getApplyForms'>>();
  const [consults, setConsults] = useState<readonly OwnConsult[]>();
  const [part, setPart] = useState<Part>({ page: 'list' });
  const [fault, setFault] = useState('');
  const load = async () => {
    setFault('');
    try {
      const [forms, own] = await Promise.all([session.call('getApplyForms', {}), session.call('getOwnConsults', {})]);
      setOffer(forms);
      setConsults(own);
    } catch (error) {
      // A person who entered without a name cannot be booked.
      const isAnonymous = error instanceof CallRefused && error.code === 110004;
      setFault(isAnonymous ? `这里没有登记姓名，不能预约。可以点菜单里的“请${words.helper}联系我”。` : errorMessage(error));
    }
  };
  useEffect(() => void load(), []);
  const showList = () => {
    setPart({ page: 'list' });
    void load();
  };

  if (!offer || !consults)
    return (
      <PageFrame heading="预约咨询" actions={<ReturnButton back={back} />}>
        {fault ? (
          <>
            <p className="fault" role="alert">
              {fault}
            </p>
            <button type="button" onClick={() => void load()}>
              重试
            </button>
          </>
        ) : (
          <p className="loading" role="status">
            正在打开…
          </p>
        )}
      </PageFrame>
    );
  switch (part.page) {
    case 'apply':
      return (
        <ApplyPage
          session={session}
          offer={offer}
          words={words}
          done={(support) => setPart({ page: 'sent', support })}
          back={showList}
        />
      );
    case 'slots':
      return <SlotsPage session={session} consult={part.consult} words={words} done={showList} />;
    case 'sent':
      return (
        <PageFrame
          heading="已收到申请"
          actions={
            <button type="button" className="primary" onClick={showList}>
              {offer.selfbook ? '选择时间' : '好的'}
            </button>
          }
        >
          <p role="status">
            {offer.selfbook
              ? `可以现在选一个时间，也可以等${words.helper}安排。`
              : `${words.helper}会尽快安排时间，安排好后在这里可以看到。`}
          </p>
          {part.support.show && <SupportCard text={part.support.text} lines={lines} words={words} />}
        </PageFrame>
      );
    default:
      return (
        <OwnConsultsPage
          session={session}
          consults={consults}
          words={words}
          apply={offer.forms.length > 0 ? () => setPart({ page: 'apply' }) : undefined}
          choose={(consult) => setPart({ page: 'slots', consult })}
          changed={() => void load()}
          back={back}
        />
      );
  }
}

/** Leads back to the page from which the person came. */
const ReturnButton = ({ back }: { back: () => void }) => (
  <button type="button" onClick={back}>
    返回
  </button>
);
