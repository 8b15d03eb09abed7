import { PageFrame } from '#respondent/PageFrame.tsx';
import type { CallResponse } from '#respondent/api/api.ts';

/** The receipt of a withdrawal: the records that are deleted until a day, and the records that stay. */
export function WithdrawnPage({ receipt, leave }: { receipt: CallResponse<'withdrawConsent'>; leave: () => void }) {
  return (
    <PageFrame
      heading="已撤回同意"
      actions={
        <button type="button" className="primary" onClick={leave}>
          完成并退出
        </button>
      }
    >
      <p>撤回时间：{receipt.time.slice(0, 16)}。从现在起不再使用这些资料，也不再安排测评和消息。</p>
      <section className="card prose" aria-label="将会删除">
        <h2>{receipt.duedate} 前删除</h2>
        <ul>
          {receipt.deleted.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </section>
      <section className="card prose" aria-label="继续保留">
        <h2>继续保留</h2>
        <ul>
          {receipt.kept.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </section>
      <p className="quiet">可以截图保存这一页。</p>
    </PageFrame>
  );
}
