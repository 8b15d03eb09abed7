import { gunzipSync, gzipSync } from 'node:zlib';
import { shanghaiDate } from '#domain/calendar.ts';
import { sameName } from '#domain/grades.ts';
import { checkStaged, importLimit, type Staged } from '#contract/importSheet.ts';
import type { Checked } from '#contract/checkRows.ts';
import { headsOf, type Sheet } from '#contract/column.ts';
import type { Upload } from '#contract/file.ts';
import { importSheets } from '#contract/importSheet.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/caller.ts';
import type { Ctx } from '#server/handle.ts';
import { nameFor } from '#server/person.ts';
import { readSheet } from '#server/sheet/read.ts';
import { SheetRefused } from '#server/sheet/refused.ts';
import type { Vault } from '#server/vault.ts';
import type { JobRequest, JobRow } from '#features/team/importJob.queries.ts';
import { fromRoster, fromStudents, numberKey, type Incoming } from '#features/team/rosterRow.ts';
import { planImport, type Plan } from '#features/team/rosterPlan.ts';
import { findKnown } from '#features/team/roster.queries.ts';

/** Rows of people and what undoes an import lie sealed in the job, packed because they are long. */
export const sealed = (vault: Vault, musercode: string, value: unknown): string =>
  vault.seal(musercode, 'job.body', gzipSync(JSON.stringify(value)).toString('base64'));
export const opened = <T>(vault: Vault, musercode: string, text: string): T =>
  JSON.parse(gunzipSync(Buffer.from(vault.open(musercode, 'job.body', text), 'base64')).toString('utf8')) as T;

/** Reads an uploaded sheet into a table; refuses what is no list of people in words. */
export async function tableOf(kind: JobRequest['kind'], upload: Upload | undefined, today: string): Promise<Staged> {
  if (!upload) throw problems.missing({ title: '文件' }, { field: 'file' });
  const rows = await readSheet(upload.content, upload.filename).then(
    (read) => read.rows,
    (error: unknown) => {
      throw error instanceof SheetRefused ? problems.fileRefused({ why: error.message }) : error;
    },
  );
  const checked = checkStaged(kind, { rows, mapping: [] }, today);
  const heads = headsOf(importSheets[kind] as Sheet);
  if (!checked.columns.some((one) => one.state === 'matched'))
    throw problems.wrongTemplate({
      why: `没有找到可以识别的列，请确认第一张工作表的表头包含：${heads.slice(0, 4).join('、')} 等，或下载模板填写`,
    });
  if (checked.rows.length > importLimit)
    throw problems.fileRefused({ why: `一次最多导入 ${importLimit} 行，本文件有 ${checked.rows.length} 行，请分成几个文件` });
  return { rows, mapping: [] };
}

export const bodyOf = (vault: Vault, job: JobRow): Staged => {
  const { body } = job.request as JobRequest;
  if (!body) throw problems.wrongState({ why: '导入内容已超过保存期限，请重新上传文件' });
  return opened<Staged>(vault, job.musercode, body);
};

export interface Inspected {
  checked: Checked<Sheet>;
  plan: Plan;
  incoming: Incoming[];
}

/** Checks a staged table against itself and against the database, and plans what importing it would do. */
export async function inspect(
  ctx: Pick<Ctx, 'scope' | 'vault' | 'now'> & { caller: Staff },
  job: { musercode: string; request: JobRequest },
  staged: Staged,
): Promise<Inspected> {
  const { musercode, request } = job;
  const { kind, appid, year } = request;
  const checked = checkStaged(kind, staged, shanghaiDate(ctx.now));
  const complete = !checked.columns.some((one) => one.state === 'missing');
  const incoming = complete
    ? checked.rows.flatMap((row): Incoming[] =>
        row.ok ? [(kind === 'roster' ? fromRoster : fromStudents)(row.row, row.values as never, { appid, year })] : [],
      )
    : [];
  // A list of pregnant women has no column for what all of them are.
  if (appid === '000000001') for (const row of incoming) row.gender ??= '02';
  const blind = (phone: string) => ctx.vault.blind(musercode, 'cuser.phone', phone);
  const every = (of: (row: Incoming) => string | null | undefined) => [
    ...new Set(incoming.map(of).filter((text): text is string => Boolean(text))),
  ];
  const known = await findKnown(ctx.scope, {
    musercode,
    appid,
    numbers: every((row) => row.number),
    hashes: every((row) => row.phone).map(blind),
    names: every((row) => row.username),
    teamnames: every((row) => row.team && sameName(row.team.teamname)),
    teamcode: request.teamcode,
    staff: every((row) => row.headteacher?.toLowerCase()),
  });
  const plan = planImport(incoming, known, {
    kind,
    createteam: request.createteam === '1',
    into: request.teamcode ? known.teams.find((team) => team.teamcode === request.teamcode) : undefined,
    blind,
    show: (username) => nameFor(ctx.caller, username),
  });
  return { checked, plan, incoming };
}

/** Everything that keeps rows out, by row: what the sheet shows and what the database says. */
export function errorsOf(kind: JobRequest['kind'], { checked, plan }: Inspected) {
  const heads = new Map<string, string>((importSheets[kind] as Sheet).columns.map((one) => [one.key, one.head]));
  const said = plan.remarks
    .filter((one) => one.kind === 'error')
    .map((one) => ({
      row: one.row,
      field: heads.get(one.key) ?? one.key,
      message: `第 ${one.row} 行“${heads.get(one.key) ?? one.key}”${one.message}`,
    }));
  return [...checked.errors, ...said].sort((a, b) => a.row - b.row);
}

/** The check with the database's remarks put at their cells, for the marked sheet. */
export function marked({ checked, plan }: Inspected): Checked<Sheet> {
  const rows = new Map(checked.rows.map((row) => [row.row, row]));
  for (const { row, key, kind, message } of plan.remarks) {
    const at = rows.get(row);
    const cell = at?.cells[key];
    if (!at || !cell || kind !== 'error') continue;
    cell.error = cell.error ? `${cell.error}；${message}` : message;
    at.ok = false;
  }
  return checked;
}

export { numberKey };
