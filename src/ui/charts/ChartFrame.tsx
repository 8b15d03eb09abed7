import { Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { paperLook } from '#domain/chart/chartLook.ts';
import { save } from '#ui/api/transfer.ts';
import { csvOf } from '#ui/display/csv.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Picture } from '#ui/charts/Picture.tsx';
import { toPng, toSvg } from '#ui/charts/drawing.ts';
import classes from './charts.module.css';

interface Props {
  title: string;
  /** The same data as rows, for screen readers and readers who prefer numbers. */
  table: ChartTable;
  height: number;
  /** Makes the picture for a width and its colours. */
  option: (look: ChartLook) => ChartOption;
}

/** The width of a downloaded picture in px; a PNG has twice as many dots. */
const FILE_WIDTH = 900;

/** A chart with its data. The table is hidden until the reader opens it; screen readers always have it. */
export function ChartFrame({ title, table, height, option }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [isTable, setIsTable] = useState(false);
  const isEmpty = table.rows.length === 0;
  const saveImage = async (kind: 'svg' | 'png') => {
    const look = paperLook(FILE_WIDTH, 'sans-serif');
    const svg = await toSvg(option(look), look, height, title);
    save(kind === 'png' ? await toPng(svg) : new Blob([svg], { type: 'image/svg+xml' }), `${title}.${kind}`);
  };
  const onImage = (kind: 'svg' | 'png') => () => void saveImage(kind).catch(() => notify.error('图片没有生成，请再试一次'));
  return (
    <figure className={classes['figure']}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <figcaption className={classes['title']}>{title}</figcaption>
        {!isEmpty && (
          <Group gap={4} wrap="nowrap" data-noprint>
            <UnstyledButton className={classes['toggle'] ?? ''} onClick={() => setIsTable(!isTable)}>
              {isTable ? '看图' : '看数据'}
            </UnstyledButton>
            <Menu position="bottom-end">
              <Menu.Target>
                <UnstyledButton className={classes['toggle'] ?? ''} aria-label={`下载：${title}`}>
                  下载
                </UnstyledButton>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={onImage('png')}>图片（PNG）</Menu.Item>
                <Menu.Item onClick={onImage('svg')}>矢量图（SVG）</Menu.Item>
                <Menu.Item onClick={() => save(csvOf([table.heads, ...table.rows]), `${title}.csv`)}>数据（CSV）</Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        )}
      </Group>
      {isEmpty && (
        <Text size="sm" c="dimmed" py="xl" ta="center">
          暂无数据
        </Text>
      )}
      <div ref={ref} hidden={isTable || isEmpty}>
        {width > 0 && <Picture title={title} table={table} width={width} height={height} option={option} />}
      </div>
      <div
        className={isTable ? classes['data'] : classes['unseen']}
        {...(isTable ? { tabIndex: 0, role: 'region', 'aria-label': `${title}的数据` } : {})}
      >
        <table>
          <caption className={classes['unseen']}>{title}</caption>
          <thead>
            <tr>
              {table.heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) =>
                  at === 0 ? (
                    <th key={at} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={at}>{cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
