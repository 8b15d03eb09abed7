import { Menu, UnstyledButton } from '@mantine/core';
import { heightOf, optionOf, tableOf, type Chart } from '#domain/chart/chart.ts';
import { paperLook } from '#domain/chart/chartLook.ts';
import { save } from '#ui/api/transfer.ts';
import { csvOf } from '#ui/display/csv.ts';
import { notify } from '#ui/feedback/notify.ts';
import { toPng, toSvg } from '#ui/charts/drawing.ts';
import classes from './charts.module.css';

/** The width of a downloaded picture in px; a PNG has twice as many dots. */
const FILE_WIDTH = 900;

/** The menu that downloads a chart as picture or as data. */
export function ChartDownloads({ chart }: { chart: Chart }) {
  const { title } = chart;
  const saveImage = async (kind: 'svg' | 'png') => {
    const look = paperLook(FILE_WIDTH, 'sans-serif');
    const svg = await toSvg(optionOf(chart, look), look, heightOf(chart), title);
    save(kind === 'png' ? await toPng(svg) : new Blob([svg], { type: 'image/svg+xml' }), `${title}.${kind}`);
  };
  const onImage = (kind: 'svg' | 'png') => () => void saveImage(kind).catch(() => notify.error('图片没有生成，请再试一次'));
  const saveData = () => {
    const { heads, rows } = tableOf(chart);
    save(csvOf([heads, ...rows]), `${title}.csv`);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes['toggle'] ?? ''} aria-label={`下载：${title}`}>
          下载
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onImage('png')}>图片（PNG）</Menu.Item>
        <Menu.Item onClick={onImage('svg')}>矢量图（SVG）</Menu.Item>
        <Menu.Item onClick={saveData}>数据（CSV）</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
