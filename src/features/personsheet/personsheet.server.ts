import { levelName } from '#domain/warning/levels.ts';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Appid, EduPhase, Gender, MentalState } from '#domain/base/enums.ts';
import { archiveFieldsOf, type ArchiveFieldDef, type ArchiveValue } from '#domain/person/archive.ts';
import { archiveValueText } from '#domain/person/ownFields.ts';
import { xlsxMime } from '#contract/file.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { asofWords } from '#server/export/asof.ts';
import { countProgress, groupRows, inChunks } from '#server/export/inChunks.ts';
import { spool } from '#server/export/spool.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { writeWorkbook, type ExportCell, type ExportSheet } from '#server/workbook/write.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { findOwnColumns, type OwnColumns } from '#features/archive/ownColumns.ts';
import * as contract from '#features/personsheet/personsheet.contract.ts';
import * as queries from '#features/personsheet/personsheet.queries.ts';

type StaffContext = Context<'staff'>;
type Filters = Omit<queries.SheetFilters, 'appids' | 'phonehashes' | 'today' | 'own'>;

/** The words of the template for the relation of a guardian, and for the populations of template C. */
const RELATIONS: Readonly<Record<string, string>> = { '01': '父亲', '02': '母亲', '03': '其他监护人' };
const POPULATIONS: Readonly<Record<string, string>> = {
  [Appid.workers]: '高压职业',
  [Appid.elders]: '中老年',
  [Appid.custom]: '通用',
};

/** A value of the archive as the template writes it. */
function detailText(field: ArchiveFieldDef | undefined, value: ArchiveValue | undefined): ExportCell {
  if (value === undefined || value === null || value === '') return null;
  if (field?.kind === 'yesno') return Number(value) === 1;
  return field?.kind === 'integer' ? Number(value) : archiveValueText(field, value);
}

/** The own fields that are columns of the export. */
const exportedOf = (own: OwnColumns, appid: string) => own.fieldsOf(appid).filter((field) => field.isExported !== false);

/** The whole cells of a row; the rules of the columns cover what the caller may not read. */
function toCells(row: queries.PersonSheetRow, own: OwnColumns, { caller, cipher }: StaffContext): ExportCell[] {
  const detail = (code: string) =>
    detailText(
      archiveFieldsOf[row.appid]?.find((field) => field.code === code),
      row.detail[code],
    );
  const open = (sealed: string | null) => sealed && cipher.decrypt(row.musercode, 'cuser.phone', sealed);
  const phone = open(row.phonesealed);
  const gender = row.gender === '00' ? '' : Gender.label(row.gender);
  const guardian = [row.guardianname, row.guardianrelation && RELATIONS[row.guardianrelation], open(row.guardianphonesealed)];
  const keys = [row.cuserid, row.archiveno];
  const state = [
    ...exportedOf(own, row.appid).map((field) =>
      row.musercode === own.musercode ? detailText(field, row.detail[field.code]) : null,
    ),
    MentalState.label(row.mentalstate),
    row.riskflag ? levelName(row.riskflag, caller.sector) : '',
    row.focus === 1,
    row.examcount,
    row.lastexamtime && shanghaiTime(row.lastexamtime),
    row.ownername,
    row.insname,
    shanghaiTime(row.createtime),
  ];
  switch (row.appid) {
    case Appid.students:
      return [
        ...keys,
        row.studentno,
        row.username,
        gender,
        row.birthday,
        EduPhase.label(row.eduphase),
        row.gradename,
        row.classname,
        ...['college', 'dorm', 'boarding', 'leftbehind'].map(detail),
        phone,
        ...guardian,
        row.owneraccount,
        detail('remark'),
        ...state,
      ];
    case Appid.maternity:
      return [
        ...keys,
        row.username,
        phone,
        row.birthday,
        row.lmpdate,
        row.edcdate,
        ...['gravidity', 'parity', 'checkupno', 'highrisk'].map(detail),
        row.deliverydate,
        ...['deliverymode', 'bookhospital'].map(detail),
        guardian[0],
        guardian[2],
        detail('remark'),
        ...state,
      ];
    default:
      return [
        ...keys,
        POPULATIONS[row.appid],
        row.username,
        gender,
        row.birthday,
        phone,
        row.employeeno,
        row.unitname,
        ...[
          'deptname',
          'post',
          'jobtype',
          'workyears',
          'shiftwork',
          'livewith',
          'chronic',
          'caregivername',
          'caregiverphone',
        ].map(detail),
        detail('remark'),
        ...state,
      ];
  }
}

const findKeys = (filters: Filters, own: OwnColumns, { scope, caller, cipher, now }: StaffContext) =>
  queries.findArchiveKeys(scope, {
    ...filters,
    own,
    today: shanghaiDate(now),
    appids: permittedPopulations(caller, filters.appid),
    phonehashes: /^1\d{10}$/.test(filters.keyword ?? '')
      ? cipher.blindIndexes(filters.musercode ?? caller.musercode, 'cuser.phone', filters.keyword as string)
      : undefined,
  });

const exportCuserList = handle(
  contract.exportCuserList,
  async ({ approvalid, ...filters }, ctx) => {
    const { scope, caller, now } = ctx;
    const own = await findOwnColumns(ctx, filters);
    const keys = await findKeys(filters, own, ctx);
    const cuserids = [...new Set(keys.map((key) => key.cuserid))];
    const { minors } = await requireApproval(ctx, 'as.m.cuser.exportCuserList', filters, approvalid, cuserids, {
      isSingleFree: true,
    });
    const onRead = countProgress(ctx.progress, keys.length);
    const toSheet = (appid: string, archives: readonly queries.ArchiveKey[]): ExportSheet => ({
      name: Appid.label(appid),
      heads: contract.personColumnsOf(appid, exportedOf(own, appid)),
      reader: caller,
      rows: cellsOf(archives),
      note: `${caller.name} 于 ${shanghaiTime(now)} 导出${asofWords(ctx)}，${Appid.label(appid)}共 ${archives.length} 人。含个人信息，请妥善保管`,
    });
    async function* cellsOf(archives: readonly queries.ArchiveKey[]) {
      const ids = archives.map((key) => key.archiveid);
      for await (const row of inChunks(ids, (chunk) => queries.findPersonRows(scope, chunk), onRead))
        yield toCells(row, own, ctx);
    }
    const groups = [...groupRows(keys, (key) => key.appid)];
    const sheets = groups.map(([appid, archives]) => toSheet(appid, archives));
    if (sheets.length === 0) sheets.push(toSheet(filters.appid ?? Appid.students, []));
    ctx.audit({ cuserids, minors: minors > 0, detail: { filters, rows: keys.length, approvalid } });
    return {
      filename: `受测者_${shanghaiDate(now)}.xlsx`,
      mime: xlsxMime,
      body: await spool(writeWorkbook({ sheets, properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) } })),
    };
  },
  { readsReplica: true },
);

export const personsheetHandlers = [exportCuserList];

/** The export of this feature that may need an approval. */
export const personsheetSubjects = {
  'as.m.cuser.exportCuserList': exportSubject(contract.exportCuserList, async (filters, ctx) =>
    (await findKeys(filters, await findOwnColumns(ctx, filters), ctx)).map((key) => key.cuserid),
  ),
};
