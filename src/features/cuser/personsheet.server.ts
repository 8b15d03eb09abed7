import { levelName } from '#domain/warning/levels.ts';
import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Appid, Gender, MentalState } from '#domain/base/enums.ts';
import { xlsxMime } from '#contract/file.ts';
import { handle } from '#server/dispatch/handle.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import { findCUsers } from '#features/cuser/cuser.queries.ts';
import * as contract from '#features/cuser/personsheet.contract.ts';

/** Number of rows of one query; after each, the server reports the progress of the export. */
const PAGE_SIZE = 500;

const exportCuserList = handle(contract.exportCuserList, async (filters, { scope, caller, cipher, now, audit, progress }) => {
  const phonehash =
    filters.keyword && /^1\d{10}$/.test(filters.keyword)
      ? cipher.blindIndex(filters.musercode ?? caller.musercode, 'cuser.phone', filters.keyword)
      : undefined;
  const rows: (string | number | null)[][] = [];
  const cuserids: string[] = [];
  // Read all rows now: the request's transaction ends before the server sends the file.
  for (let page = 1, total = 1; cuserids.length < total; page++) {
    const persons = await findCUsers(scope, { ...filters, phonehash, page, pageSize: PAGE_SIZE });
    total = persons.total;
    if (persons.rows.length === 0) break;
    progress(cuserids.length + persons.rows.length, total);
    for (const row of persons.rows) {
      cuserids.push(row.cuserid);
      rows.push([
        row.username,
        row.studentno,
        Gender.label(row.gender),
        row.birthday ? ageOn(row.birthday, now) : null,
        row.birthday,
        Appid.label(row.appid),
        row.belongs,
        row.phonesealed && cipher.decrypt(row.musercode, 'cuser.phone', row.phonesealed),
        MentalState.label(row.mentalstate),
        row.riskflag ? levelName(row.riskflag, caller.sector) : '',
        row.focus ? '是' : '否',
        row.examcount,
        row.lastexamtime ? shanghaiTime(row.lastexamtime) : '',
        row.ownername ?? '',
        row.insname,
        shanghaiTime(row.createtime),
      ]);
    }
  }
  audit({ cuserids, detail: { filters, rows: rows.length } });
  return {
    filename: `受测者_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '受测者',
      heads: contract.personColumns,
      reader: caller,
      rows,
      note: `${caller.name} 于 ${shanghaiTime(now)} 导出，共 ${rows.length} 人。含个人信息，请妥善保管`,
      properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) },
    }),
  };
});

export const personsheetHandlers = [exportCuserList];
