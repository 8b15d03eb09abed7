import { Popover, Table, Text, UnstyledButton } from '@mantine/core';
import type { Paragraph } from '#domain/report/report.content.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';
import paper from '#features/report/report.module.css';

/** A sentence; its reason opens beside it. */
function Sentence({ paragraph: { text, because = [] } }: { paragraph: Paragraph }) {
  return (
    <span className={paper['sentence']}>
      {text}
      {because.length > 0 && (
        <Popover position="top-start" withArrow width={320} shadow="md">
          <Popover.Target>
            <UnstyledButton className={paper['because'] ?? ''} aria-label={`依据：${because.join('；')}`} data-noprint>
              依据
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown data-noprint>
            <Text size="sm">{because.join('；')}</Text>
          </Popover.Dropdown>
        </Popover>
      )}
    </span>
  );
}

function BlockTable({ block }: { block: Extract<TeamBlock, { type: 'table' }> }) {
  return (
    <div className={paper['scroll']} tabIndex={0} role="region" aria-label={block.title ?? '表格'} style={{ marginBottom: 10 }}>
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
  );
}

/** One block of a group report. `note` says what its charts cover on their full page. */
export function TeamReportBlock({ block, note }: { block: TeamBlock; note: string }) {
  if (block.type === 'chart') return <ChartFrame chart={block.chart} note={note} />;
  return (
    <>
      {block.title && <h3 className={paper['subtitle']}>{block.title}</h3>}
      {block.type === 'kv' && (
        <dl className={paper['pairs']}>
          {block.items.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {block.type === 'table' && <BlockTable block={block} />}
      {block.type === 'text' && (
        <p style={{ margin: '0 0 8px' }}>
          <Sentence paragraph={block} />
        </p>
      )}
      {block.type === 'list' && (
        <ul className={paper['list']}>
          {block.items.map((item) => (
            <li key={item.text}>
              <Sentence paragraph={item} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
