import { useEffect, useMemo, useState } from 'react';
import { Bar } from '#console/screen/Bar.tsx';
import { pagesOf } from '#console/screen/pages.ts';
import type { ScreenData } from '#console/screen/useScreenData.ts';
import { countText, rateText } from '#console/screen/words.ts';

/** The lines that the panel has room for at every size of the display: its text grows with it. */
const LINES = 16;
/** So few places get more room each. */
const FEW = 9;
/** A page of places stays for 20 seconds. */
const PAGE_TIME = 20_000;

/** How far the regions and institutions have come. Several pages follow one another. */
export function PlacesPanel({ places }: Pick<ScreenData, 'places'>) {
  const pages = useMemo(() => pagesOf(places, LINES), [places]);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), PAGE_TIME);
    return () => clearInterval(timer);
  }, []);
  const at = pages.length === 0 ? 0 : turn % pages.length;
  const isGrouped = places[0]?.kind === 'group';
  return (
    <section className="panel places" aria-labelledby="places">
      <h2 id="places">
        {isGrouped ? '各年级完成情况' : '各地区和机构完成情况'}
        {pages.length > 1 && (
          <small>
            第 {at + 1} / {pages.length} 页
          </small>
        )}
      </h2>
      {pages.length === 0 ? (
        <p className="empty">还没有机构参与</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{isGrouped ? '年级' : '地区和机构'}</th>
              <th scope="col">完成率</th>
              <th scope="col" className="figure">
                实测 / 应测
              </th>
            </tr>
          </thead>
          <tbody className={places.length <= FEW ? 'roomy' : ''}>
            {pages[at]?.map(({ place, depth, isContinued }) => (
              <tr key={place.key} className={place.kind}>
                <th scope="row" className={`depth${Math.min(depth, 3)}`}>
                  <span>
                    <i>{place.name}</i>
                    {isContinued && <small>续</small>}
                    {place.kind === 'region' && !isContinued && <small>{place.institutions} 家</small>}
                    {place.hasoverdue && !isContinued && <em className="flag">⚑ 有超时</em>}
                  </span>
                </th>
                <td>
                  {place.total > 0 && !isContinued && (
                    <>
                      <Bar share={(place.rate ?? 0) / 100} />
                      <b>{rateText(place.rate)}</b>
                    </>
                  )}
                </td>
                <td className="figure">
                  {isContinued ? '' : place.total > 0 ? `${countText(place.tested)} / ${countText(place.total)}` : '没有任务'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
