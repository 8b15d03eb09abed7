import type { ScreenData } from '#console/screen/useScreenData.ts';
import { countText, rateText } from '#console/screen/words.ts';

/** The open cases: their levels, what is overdue, and how those of the period were closed. */
export function CasesPanel({ cases, overdueplaces, reason }: Pick<ScreenData, 'cases' | 'overdueplaces'> & { reason: string }) {
  return (
    <section className="panel cases" aria-labelledby="cases">
      <h2 id="cases">
        个案处置 {cases?.open && <small>处置中 {countText(cases.open.reduce((sum, { count }) => sum + count, 0))} 例</small>}
      </h2>
      {!cases ? (
        <p className="empty">{reason}</p>
      ) : (
        <>
          {cases.open && (
            <ul className="counts">
              {cases.open.map(({ name, count }) => (
                <li key={name}>
                  <span>{name}</span>
                  <b>{countText(count)}</b>
                </li>
              ))}
            </ul>
          )}
          <ul className={cases.open ? 'counts' : 'counts single'}>
            <li>
              <span>本期新增</span>
              <b>{countText(cases.opened)}</b>
            </li>
            <li>
              <span>其中结案</span>
              <b>{countText(cases.closed)}</b>
            </li>
            <li>
              <span>闭环率</span>
              <b>{rateText(cases.rate)}</b>
            </li>
            {cases.overdue !== null && (
              <li className={cases.overdue > 0 ? 'overdue' : ''}>
                <span>超时未处理</span>
                <b>{countText(cases.overdue)}</b>
              </li>
            )}
          </ul>
        </>
      )}
      <p className="note">{overdueplaces > 0 ? `⚑ 有超时的机构 ${overdueplaces} 家` : '没有超时的个案'}</p>
    </section>
  );
}
