import { addDays, shanghaiDate, shanghaiTime } from '#domain/calendar.ts';
import type { Sheet } from '#contract/column.ts';
import { xlsxMime } from '#contract/file.ts';
import type { Effect, ImportCounts, ImportVerdict } from '#contract/importJob.ts';
import { applyEdits, importSheets, type Edit, type ImportKind, type Mapping, type Staged } from '#contract/importSheet.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import type { Ctx, ReadContext } from '#server/handle.ts';
import { templateOf } from '#server/sheet/template.ts';
import { writeBook } from '#server/sheet/write.ts';
import * as jobs from '#features/job/importJob.queries.ts';
import type { ImportRequest, JobRow } from '#features/job/importJob.queries.ts';
import {
  bodyOf,
  earlier,
  errorsOf,
  keepReceipt,
  keptSince,
  opened,
  receipt,
  sealed,
  tableOf,
  undoable,
  undoDays,
  type Found,
} from '#features/job/importJob.ts';

type Call = Ctx<'staff'>;
type Noted = Parameters<Call['note']>[0];

/** A staged table as the institution sees it: what is wrong with it, and what becomes of each row without errors. */
export interface Inspected extends Found {
  effects: ReadonlyMap<number, Effect>;
}

/** The types in which one kind of import differs from another. */
export interface ImportParts {
  /** what an upload is asked with, beside the file */
  asked: object;
  /** what the job keeps */
  request: ImportRequest;
  found: Inspected;
  verdict: ImportVerdict;
  /** what is shown of an import, beside what all have */
  shown: object;
  /** what it came to, beside the counts all have */
  result: object;
  undo: unknown;
  /** what taking it back answers */
  undone: object;
}

export type ImportJob<P extends ImportParts> = JobRow & { request: P['request'] };

/** How one kind of import differs from another. Everything else is `importSteps`. */
export interface ImportOf<P extends ImportParts> {
  kinds: readonly P['request']['kind'][];
  /** Refuses whoever may not add anything in this way. */
  mayAdd: (caller: Staff) => void;
  /** Refuses whoever may not open this one of their imports, or any, when there is none of that number. */
  mayOpen: (caller: Staff, job: ImportJob<P> | undefined) => void;
  /** The institution it is for, and what the job keeps beside the file. */
  begin: (ctx: Call, asked: P['asked']) => Promise<{ musercode: string; request: Omit<P['request'], 'filename' | 'body'> }>;
  inspect: (ctx: ReadContext<'staff'>, job: Pick<ImportJob<P>, 'musercode' | 'request'>, staged: Staged) => Promise<P['found']>;
  verdict: (found: P['found']) => P['verdict'];
  /** Said of an import that was carried out, where checking it again would find nothing but what it added itself. */
  settled?: P['verdict'];
  shown: (request: P['request']) => P['shown'];
  /** Its part of the result when nothing was done, and in place of what is told only once. */
  blank: P['result'];
  /** Adds the good rows. `kept` is answered whenever the result is asked for again, `told` this once and nowhere kept. */
  carryOut: (
    ctx: Call,
    job: ImportJob<P>,
    found: P['found'],
  ) => Promise<{ kept: Partial<P['result']>; told?: Partial<P['result']>; undo: P['undo']; noted: Noted }>;
  /** Why it cannot be taken back, in words. */
  obstacle: (ctx: Call, importid: string, undo: P['undo']) => Promise<string | undefined>;
  takeBack: (ctx: Call, importid: string, undo: P['undo']) => Promise<{ answer: P['undone']; noted: Noted }>;
  /** Rows it added that are in their own way when the sheet is checked again: no errors of the file. */
  addedRows?: (undo: P['undo']) => readonly number[];
}

/** What the database says of a table, on the wire. */
export const importVerdictOf = ({ remarks, effects }: Inspected): ImportVerdict => ({
  remarks: [...remarks],
  effects: Object.fromEntries([...effects].map(([row, effect]) => [String(row), effect])),
});

/** The empty sheet of a kind, with its explanations. */
export function importTemplate(kind: ImportKind) {
  const sheet = importSheets[kind] as Sheet;
  return { filename: `${sheet.name}模板.xlsx`, mime: xlsxMime, body: writeBook({ sheets: templateOf(sheet) }) };
}

