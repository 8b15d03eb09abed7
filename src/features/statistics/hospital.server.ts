import { shanghaiTime } from '#domain/base/calendar.ts';
import { InterfereKind } from '#domain/base/enums.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import * as contract from '#features/statistics/hospital.contract.ts';
import * as queries from '#features/statistics/hospital.queries.ts';

const sumOf = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((sum, row) => sum + row[key], 0);

const getTotalAssessCount = handle(contract.getTotalAssessCount, async (input, { figures, caller }) => {
  const appids = permittedPopulations(caller, input.appid);
  const stages = await figures((scope) => queries.countFunnel(scope, { ...input, appids }));
  return {
    total: sumOf(stages, 'authorised'),
    stages: stages.map(({ stagecode, stagename, authorised }) => ({ stagecode, stagename, count: authorised })),
  };
});

const getCompleteAssessCount = handle(contract.getCompleteAssessCount, async (input, { figures, caller }) => {
  const appids = permittedPopulations(caller, input.appid);
  const stages = await figures((scope) => queries.countFunnel(scope, { ...input, appids }));
  const [authorised, complete, abnormal] = [sumOf(stages, 'authorised'), sumOf(stages, 'complete'), sumOf(stages, 'abnormal')];
  return {
    authorised,
    complete,
    rate: percent(complete, authorised),
    abnormal,
    abnormalrate: percent(abnormal, complete),
    stages: stages.map((stage) => ({ ...stage, rate: percent(stage.complete, stage.authorised) })),
  };
});

const getInterfereRecord = handle(contract.getInterfereRecord, async (input, { scope, caller }) => {
  const filters = {
    ...input,
    appids: permittedPopulations(caller, input.appid),
    cases: canReadField(caller, 'cases'),
  };
  const rows = await queries.findInterventions(scope, filters);
  const counts = await queries.countInterventions(scope, filters);
  const all = counts.find(({ kind }) => kind === null);
  return {
    total: all?.total ?? 0,
    rows: rows.map((row) => ({
      ...row,
      kindname: InterfereKind.label(row.kind),
      begintime: shanghaiTime(row.begintime),
      operatorname: row.operatorname ?? '',
    })),
    summary: {
      total: all?.total ?? 0,
      people: all?.people ?? 0,
      kinds: counts.flatMap(({ kind, total }) =>
        kind === null ? [] : [{ kind, kindname: InterfereKind.label(kind), count: total }],
      ),
    },
  };
});

export const hospitalHandlers = [getTotalAssessCount, getCompleteAssessCount, getInterfereRecord];
