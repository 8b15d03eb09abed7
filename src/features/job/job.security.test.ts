import { expect, test } from 'vitest';
import * as job from '#contract/exportJob.ts';
import { codesOf } from '#contract/menu.ts';
import { exportWorker } from '#server/export/worker.ts';
import { expireStepUp, setPermission } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const personExport = { action: 'as.m.cuser.exportCuserList', request: {} };

/** 陈静怡 exports every student of the school in the background. They are adults, so the export needs no approval. */
async function createExport() {
  const server = await startServer();
  await addClass(server, { teamname: '初二1班', names: ['林小雨', '王小明'], birthday: '2000-03-04' });
  const { jobid } = await server.as('chen')(job.insertExport, personExport);
  const worker = exportWorker(server.services, {
    dispatch: server.dispatch,
    clock: () => server.clock.now,
    log: (line) => server.errors.push(line),
  });
  await worker.drain();
  return { ...server, jobid, worker };
}

test('an account that was restricted to its own classes cannot download its earlier export of the whole school', async () => {
  const { as, sqlAsOwner, jobid } = await createExport();
  await as('chen')(job.downloadExport, { jobid });
  // She keeps her rights, but sees only her own teams from now on.
  await sqlAsOwner(
    `with r as (insert into role (musercode, rolename, rolekey, datascope, codes) select 'M_CHENGUANG', '年级组长',
      'gradehead', 5, codes from role where rolekey = 'psychologist' returning roleid)
     insert into sysuserrole (userid, roleid, musercode) select 'U_CHEN', roleid, 'M_CHENGUANG' from r`,
  );
  await expect(as('chen')(job.downloadExport, { jobid })).rejects.toMatchObject({ code: 140001 });
});

test('an account that lost the right to full names cannot download its earlier export with names', async () => {
  const { as, sqlAsOwner, jobid } = await createExport();
  for (const code of codesOf(['person.unmasked'])) await setPermission({ sqlAsOwner }, 'U_CHEN', code, 'deny');
  await expect(as('chen')(job.downloadExport, { jobid })).rejects.toMatchObject({ code: 140001 });
});

test('a background export needs a recent step-up and refuses imports, reveals and nested jobs', async () => {
  const { as, sqlAsOwner } = await createExport();
  const jobid = '0199a000-0000-7000-8000-000000000000';
  for (const [action, request, code] of [
    ['as.m.job.downloadExport', { jobid }, 120002],
    ['as.m.job.insertExport', personExport, 120002],
    ['as.m.cuser.revealCUser', { cuserid: 'C0000000001' }, 120002],
    ['as.m.system.user.resetPwd', { userid: 'U_MA' }, 110004],
    ['as.m.user.login', {}, 110004],
    ['__proto__', {}, 110004],
  ] as const)
    await expect(as('chen')(job.insertExport, { action, request }), action).rejects.toMatchObject({ code });
  await expireStepUp({ sqlAsOwner }, 'U_CHEN');
  await expect(as('chen')(job.insertExport, personExport)).rejects.toMatchObject({ code: 110007 });
  expect(await sqlAsOwner('select count(*)::int as n from job where status < 2')).toEqual([{ n: 0 }]);
});
