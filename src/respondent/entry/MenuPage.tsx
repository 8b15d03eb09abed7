import { useState } from 'react';
import { canSpeak, type View } from '#respondent/device.ts';
import { Fault, PageFrame } from '#respondent/PageFrame.tsx';
import { errorMessage } from '#respondent/api/api.ts';
import type { Words } from '#respondent/wording.ts';

interface Props {
  view: View;
  setView: (view: View) => void;
  words: Words;
  signedIn: boolean;
  contact: () => void;
  /** absent on a kiosk */
  reports?: (() => void) | undefined;
  /** leads to 预约咨询; absent on a kiosk and during an exam */
  consult?: (() => void) | undefined;
  /** leads to 放松与学习; absent on a kiosk and during an exam */
  relax?: (() => void) | undefined;
  withdraw: () => Promise<void>;
  /** present while the consent of the guardian is open */
  guardian?: (() => void) | undefined;
  leave: () => void;
  back: () => void;
}

/** The menu: reading preferences, help, and ways to stop. */
export function MenuPage({
  view,
  setView,
  words,
  signedIn,
  contact,
  reports,
  consult,
  relax,
  withdraw,
  guardian,
  leave,
  back,
}: Props) {
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const [fault, setFault] = useState('');
  const toggle = (key: keyof View, label: string) => (
    <label className="tick">
      <input type="checkbox" checked={view[key]} onChange={(event) => setView({ ...view, [key]: event.target.checked })} />
      <span>{label}</span>
    </label>
  );
  if (isWithdrawing) {
    return (
      <PageFrame
        heading="撤回同意"
        actions={
          <>
            <Fault>{fault}</Fault>
            <button
              type="button"
              className="primary"
              onClick={() => void withdraw().catch((error: unknown) => setFault(errorMessage(error)))}
            >
              确认撤回
            </button>
            <button type="button" onClick={() => setIsWithdrawing(false)}>
              不撤回
            </button>
          </>
        }
      >
        <p>
          撤回后马上停止使用{words.you}
          的资料，不再安排测评和消息，回答、结果和报告在15个工作日内删除。正在处理的安全个案和依法保存的记录会保留，下一页会逐项列出。撤回不会影响
          {words.you}的{words.number === '学号' ? '学习' : '服务'}。
        </p>
      </PageFrame>
    );
  }
  return (
    <PageFrame heading="菜单">
      <div className="card">
        {toggle('large', '大字')}
        {toggle('whole', '整份问卷显示在一页')}
        {canSpeak() && toggle('aloud', '自动朗读题目')}
      </div>
      <div className="actions">
        {signedIn && (
          <>
            <button type="button" onClick={contact}>
              请{words.helper}联系我
            </button>
            {consult && (
              <button type="button" onClick={consult}>
                预约咨询
              </button>
            )}
            {relax && (
              <button type="button" onClick={relax}>
                放松与学习
              </button>
            )}
            {reports && (
              <button type="button" onClick={reports}>
                我的报告
              </button>
            )}
            {guardian && (
              <button type="button" onClick={guardian}>
                监护人同意
              </button>
            )}
            <button type="button" onClick={() => setIsWithdrawing(true)}>
              撤回同意
            </button>
            <button type="button" onClick={leave}>
              保存并退出
            </button>
          </>
        )}
        <button type="button" className="primary" onClick={back}>
          关闭菜单
        </button>
      </div>
    </PageFrame>
  );
}
