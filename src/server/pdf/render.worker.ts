import { parentPort } from 'node:worker_threads';
import { renderTeamReport, type TeamSheet } from '#server/pdf/team/teamPdf.ts';
import { renderReports, type PrintJob } from '#server/pdf/reportPdf.ts';

/** A document to render, and the answer of the thread. */
export type Order = { id: number } & (PrintJob | { team: TeamSheet });
export type Reply = { id: number; bytes: Uint8Array<ArrayBuffer>; pages: number } | { id: number; error: string };

const port = parentPort;
port?.on('message', (order: Order) => {
  ('team' in order ? renderTeamReport(order.team) : renderReports(order)).then(
    ({ bytes, pages }) => port.postMessage({ id: order.id, bytes, pages } satisfies Reply, [bytes.buffer]),
    (error: unknown) =>
      port.postMessage({
        id: order.id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      } satisfies Reply),
  );
});