/**
 * The steps every import goes, whatever it brings: the sheet is checked and kept, mended in the grid, carried out once, answered by a
 * marked sheet, and can be taken back for a day. Rows and what undoes them lie sealed in the job; secrets are never kept.
 */
export function importSteps<P extends ImportParts>(of: ImportOf<P>) {
  type Job = ImportJob<P>;
  type Result = ImportCounts & P['result'];
  interface Stored {
    answer: ImportCounts & Partial<P['result']>;
    undo?: string;
  }
  const storedOf = (job: Job) => job.result as Stored | null;
  const resultOf = ({ answer }: Stored, told?: Partial<P['result']>): Result => ({ ...of.blank, ...answer, ...told });

  /** Reads the upload and keeps it as a job of the caller. */
  async function stage(ctx: Call, asked: P['asked']): Promise<{ job: Job; staged: Staged }> {
    const { scope, caller, vault, now, upload } = ctx;
    const { accountid } = caller;
    of.mayAdd(caller);
    const { musercode, request: begun } = await of.begin(ctx, asked);
    const staged = await tableOf(begun.kind, upload, shanghaiDate(now));
    const filename = (upload?.filename ?? '').slice(0, 120);
    const request: P['request'] = { ...begun, filename, body: sealed(vault, musercode, staged) };
    await jobs.forgetBodies(scope, accountid, keptSince(now));
    const job = await jobs.addJob(scope, { musercode, accountid, request, total: staged.rows.length, createtime: now });
    ctx.note({ objectid: job.jobid, detail: { filename, rows: staged.rows.length } });
    return { job: { ...job, request }, staged };
  }

  async function jobOf({ scope, caller }: Pick<Call, 'scope' | 'caller'>, importid: string, lock = false): Promise<Job> {
    const found = await jobs.findJob(scope, importid, caller.accountid, of.kinds, lock);
    const job = found && { ...found, request: found.request as P['request'] };
    of.mayOpen(caller, job);
    if (!job) throw problems.notFound({ what: '导入' });
    return job;
  }

  async function shown(ctx: ReadContext<'staff'>, job: Job, staged: Staged) {
    const stored = storedOf(job);
    return {
      importid: job.jobid,
      filename: job.request.filename,
      createtime: shanghaiTime(job.createtime),
      rows: staged.rows as string[][],
      mapping: staged.mapping as (string | null)[],
      today: shanghaiDate(ctx.now),
      ...of.shown(job.request),
      verdict: (stored && of.settled) ?? of.verdict(await of.inspect(ctx, job, staged)),
      result: stored && resultOf(stored),
      undone: job.undonetime !== null,
    };
  }

  /** Carries a job out once. `refused` when no row is good, or when some are not and only all or nothing was allowed. */
  async function attempt(
    ctx: Call,
    importid: string,
    skiperror: boolean,
  ): Promise<{ result: Result } | { refused: Result; marked: () => Promise<string> }> {
    const { scope, vault, now } = ctx;
    const job = await jobOf(ctx, importid, true);
    if (job.status === 2) return { result: resultOf(storedOf(job) as Stored) };
    of.mayAdd(ctx.caller);
    await jobs.oneAtATime(scope, job.musercode);
    const staged = bodyOf(vault, job);
    const found = await of.inspect(ctx, job, staged);
    const errors = errorsOf(job.request.kind, found);
    const total = found.checked.rows.length;
    const success = found.effects.size;
    const failed = total - success;
    const marked = () => keepReceipt(ctx, job.request, staged, found);
    const counts = { importid, total, failed, errors: errors.slice(0, 1000) };
    if (success === 0 || (errors.length > 0 && !skiperror))
      return { refused: { ...of.blank, ...counts, success: 0, errorfileurl: '', undountil: '' }, marked };

    const { kept, told, undo, noted } = await of.carryOut(ctx, job, found);
    const undountil = addDays(now, undoDays);
    const errorfileurl = failed > 0 ? await marked() : '';
    const stored: Stored = {
      answer: { ...counts, success, ...kept, errorfileurl, undountil: shanghaiTime(undountil) },
      undo: sealed(vault, job.musercode, undo),
    };
    await jobs.finishJob(scope, importid, { result: stored, progress: success, finishtime: now, undountil });
    const { filename } = job.request;
    ctx.note({ objectid: importid, ...noted, detail: { filename, total, success, failed, ...noted.detail } });
    return { result: resultOf(stored, told) };
  }

  return {
    /** An import of the caller's that they may open; `lock` holds it until the transaction ends. 130001 where there is none. */
    jobOf,
    /** What undoes it: undefined before it was carried out, and when it is no longer kept. */
    undoOf: ({ vault }: Pick<Call, 'vault'>, job: Job): P['undo'] | undefined => {
      const undo = storedOf(job)?.undo;
      return undo === undefined ? undefined : opened<P['undo']>(vault, job.musercode, undo);
    },

    check: async (ctx: Call, asked: P['asked']) => {
      const { job, staged } = await stage(ctx, asked);
      return shown(ctx, job, staged);
    },
    get: async (ctx: ReadContext<'staff'>, importid: string) => {
      const job = await jobOf(ctx, importid);
      return shown(ctx, job, bodyOf(ctx.vault, job));
    },
    list: async ({ scope, caller, now }: ReadContext<'staff'>, kinds: readonly P['request']['kind'][] = of.kinds) =>
      (await jobs.listJobs(scope, caller.accountid, kinds, keptSince(now))).map(earlier<P['request']['kind']>),

    /** Keeps edits of the grid, and with `change` how the sheet is read. */
    save: async (
      ctx: Call,
      {
        importid,
        edits,
        removed,
        mapping,
      }: { importid: string; edits: Edit[]; removed: number[]; mapping?: Mapping | undefined },
      change: Partial<P['request']> = {},
    ) => {
      const job = await jobOf(ctx, importid, true);
      if (job.status === 2) throw problems.wrongState({ why: '该名单已经导入，不能再修改' });
      const held = bodyOf(ctx.vault, job);
      const staged = applyEdits(job.request.kind, mapping ? { ...held, mapping } : held, edits, removed);
      const request: P['request'] = { ...job.request, ...change, body: sealed(ctx.vault, job.musercode, staged) };
      const found = await of.inspect(ctx, { musercode: job.musercode, request }, staged);
      await jobs.changeJob(ctx.scope, importid, request, found.checked.rows.length);
      ctx.note({ objectid: importid, detail: { edits: edits.length, removed: removed.length } });
      return of.verdict(found);
    },

    /** Refused with what is wrong, rows first, when it may not be carried out. */
    commit: async (ctx: Call, { importid, skiperror }: { importid: string; skiperror: '0' | '1' }) => {
      const done = await attempt(ctx, importid, skiperror === '1');
      if ('result' in done) return done.result;
      const { failed, errors } = done.refused;
      throw problems.rowsWrong({ bad: failed }, { data: { failed, errors: errors.slice(0, 50) } });
    },
    /** Check and import in one: what may not be carried out is answered with the marked sheet. */
    upload: async (ctx: Call, skiperror: '0' | '1', asked: P['asked']): Promise<Result> => {
      const { job } = await stage(ctx, asked);
      const done = await attempt(ctx, job.jobid, skiperror === '1');
      return 'result' in done ? done.result : { ...done.refused, errorfileurl: await done.marked() };
    },

    undo: async (ctx: Call, importid: string) => {
      const { scope, now, vault } = ctx;
      const job = await jobOf(ctx, importid, true);
      const kept = undoable(job, storedOf(job)?.undo, now);
      await jobs.oneAtATime(scope, job.musercode);
      const undo = opened<P['undo']>(vault, job.musercode, kept);
      const why = await of.obstacle(ctx, importid, undo);
      if (why) throw problems.inUse({ why });
      const { answer, noted } = await of.takeBack(ctx, importid, undo);
      await jobs.markUndone(scope, importid, now);
      ctx.note({ objectid: importid, ...noted });
      return answer;
    },

    errors: async (ctx: Call, importid: string) => {
      const job = await jobOf(ctx, importid);
      const staged = bodyOf(ctx.vault, job);
      const found = await of.inspect(ctx, job, staged);
      const kept = of.addedRows && storedOf(job)?.undo;
      const added = new Set(kept ? of.addedRows?.(opened<P['undo']>(ctx.vault, job.musercode, kept)) : []);
      ctx.note({ objectid: importid });
      return receipt(job.request, staged, { ...found, remarks: found.remarks.filter((one) => !added.has(one.row)) });
    },
  };
}
