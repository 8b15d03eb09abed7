import { levelName } from '#domain/warning/levels.ts';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { contractStage, EXPIRY_NOTICE_DAYS, WINDDOWN_DAYS } from '#domain/tenant/winddown.ts';
import { pathOf } from '#contract/menu.ts';
import type { Pools } from '#server/db/pools.ts';
import type { Scope } from '#server/db/scope.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { caseLink } from '#features/warning/alerts/notify.queries.ts';
import {
  findEndingInstitutions,
  findManagerAccounts,
  type EndingInstitution,
} from '#features/warning/handover/contractEnd.queries.ts';
import { notifyManagers, passInstitutionCases } from '#features/warning/handover/handOver.ts';
import { findAbleStaff, findOpenCases, notifyAccounts } from '#features/warning/handover/handover.queries.ts';
import { chooseReceiver } from '#features/warning/handover/receiver.ts';

/** A notice names at most this many cases; the list behind its link shows all. */

/**
 * Announces the end of contracts 30, 7 and 1 days ahead with the open cases, to the institution and its provider. In 收尾模式 it tells
 * the provider's duty staff of each open case (co-owner); afterwards they become its owner. Safe to repeat: the keys of the notices
 * send each once. Returns the institutions in each stage.
 */
export async function handleEndingContracts(
  pools: Pick<Pools, 'authn' | 'nested'>,
  now: Date,
): Promise<{ announced: number; windingdown: number; passed: number }> {
  const result = { announced: 0, windingdown: 0, passed: 0 };
  const today = shanghaiDate(now);
  const until = shanghaiDate(addDays(now, EXPIRY_NOTICE_DAYS[0]));
  const institutions = await runAsSystem(pools, platformCode, (scope) => findEndingInstitutions(scope, today, until));
  for (const institution of institutions) {
    const stage = contractStage(institution.daysleft);
    if (stage.kind === 'running') continue;
    await runAsSystem(pools, platformCode, async (scope) => {
      if (stage.kind === 'expiring') {
        await announceEnd(scope, institution, stage.step, now);
        result.announced += 1;
      } else if (stage.kind === 'winddown') {
        await tellCoOwner(scope, institution, now);
        result.windingdown += 1;
      } else {
        const reason = `${institution.insname}服务到期已满 ${WINDDOWN_DAYS} 天，收尾期结束`;
        const why = { reason, operator: null, operatorname: '系统', now };
        result.passed += await passInstitutionCases(scope, institution, why);
      }
    });
  }
  return result;
}

async function announceEnd(scope: Scope, institution: EndingInstitution, step: number, now: Date): Promise<void> {
  const { musercode, insname, expiredate, daysleft } = institution;
  const cases = await findOpenCases(scope, { musercode });
  const casesText = cases.length ? `在办预警 ${cases.length} 个，请尽快处置或安排移交。` : '目前没有在办预警。';
  const days = daysleft === 0 ? '今天是最后一天' : `还有 ${daysleft} 天`;
  const content = `${days}。到期后 ${WINDDOWN_DAYS} 天内为收尾模式，只能处理危机预警，由服务商值班协同；之后在办预警移交服务商值班。${casesText}`;
  const key = `ending:${musercode}:${expiredate}:${step}`;
  const text = { kind: 'system' as const, content, time: now };
  const accounts = await findManagerAccounts(scope, musercode);
  await notifyAccounts(
    scope,
    accounts.map((account) => ({
      ...text,
      ...account,
      title: `本机构服务将于 ${expiredate} 到期，在办预警 ${cases.length} 个`,
      link: pathOf('warning.crisis'),
      dedupekey: `${key}:${account.userid ?? account.musercode}`,
    })),
  );
  await notifyManagers(scope, musercode, {
    ...text,
    title: `${insname}服务将于 ${expiredate} 到期，在办预警 ${cases.length} 个`,
    key,
  });
}

/** Tells the provider's duty staff of each open case of an institution in 收尾模式, once for each case. */
async function tellCoOwner(scope: Scope, institution: EndingInstitution, now: Date): Promise<void> {
  const { musercode, insname, sector, expiredate, winddownuntil } = institution;
  const above = (await findAbleStaff(scope, musercode, now)).filter((item) => item.musercode !== musercode);
  const coOwner = chooseReceiver(above, musercode);
  if (!coOwner) return;
  const cases = await findOpenCases(scope, { musercode });
  await notifyAccounts(
    scope,
    cases
      .filter((row) => row.owneruserid !== coOwner.userid)
      .map((row) => ({
        kind: 'warning' as const,
        musercode: coOwner.musercode,
        userid: coOwner.userid,
        title: '收尾模式：请您协同处置',
        content: `${insname}服务已于 ${expiredate} 到期，收尾模式至 ${winddownuntil}。${levelName(row.level, sector)}，期满后由您负责。`,
        warningcode: row.warningcode,
        link: caseLink(row.warningcode),
        dedupekey: `winddown:${row.warningcode}:${expiredate}:${coOwner.userid}`,
        time: now,
      })),
  );
}
