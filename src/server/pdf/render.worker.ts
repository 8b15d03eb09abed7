import { parentPort } from 'node:worker_threads';
import { renderTeamReport, type TeamSheet } from '#server/pdf/team/teamPdf.ts';
import { renderPaperForm, type PaperForm } from '#server/pdf/paper/paperForm.ts';
import { renderReports, type PrintJob } from '#server/pdf/reportPdf.ts';

/** A document to render, and the answer of the thread. */
export type Order = { id: number } & (PrintJob | { team: TeamSheet } | { paper: PaperForm });
export type Reply = { id: number; bytes: Uint8Array<ArrayBuffer>; pages: number } | { id: number; error: string };

const render = (order: Order) => {
  if ('team' in order) return renderTeamReport(order.team);
  return 'paper' in order ? renderPaperForm(order.paper) : renderReports(order);
};

const port = parentPort;
port?.on('message', (order: Order) => {
  render(order).then(
    ({ bytes, pages }) => port.postMessage({ id: order.id, bytes, pages } satisfies Reply, [bytes.buffer]),
    (error: unknown) =>
      port.postMessage({
        id: order.id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies Reply),
  );
});
