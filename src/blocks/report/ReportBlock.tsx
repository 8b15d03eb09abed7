import { Table } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { chartOfLine } from '#domain/chart/chartOfLine.ts';
import type { Block } from '#domain/report/report.content.ts';
import { BandBar } from '#ui/charts/BandBar.tsx';
import { FactorChart } from '#ui/charts/FactorChart.tsx';
import { TrendChart } from '#ui/charts/TrendChart.tsx';
import { LevelBadge } from '#ui/display/badges.tsx';
import { Sentence } from '#blocks/report/ResultReason.tsx';
import classes from '#blocks/report/report.module.css';

type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

/** Renders one block of a report (format `rpt/1`) by its type. */
export function ReportBlock({ block }: { block: Block }) {
  switch (block.type) {
    case 'kv':
      return <Pairs block={block} />;
    case 'score':
      return <Score block={block} />;
    case 'radar':
      return <FactorChart title={block.title} axes={block.axes} />;
    case 'line':
      return <ScoreLine block={block} />;
    case 'table':
      return <BlockTable block={block} />;
    case 'text':
      return (
        <>
          {block.title && <h3 className={classes['subtitle']}>{block.title}</h3>}
          <Sentence paragraph={block} />
        </>
      );
    case 'alert':
      return (
        <div className={classes['alert']} role="note">
          <strong>
            <IconAlertTriangle size={18} aria-hidden /> {block.title}
          </strong>
          <ul>
            {block.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
      );
    case 'list':
      return (
        <>
          {block.title && <h3 className={classes['subtitle']}>{block.title}</h3>}
          <ul className={classes['list']}>
            {block.items.map((paragraph) => (
              <li key={paragraph.text}>
                <Sentence paragraph={paragraph} as="span" />
              </li>
            ))}
          </ul>
        </>
      );
  }
}

function Pairs({ block }: { block: BlockOf<'kv'> }) {
  // References and licence texts need a full line.
  const isLong = block.items.some((item) => item.value.length > 36);
  return (
    <>
      {block.title && <h3 className={classes['subtitle']}>{block.title}</h3>}
      <dl className={isLong ? classes['notes'] : classes['pairs']}>
        {block.items.map((item) => (
          <div key={item.label}>
            <dt>{item.label}</dt>
            <dd>{item.value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Score({ block }: { block: BlockOf<'score'> }) {
  const { name, score, level, label, bands, min, max } = block;
  const isGauge = block.scorecode === 'overall';
  const description = `${name}：${score === null ? '' : `${score} 分，`}${label}`;
  return (
    <div className={classes['score']} data-gauge={isGauge || undefined}>
      <div className={classes['scorehead']}>
        <span>{name}</span>
        {score !== null && <strong>{score} 分</strong>}
        <LevelBadge level={level} label={label} />
      </div>
      {bands.length > 0 && (
        <BandBar bands={bands} min={min} max={max} label={description} {...(isGauge || score === null ? { level } : { score })} />
      )}
    </div>
  );
}

function ScoreLine({ block }: { block: BlockOf<'line'> }) {
  return <TrendChart chart={chartOfLine(block)} />;
}

function BlockTable({ block }: { block: BlockOf<'table'> }) {
  return (
    <>
      {block.title && <h3 className={classes['subtitle']}>{block.title}</h3>}
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={block.title ?? '表格'}>
        <Table withRowBorders verticalSpacing={4} fz={13}>
          <Table.Thead>
            <Table.Tr>
              {block.columns.map((column) => (
                <Table.Th key={column} style={{ whiteSpace: 'nowrap' }}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {block.rows.map((row, index) => (
              <Table.Tr key={index}>
                {row.map((value, column) => (
                  <Table.Td key={column} style={String(value ?? '').length <= 10 ? { whiteSpace: 'nowrap' } : undefined}>
                    {value ?? '—'}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}
