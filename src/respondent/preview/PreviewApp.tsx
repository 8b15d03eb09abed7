import { useEffect, useState } from 'react';
import { answerCallsWith, call, errorMessage } from '#respondent/api/api.ts';
import { Session } from '#respondent/api/session.ts';
import { keepNothing } from '#respondent/device.ts';
import { PageFrame } from '#respondent/PageFrame.tsx';
import { previewAnswers } from '#respondent/preview/answers.ts';
import { RespondentApp } from '#respondent/RespondentApp.tsx';
import type { Entry } from '#respondent/steps.ts';
import '#respondent/preview/preview.css';

/** The token of the member of staff who is signed in at the console in this browser. */
const staffToken = (): string => {
  const found = document.cookie.split('; ').find((part) => part.startsWith('token='));
  return found ? decodeURIComponent(found.slice('token='.length)) : '';
};

/**
 * 预览: the respondent's own pages for staff. It reads the questionnaires once; then every call is answered inside the page, and the device
 * stores nothing.
 */
export function PreviewApp({ applyBranding }: { applyBranding: (entry: Entry) => void }) {
  const [session, setSession] = useState<Session>();
  const [fault, setFault] = useState('');
  const load = async () => {
    const params = new URLSearchParams(window.location.search);
    const value = (name: string) => params.get(name) || undefined;
    const [plancode, stagecode, musercode] = [value('plancode'), value('stagecode'), value('musercode')];
    const formcodes = value('formcodes')?.split(',');
    const plan = await call(
      'previewTask',
      {
        ...(formcodes ? { formcodes } : { plancode: plancode ?? '' }),
        ...(stagecode && { stagecode }),
        ...(musercode && { musercode }),
      },
      staffToken(),
    );
    const entry = await call('getEntry', { clientcode: plan.clientcode });
    keepNothing();
    const taskname = value('taskname') ?? plan.planname;
    answerCallsWith(previewAnswers({ entry, taskname, resultshow: value('resultshow') === '1', plan }));
    setSession(new Session(plan.clientcode, undefined));
  };
  useEffect(() => {
    document.title = '预览作答';
    load().catch((error: unknown) => setFault(errorMessage(error)));
  }, []);
  return (
    <>
      <p className="preview" role="note">
        <b>预览</b> 作答的人看到的就是这些页面。姓名和号码随意填写；不保存、不占用次数，也不会触发预警。
      </p>
      {session ? (
        <RespondentApp session={session} applyBranding={applyBranding} />
      ) : (
        <main>
          {fault ? (
            <PageFrame heading="暂时不能预览">
              <p role="alert">{fault}</p>
            </PageFrame>
          ) : (
            <p className="loading" role="status">
              正在打开…
            </p>
          )}
        </main>
      )}
    </>
  );
}
