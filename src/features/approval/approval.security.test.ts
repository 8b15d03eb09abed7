import { expect, test } from 'vitest';
import { codesOf } from '#contract/menu.ts';
import * as approval from '#features/approval/approval.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const call = 'as.m.warning.exportWarningList';

/** A school with one case; 无权限 has been given the export of archives and nothing of warnings. */
async function school() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'], birthday: '2011-07-08' });
  const chen = server.as('chen');
  await chen(handling.insertWarning, { cuserid: pupils[0]!.cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  for (const code of codesOf(['archive.export'])) await setPermission(server, 'U_NOBODY', code, 'grant');
  return { ...server, chen };
}

test('an approval request for a forbidden export reveals neither names nor counts', async () => {
  const { as, sqlAsOwner } = await school();
  for (const filter of [{}, { levels: [2] }, { levels: [4] }])
    await expect(as('nobody')(approval.insertAccessApproval, { call, filter, purpose: '看看有没有预警' })).rejects.toMatchObject({
      code: 110004,
    });
  expect(await sqlAsOwner('select count(*)::int as n from accessapproval')).toEqual([{ n: 0 }]);
});

test('two concurrent approvals count once, and staff without the export right cannot approve', async () => {
  const { chen, as, sqlAsOwner } = await school();
  const { approvalid } = await chen(approval.insertAccessApproval, { call, purpose: '向区教研室汇报本月处置情况' });
  for (const [who, code] of [
    ['nobody', 110004],
    ['duty', 110004],
    ['wang', 110004],
    ['zhou', 110004],
    ['fang', 130001],
  ] as const)
    await expect(as(who)(approval.decideAccessApproval, { approvalid, agreed: 1 }), who).rejects.toMatchObject({ code });
  const decisions = await Promise.allSettled([
    as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 }),
    as('ma')(approval.decideAccessApproval, { approvalid, agreed: 0, reason: '用途不清' }),
  ]);
  expect(decisions.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  // Nobody can turn the row into their own word, and a forged number opens nothing.
  expect(await sqlAsOwner('select applicant <> approver as second from accessapproval')).toEqual([{ second: true }]);
  await expect(chen(warning.exportWarningList, { approvalid: approvalid + 1 })).rejects.toMatchObject({ code: 130001 });
});
