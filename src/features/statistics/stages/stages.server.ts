import { ageOn, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { describePregnancy } from '#domain/person/gestation.ts';
import { coverageOf, type StageCoverage } from '#domain/person/stage.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import { findStageNames, type DueRow } from '#features/archive/archive.queries.ts';
import { findStageFacts } from '#features/archive/judgeDue.ts';
import * as contract from '#features/statistics/stages/stages.contract.ts';

interface Input {
  appid: string;
  musercode?: string | undefined;
  begindate?: string | undefined;
  enddate?: string | undefined;
}
type Covered = StageCoverage & { row: DueRow; isMissed: boolean };

/** The stages that were due for the persons in care of an institution. */
async function findCoverage({ scope, caller, now }: ReadContext<'staff'>, input: Input): Promise<Covered[]> {
  permittedPopulations(caller, input.appid);
  const today = shanghaiDate(now);
  const span = { from: input.begindate, until: input.enddate };
  const archives = await findStageFacts(scope, { musercode: input.musercode ?? caller.musercode, appid: input.appid });
  return archives.flatMap(({ row, facts }) =>
    coverageOf(facts, span, today).map((stage) => ({
      ...stage,
      row,
      isMissed: !stage.isTested && stage.until !== null && stage.until < today,
    })),
  );
}

const getStageCoverage = handle(contract.getStageCoverage, async (input, ctx) => {
  const covered = await findCoverage(ctx, input);
  const stageName = await findStageNames(ctx.scope);
  return [...new Set(covered.map(({ stagecode }) => stagecode))].sort().map((stagecode) => {
    const own = covered.filter((stage) => stage.stagecode === stagecode);
    const tested = own.filter(({ isTested }) => isTested).length;
    return {
      stagecode,
      stagename: stageName(input.appid, stagecode),
      due: own.length,
      tested,
      untested: own.length - tested,
      missed: own.filter(({ isMissed }) => isMissed).length,
      rate: percent(tested, own.length),
    };
  });
});

const isCounted: Record<CodeOf<typeof contract.Coverage>, (stage: Covered) => boolean> = {
  due: () => true,
  tested: ({ isTested }) => isTested,
  untested: ({ isTested }) => !isTested,
  missed: ({ isMissed }) => isMissed,
};
const sortKeys = {
  username: ({ row }: Covered) => row.pinyin,
  until: ({ until }: Covered) => until,
  lastexamtime: ({ row }: Covered) => row.lastexamtime?.toISOString() ?? null,
};

const getStagePersonPageList = handle(contract.getStagePersonPageList, async (input, ctx) => {
  const { page, pageSize, orderby = 'until', isasc = input.orderby ? '0' : '1', stagecode, coverage, ...filters } = input;
  const { caller, now } = ctx;
  const stageName = await findStageNames(ctx.scope);
  const keyOf = sortKeys[orderby];
  const direction = isasc === '1' ? 1 : -1;
  const counted = (await findCoverage(ctx, filters))
    .filter((stage) => (!stagecode || stage.stagecode === stagecode) && isCounted[coverage](stage))
    .sort((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)];
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      return left < right ? -direction : left > right ? direction : a.row.cuserid.localeCompare(b.row.cuserid);
    });
  const shown = counted.slice((page - 1) * pageSize, page * pageSize);
  ctx.audit({ cuserids: shown.map(({ row }) => row.cuserid), detail: { filters: { ...filters, stagecode, coverage } } });
  return {
    total: counted.length,
    rows: shown.map(({ row, stagecode: own, until, isTested, isMissed }) => ({
      ...describePregnancy(row, now),
      cuserid: row.cuserid,
      rowkey: `${row.cuserid} ${own}`,
      username: displayName(caller, row.username),
      gender: row.gender as contract.StagePersonRow['gender'],
      age: row.birthday ? ageOn(row.birthday, now) : null,
      appid: row.appid,
      belongs: row.belongs,
      archiveno: row.archiveno,
      stagename: stageName(row.appid, own),
      lastexamtime: row.lastexamtime && shanghaiTime(row.lastexamtime),
      ownername: row.ownername ?? '',
      coverage: isTested ? contract.Coverage.tested : isMissed ? contract.Coverage.missed : contract.Coverage.untested,
      until,
    })),
  };
});

export const stageHandlers = [getStageCoverage, getStagePersonPageList];
