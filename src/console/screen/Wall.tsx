import { useEffect, useMemo, useState } from 'react';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { Bar } from '#console/screen/Bar.tsx';
import { CasesPanel } from '#console/screen/CasesPanel.tsx';
import { PlacesPanel } from '#console/screen/PlacesPanel.tsx';
import type { ScreenData } from '#console/screen/useScreenData.ts';
import { WallChart } from '#console/screen/WallChart.tsx';
import { countText, rateText } from '#console/screen/words.ts';

/** The figures of a screen: one view without scrolling. */
export function Wall({ data, isAway }: { data: ScreenData; isAway: boolean }) {
  const { result, completion, institutions, cases } = data;
  const earlier = data.outcomename === data.periodname ? '' : data.outcomename;
  const noResult = data.source === 'release' ? '尚未发布' : '暂无结果';
  return (
    <main className="wall">
      <Head data={data} isAway={isAway} />
      <section className="tiles" aria-label="概况">
        <Tile
          title="参与机构"
          value={countText(institutions.active)}
          note={institutions.total > 1 ? `共 ${countText(institutions.total)} 家` : ''}
        />
        <Tile
          title={data.source === 'release' ? '应测人数（约）' : '应测人数'}
          value={countText(completion.total)}
          note={completion.exempt > 0 ? `其中免测 ${countText(completion.exempt)}` : ''}
        />
        <Tile title={data.source === 'release' ? '实测人数（约）' : '实测人数'} value={countText(completion.tested)} />
        <Tile title="完成率" value={rateText(completion.rate)} note="实测 ÷ 应测" />
        <Tile
          title={earlier ? '需关注（上次发布）' : '需关注'}
          value={result ? countText(result.abnormal) : '—'}
          note={result ? `占有效 ${rateText(result.rate)}` : noResult}
        />
        <Tile
          title={earlier ? '闭环率（上次发布）' : '闭环率'}
          value={rateText(cases?.rate ?? null)}
          note={cases ? `本期个案 ${countText(cases.opened)}` : noResult}
        />
      </section>
      <PlacesPanel places={data.places} />
      <ResultPanel result={result} earlier={earlier} reason={reasonOf(data)} />
      <CasesPanel cases={cases} overdueplaces={data.overdueplaces} reason={reasonOf(data)} />
      <TrendPanel trend={data.trend} />
      <footer className="foot">
        <span>筛查结果不是诊断 · 本屏不显示任何个人信息</span>
        <span>“—” 表示为保护个人信息不显示</span>
      </footer>
    </main>
  );
}

function Tile({ title, value, note = '' }: { title: string; value: string; note?: string }) {
  return (
    <div className="tile">
      <h2>{title}</h2>
      <p className="number">{value}</p>
      <p className="note">{note}</p>
    </div>
  );
}

/** The times of the screen. The clock follows the server, because displays often have a wrong one. */
function Head({ data, isAway }: { data: ScreenData; isAway: boolean }) {
  const [clock, setClock] = useState(data.now);
  useEffect(() => {
    const start = Date.parse(`${data.now.replace(' ', 'T')}Z`);
    const received = performance.now();
    const tell = () => setClock(new Date(start + performance.now() - received).toISOString().slice(0, 19).replace('T', ' '));
    tell();
    const timer = setInterval(tell, 5_000);
    return () => clearInterval(timer);
  }, [data.now]);
  return (
    <header className="head">
      <div>
        <h1>{data.regionname ? `${data.insname} · ${data.regionname}` : data.insname}</h1>
        <p>{['心理健康数据大屏', data.periodname].filter(Boolean).join(' · ')}</p>
      </div>
      <p className="state" role="status">
        {isAway && <b className="away">连接中断，正在重连</b>}
        <span>{data.datatime ? `数据截至 ${data.datatime.slice(0, 16)}` : '还没有数据'}</span>
        {data.outcomename && <span>结果：{data.outcomename}</span>}
      </p>
      <p className="clock">
        <span>{clock.slice(0, 10)}</span>
        <b>{clock.slice(11, 16)}</b>
      </p>
    </header>
  );
}

/** Why there is no result. */
const reasonOf = ({ source, waiting }: ScreenData): string =>
  source === 'rows' || waiting === 0 ? '还没有可以显示的结果' : `结果尚未发布，等待 ${waiting} 家机构`;

function ResultPanel({ result, earlier, reason }: Pick<ScreenData, 'result'> & { earlier: string; reason: string }) {
  const most = Math.max(1, ...(result?.levels ?? []).map((count) => count ?? 0));
  return (
    <section className="panel result" aria-labelledby="result">
      <h2 id="result">
        结果分布 {result && <small>{[earlier, `有效 ${countText(result.valid)} 人`].filter(Boolean).join(' · ')}</small>}
      </h2>
      {!result ? (
        <p className="empty">{reason}</p>
      ) : result.levels.every((count) => count === null) ? (
        <p className="empty">有的程度人数太少，不分列</p>
      ) : (
        <ul className="levels">
          {result.levels.map((count, level) => (
            <li key={OVERALL_LEVELS[level]}>
              <span>{OVERALL_LEVELS[level]}</span>
              <Bar className={`level${level}`} share={(count ?? 0) / most} />
              <b>{countText(count)}</b>
              <em>{count === null || !result.valid ? '' : `${Math.round((count / result.valid) * 1000) / 10}%`}</em>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function TrendPanel({ trend }: Pick<ScreenData, 'trend'>) {
  const chart = useMemo(
    () => ({
      kind: 'line' as const,
      title: trend.title,
      labels: trend.points.map(({ name }) => name),
      series: [{ name: trend.title, values: trend.points.map(({ value }) => value) }],
    }),
    [trend],
  );
  const isEmpty = trend.points.every(({ value }) => !value);
  return (
    <section className="panel trend" aria-labelledby="trend">
      <h2 id="trend">
        {trend.title} <small>单位：{trend.unit}</small>
      </h2>
      {isEmpty ? <p className="empty">这段时间没有数据</p> : <WallChart chart={chart} />}
    </section>
  );
}
