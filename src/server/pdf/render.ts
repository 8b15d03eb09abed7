import { Worker } from 'node:worker_threads';
import type { Order, Reply } from '#server/pdf/render.worker.ts';
import type { PaperForm } from '#server/pdf/paper/paperForm.ts';
import type { PrintJob } from '#server/pdf/reportPdf.ts';
import type { TeamSheet } from '#server/pdf/team/teamPdf.ts';

/** A finished document. */
export interface Printed {
  bytes: Uint8Array<ArrayBuffer>;
  pages: number;
}

/** A document that takes longer is broken off; four pages take a tenth of a second. */
const TIME_LIMIT = 120_000;
/** Without work the thread ends and gives its memory back: the two fonts take 60 MB. */
const IDLE_LIMIT = 60_000;

interface Pending {
  resolve: (printed: Printed) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

let thread: { worker: Worker; pending: Map<number, Pending>; idle?: NodeJS.Timeout | undefined } | undefined;
let lastId = 0;

function openThread(): NonNullable<typeof thread> {
  if (thread) return thread;
  const worker = new Worker(new URL('./render.worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16 },
  });
  const pending = new Map<number, Pending>();
  const opened = { worker, pending };
  const close = (error: Error) => {
    if (thread === opened) thread = undefined;
    for (const { reject, timer } of pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    pending.clear();
  };
  worker.on('message', (reply: Reply) => {
    const waiting = pending.get(reply.id);
    if (!waiting) return;
    pending.delete(reply.id);
    clearTimeout(waiting.timer);
    if ('error' in reply) waiting.reject(new Error(reply.error));
    else waiting.resolve(reply);
    if (pending.size === 0) rest(opened);
  });
  worker.on('error', (error) => close(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => close(new Error('the PDF thread has ended')));
  return (thread = opened);
}

/** Ends the thread when it stays without work. Meanwhile it keeps no process alive. */
function rest(opened: NonNullable<typeof thread>): void {
  opened.worker.unref();
  opened.idle = setTimeout(() => {
    if (opened.pending.size > 0) return;
    if (thread === opened) thread = undefined;
    void opened.worker.terminate();
  }, IDLE_LIMIT).unref();
}

/**
 * Renders a document in a thread of its own, so that other requests do not wait for it. Documents are rendered one after another.
 * A report that cannot be printed rejects.
 */
export const printReports = (job: PrintJob): Promise<Printed> => print(job);

/** Renders a group report in the same thread. */
export const printTeamReport = (team: TeamSheet): Promise<Printed> => print({ team });

/** Renders a blank questionnaire in the same thread. */
export const printPaperForm = (paper: PaperForm): Promise<Printed> => print({ paper });

function print(job: PrintJob | { team: TeamSheet } | { paper: PaperForm }): Promise<Printed> {
  const opened = openThread();
  clearTimeout(opened.idle);
  opened.worker.ref();
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void opened.worker.terminate(), TIME_LIMIT).unref();
    opened.pending.set(id, { resolve, reject, timer });
    opened.worker.postMessage({ id, ...job } satisfies Order);
  });
}
