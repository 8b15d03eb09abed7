import type { ContentRef } from '#domain/content/recommend.ts';
import type { Block, Paragraph, ReportContent } from '#domain/report/report.content.ts';
import { PageFrame } from '#respondent/PageFrame.tsx';
import type { CallResponse } from '#respondent/api/api.ts';

type Report = CallResponse<'getOwnReport'>;

/** Lists the respondent's own reports in the server's order, newest first. */
export function ReportsPage({
  reports,
  read,
  back,
}: {
  reports: CallResponse<'getOwnReports'>;
  read: (reportcode: string) => void;
  back: () => void;
}) {
  return (
    <PageFrame heading="我的报告">
      {reports.length === 0 && <p>现在没有可以查看的报告。</p>}
      <ul className="tasks">
        {reports.map(({ reportcode, title, createtime }) => (
          <li key={reportcode} className="card">
            <h2>{title}</h2>
            <p className="quiet">{createtime.slice(0, 10)}</p>
            <button type="button" className="primary" onClick={() => read(reportcode)}>
              查看
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={back}>
        返回
      </button>
    </PageFrame>
  );
}

/** Opens an article, music or a course that the report recommends. */
type OpenContent = (content: ContentRef) => void;

/**
 * Shows a report in the respondent's version, as the blocks of `rpt/1`. It never draws blocks for staff, even if they were sent. Without
 * `open`, the titles of recommended contents are plain text.
 */
export function ReportPage({ report, back, open }: { report: Report; back: () => void; open?: OpenContent | undefined }) {
  const content = report.content as Partial<ReportContent> | null;
  return (
    <PageFrame heading={report.title}>
      {content?.disclaimer && <p className="recall">{content.disclaimer}</p>}
      {(content?.sections ?? []).map((section) => (
        <section key={section.key} className="card prose">
          <h2>{section.title}</h2>
          {section.blocks.map((block, index) => (
            <BlockView key={index} block={block} open={open} />
          ))}
        </section>
      ))}
      <button type="button" onClick={back}>
        返回
      </button>
    </PageFrame>
  );
}

const share = (value: number, min: number, max: number) => `${max > min ? Math.round(((value - min) / (max - min)) * 100) : 0}%`;

function BlockView({ block, open }: { block: Block; open: OpenContent | undefined }) {
  switch (block.type) {
    case 'text':
      return (
        <>
          {block.title && <h3>{block.title}</h3>}
          <p>{block.text}</p>
        </>
      );
    case 'list':
      return (
        <>
          {block.title && <h3>{block.title}</h3>}
          <ul>
            {block.items.map((item, index) => (
              <li key={index}>
                <ItemView item={item} open={open} />
              </li>
            ))}
          </ul>
        </>
      );
    case 'kv':
      return (
        <>
          {block.title && <h3>{block.title}</h3>}
          <dl>
            {block.items.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      );
    case 'score': {
      const isKnown = block.score !== null && block.min !== null && block.max !== null;
      return (
        <div className="score">
          <p>
            <b>{block.name}</b> <span className="label">{block.label}</span>
            {block.score !== null && <span> {block.score} 分</span>}
          </p>
          {isKnown && (
            <div className="bar" role="img" aria-label={`${block.min} 到 ${block.max} 分中的 ${block.score} 分`}>
              <span style={{ width: share(block.score ?? 0, block.min ?? 0, block.max ?? 1), background: block.colour }} />
            </div>
          )}
        </div>
      );
    }
    case 'radar':
      return (
        <Table
          title={block.title}
          columns={['方面', '得分']}
          rows={block.axes.map(({ name, value, max }) => [name, `${value} / ${max}`])}
        />
      );
    case 'line':
      return (
        <Table
          title={block.title}
          columns={['时间', '得分']}
          rows={block.points.map(({ label, time, score }) => [label || time, score])}
        />
      );
    case 'table':
      return <Table title={block.title} columns={block.columns} rows={block.rows} />;
    default:
      return null;
  }
}

/** A line of a list. The title of a content that is on the shelf opens it. */
function ItemView({ item: { text, content }, open }: { item: Paragraph; open: OpenContent | undefined }) {
  if (!content || !open) return text;
  return (
    <button type="button" className="link" onClick={() => open(content)}>
      {text}
    </button>
  );
}

function Table({
  title,
  columns,
  rows,
}: {
  title?: string | undefined;
  columns: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={title ?? '表格'}>
      <table>
        {title && <caption>{title}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
