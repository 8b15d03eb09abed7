import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { optionOf, tableOf, type Chart } from '#domain/chart/chart.ts';
import { paperLook, type ChartLook } from '#domain/chart/chartLook.ts';
import { loadCharts } from '#ui/charts/drawing.ts';

const FONT = 'system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif';
/** The colours of screen.css. */
const wallLook = (width: number): ChartLook => ({
  ...paperLook(width, FONT),
  ink: '#eef3f0',
  inkSoft: '#b9c4be',
  line: '#33403a',
  surface: '#161d1a',
  brand: '#7ccba0',
  series: ['#7ccba0', '#8fb8e8', '#f0c45c'],
});
/** Charts have text of 12 px for a reader at a desk. A wall is enlarged as a whole, so that its labels have 1.125 rem. */
const LABEL_REM = 1.125;
const LABEL_PX = 12;

/** A chart of the wall. It fills its box, and its rows stand beside it for screen readers. */
export function WallChart({ chart }: { chart: Chart }) {
  const box = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<ReturnType<Awaited<ReturnType<typeof loadCharts>>['init']>>();
  const [size, setSize] = useState({ width: 0, height: 0, scale: 1 });

  useLayoutEffect(() => {
    const outer = box.current?.parentElement;
    if (!outer) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const scale = (LABEL_REM * rem) / LABEL_PX;
      setSize({ width: outer.clientWidth / scale, height: outer.clientHeight / scale, scale });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: typeof drawing;
    const load = () =>
      loadCharts().then(
        ({ init }) => {
          if (isGone || !box.current) return;
          current = init(box.current, null, { renderer: 'svg', width: 100, height: 100 });
          setDrawing(current);
        },
        // Nobody touches the display, so it tries again by itself.
        () => (timer = setTimeout(() => void load(), 30_000)),
      );
    void load();
    return () => {
      isGone = true;
      clearTimeout(timer);
      current?.dispose();
    };
  }, []);

  useLayoutEffect(() => {
    if (!drawing || drawing.isDisposed() || size.width < 1) return;
    drawing.resize({ width: size.width, height: size.height });
    drawing.setOption({ ...optionOf(chart, wallLook(size.width)), tooltip: { show: false } }, { notMerge: true });
  }, [drawing, size, chart]);

  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.style.width = `${size.width}px`;
    box.current.style.height = `${size.height}px`;
    box.current.style.transform = `scale(${size.scale})`;
  }, [size]);

  const { heads, rows } = tableOf(chart);
  return (
    <>
      <div className="picture" aria-hidden="true">
        <div ref={box} className="drawing" />
      </div>
      <table className="hidden">
        <caption>{chart.title}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th>{name}</th>
              {cells.map((cell, at) => (
                <td key={heads[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
