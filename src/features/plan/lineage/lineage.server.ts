import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { describeChanges } from '#features/plan/lineage/describeChanges.ts';
import * as contract from '#features/plan/lineage/lineage.contract.ts';
import * as queries from '#features/plan/lineage/lineage.queries.ts';

const getPlanVersionList = handle(contract.getPlanVersionList, async ({ plancode }, { scope }) => {
  const versions = await queries.findVersions(scope, plancode);
  if (!versions.some((version) => version.plancode === plancode)) throw problems.notFound({ what: '方案' });
  return {
    versions: versions
      .map((version, index) => {
        const before = versions[index - 1];
        return {
          plancode: version.plancode,
          lineageno: version.lineageno,
          current: version.supersededby === null ? 1 : 0,
          authorname: version.authorname ?? '',
          createtime: shanghaiTime(version.createtime),
          changes: before ? describeChanges(before, version) : ['首个版本'],
          usedcount: version.usedcount,
        };
      })
      .reverse(),
    ...(await queries.countOpenUses(scope, plancode)),
  };
});

export const lineageHandlers = [getPlanVersionList];
