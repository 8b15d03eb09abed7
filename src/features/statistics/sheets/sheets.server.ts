import { shanghaiTime } from '#domain/base/calendar.ts';
import { gradeOf } from '#domain/person/grades.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { toCallerFilters } from '#features/statistics/callerFilters.ts';
import * as contract from '#features/statistics/sheets/sheets.contract.ts';
import { findStatisticSheets } from '#features/statistics/sheets/sheets.queries.ts';

const getStatisticSheetPageList = handle(contract.getStatisticSheetPageList, async (input, { scope, caller, audit }) => {
  const { total, rows } = await findStatisticSheets(scope, toCallerFilters(caller, input));
  // The list names persons with their results, so reading it leaves a trace.
  const { page: _page, pageSize: _pageSize, ...filters } = input;
  audit({ cuserids: [...new Set(rows.map(({ cuserid }) => cuserid))], detail: { filters } });
  return {
    total,
    rows: rows.map(({ gradecode, gradename, classname, ...row }) => ({
      ...row,
      username: displayName(caller, row.username),
      belongs: [gradeOf(gradecode ?? '')?.name ?? gradename, classname].filter(Boolean).join(' '),
      taskname: row.taskname ?? '',
      submittime: shanghaiTime(row.submittime),
      // Without the guardian's consent a sheet has no result yet; a doubtful one shows none.
      ...(row.sheetstate === 'valid' ? {} : { overalllevel: null, mentalstate: null }),
      ...(row.sheetstate === 'withheld' ? { reportcode: null } : {}),
    })),
  };
});

export const statisticSheetHandlers = [getStatisticSheetPageList];
