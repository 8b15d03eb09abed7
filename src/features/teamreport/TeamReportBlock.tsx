import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';
import { ReportBlock } from '#blocks/report/ReportBlock.tsx';

/** One block of a group report: a chart, or a block as in reports of one person. `note` says what a chart covers on its full page. */
export function TeamReportBlock({ block, note }: { block: TeamBlock; note: string }) {
  return block.type === 'chart' ? <ChartFrame chart={block.chart} note={note} /> : <ReportBlock block={block} />;
}
