import { shanghaiDate } from '#domain/calendar.ts';
import { checkRows } from '#contract/checkRows.ts';
import type { RowOf, Sheet } from '#contract/column.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { staffSheet } from '#contract/staff.columns.ts';
import type { Staff } from '#server/caller.ts';
import { handle, type Ctx } from '#server/handle.ts';
import { mayArrange, mayGive, ownCodes } from '#server/rights.ts';
import { readSheet } from '#server/sheet/read.ts';
import { SheetRefused } from '#server/sheet/refused.ts';
import { templateOf } from '#server/sheet/template.ts';
import { writeBook } from '#server/sheet/write.ts';
import { findRoles } from '#features/access/role.queries.ts';
import { createUser, validUntil } from '#features/org/createUser.ts';
import { findDepts } from '#features/org/dept.queries.ts';
import { loginName } from '#features/org/user.contract.ts';
import { takenNames } from '#features/org/user.queries.ts';
import * as contract from '#features/org/userSheet.contract.ts';

type Call = Ctx<'staff'> & { caller: Staff };
type StaffRow = RowOf<typeof staffSheet>;
/** Each account costs a password hash; more belong into a second file. */
const limit = 300;

async function tableOf(upload: Upload | undefined) {
  if (!upload) throw problems.missing({ title: '文件' }, { field: 'file' });
  const rows = await readSheet(upload.content, upload.filename).then(
    (read) => read.rows,
    (error: unknown) => {
      throw error instanceof SheetRefused ? problems.fileRefused({ why: error.message }) : error;
    },
  );
  return { rows, filename: upload.filename };
}

/** The sheet against its columns and against the institution: departments, roles the caller may give, login names in use. */
async function inspect(ctx: Call) {
  mayArrange(ctx.caller);
  const { scope, caller, pools, now } = ctx;
  const { rows, filename } = await tableOf(ctx.upload);
  const checked = checkRows(staffSheet as Sheet, { rows }, { today: shanghaiDate(now) });
  if (checked.columns.every((one) => one.state !== 'matched'))
    throw problems.wrongTemplate({ why: '没有找到表头：请使用模板中的列名' });
  if (checked.rows.length === 0) throw problems.wrongTemplate({ why: '文件中没有人员' });
  if (checked.rows.length > limit) throw problems.fileRefused({ why: `一次最多新增 ${limit} 人，请分成几个文件` });
  const depts = new Map((await findDepts(scope, caller.musercode)).map((dept) => [dept.deptname, dept.deptid]));
  const institution = await ownCodes(ctx);
  const roles = new Map((await findRoles(scope, caller.musercode, {})).map((role) => [role.rolename, role]));
  const names = checked.rows.map((row) => String((row.values as Partial<StaffRow>).sysusername ?? ''));
  const taken = await takenNames(pools.authn, names.filter(Boolean));
  const found = checked.rows.map((row) => {
    const values = row.values as Partial<StaffRow>;
    const errors = Object.entries(row.cells).flatMap(([key, cell]) => (cell.error ? [{ key, message: cell.error }] : []));
    const warnings = Object.entries(row.cells).flatMap(([key, cell]) => (cell.warning ? [{ key, message: cell.warning }] : []));
    const name = values.sysusername ?? '';
    const add = (key: string, message: string) => void (errors.some((one) => one.key === key) || errors.push({ key, message }));
    if (name && !loginName.safeParse(name).success) add('sysusername', '登录账号为 2–32 位字母、数字或 _ . - @');
    else if (name && taken.has(name.toLowerCase())) add('sysusername', '该账号已存在');
    else if (names.filter((other) => other.toLowerCase() === name.toLowerCase()).length > 1)
      add('sysusername', '文件中有相同的账号');
    const deptid = values.deptname ? depts.get(values.deptname) : undefined;
    if (values.deptname && deptid === undefined) add('deptname', `没有部门“${values.deptname}”，请先在部门管理中新增`);
    // A role's own name may hold a slash (心理教师/医生), so the whole cell is tried first.
    const wanted = values.rolenames
      ? roles.has(values.rolenames)
        ? [values.rolenames]
        : values.rolenames
            .split(/[、,，;；]/)
            .map((one) => one.trim())
            .filter(Boolean)
      : [];
    for (const rolename of wanted) {
      const role = roles.get(rolename);
      if (!role || role.enabled === 0) add('rolenames', `没有角色“${rolename}”`);
      else if (!mayGive(caller, role, institution)) add('rolenames', `不能授予角色“${rolename}”`);
    }
    const texts = Object.fromEntries(Object.entries(row.cells).map(([key, cell]) => [key, cell.raw]));
    const roleids = wanted.flatMap((rolename) => roles.get(rolename)?.roleid ?? []);
    return { row: row.row, ok: row.ok && errors.length === 0, texts, errors, warnings, values, deptid: deptid ?? null, roleids };
  });
  const missing = checked.columns.some((one) => one.state === 'missing');
  return { filename, checked, rows: missing ? found.map((row) => ({ ...row, ok: false })) : found };
}

const checkUserSheet = handle(contract.checkUserSheet, async (_, ctx) => {
  const { filename, checked, rows } = await inspect(ctx);
  ctx.note({ detail: { filename, rows: rows.length } });
  return {
    filename,
    columns: checked.columns.map(({ head, state }) => ({ head, state })),
    rows: rows.map(({ row, ok, texts, errors, warnings }) => ({ row, ok, texts, errors, warnings })),
    good: rows.filter((row) => row.ok).length,
    bad: rows.filter((row) => !row.ok).length,
  };
});

const importUser = handle(contract.importUser, async ({ skiperror }, ctx) => {
  const { filename, rows } = await inspect(ctx);
  const good = rows.filter((row) => row.ok);
  const failed = rows.length - good.length;
  if (good.length === 0 || (failed > 0 && skiperror === '0')) throw problems.rowsWrong({ bad: failed });
  const created: { row: number; realname: string; sysusername: string; onetime: string }[] = [];
  // One after the other: the hash of each password is the work, and the transaction must not lie idle meanwhile.
  for (const { row, values, deptid, roleids } of good) {
    const { sysusername = '', realname = '' } = values;
    const { onetime } = await createUser(
      ctx,
      {
        sysusername,
        realname,
        deptid,
        phonenumber: values.phonenumber ?? null,
        email: null,
        gender: values.gender ?? null,
        post: values.post ?? null,
        titles: null,
        remark: null,
        duty: values.duty ? 1 : 0,
      },
      roleids,
    );
    created.push({ row, realname, sysusername, onetime });
  }
  ctx.note({ detail: { filename, created: created.length, failed } });
  return { created, failed, validuntil: validUntil(ctx.now) };
});

const exportUserTemplate = handle(contract.exportUserTemplate, async () => ({
  filename: '用户名单模板.xlsx',
  mime: xlsxMime,
  body: writeBook({ sheets: templateOf(staffSheet as Sheet) }),
}));

export const userSheetHandlers = [checkUserSheet, importUser, exportUserTemplate];
