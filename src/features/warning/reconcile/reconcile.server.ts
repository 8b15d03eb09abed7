import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/warning/reconcile/reconcile.contract.ts';
import * as queries from '#features/warning/reconcile/report.queries.ts';
import { canReadCases } from '#features/warning/warningrow.ts';

const formatTime = (time: Date) => shanghaiTime(time);

const getReconcileReport = handle(contract.getReconcileReport, async (_, { scope, caller }) => {
  if (!canReadCases(caller)) throw problems.notAllowed();
  const runs = await queries.findRuns(scope, caller.musercode, 100);
  const differences = await queries.findDifferences(scope, caller.musercode);
  return {
    runs: runs.map(({ kind, fromtime, totime, sheets, cases, differences, difflist, tablehash }) => ({
      kind,
      from: formatTime(fromtime),
      to: formatTime(totime),
      sheets,
      cases,
      differences,
      list: difflist as string[],
      checksum: tablehash,
    })),
    differences: differences.map((row) => ({
      diffkey: row.diffkey,
      content: row.content,
      foundtime: formatTime(row.foundtime),
      warningcode: row.warningcode,
      raisedcode: row.raisedcode,
      settletime: row.settletime && formatTime(row.settletime),
      settlebyname: row.settlebyname,
      settlenote: row.settlenote,
    })),
  };
});

const settleReconcileDiff = handle(contract.settleReconcileDiff, async ({ diffkey, note }, { scope, caller, now, audit }) => {
  if (!canReadCases(caller)) throw problems.notAllowed();
  const { musercode } = caller;
  audit({ objectid: diffkey });
  const isSettled = await queries.settleDifference(scope, {
    musercode,
    diffkey,
    by: caller.accountid,
    byname: caller.name,
    note,
    time: now,
  });
  if (!isSettled) throw problems.notFound({ what: '待核实的差异' });
  // The transaction ends with the refusal, so nothing is settled in another person's name.
  if (caller.loginasname) throw problems.notWhileActing();
  return {};
});

export const reconcileHandlers = [getReconcileReport, settleReconcileDiff];
