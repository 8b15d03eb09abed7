import { expect, test } from 'vitest';
import { getGuardianClassMembers } from '#features/consent/guardian/guardian.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { addClass, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

test('staff without 查看未脱敏信息 read no whole name in the labels and texts of 催测 and of the guardians of a class', async () => {
  const server = await startServer();
  const { teamcode } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '林小雨', '周子涵'],
    birthday: '2013-03-05',
  });
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode]));
  await setPermission(server, 'U_LU', '00055', 'deny');
  const lu = server.as('lu');
  const answers = [await lu(board.getTaskChaseList, { taskcode }), await lu(getGuardianClassMembers, { teamcode })];
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('林**');
    expect(JSON.stringify(answer)).not.toMatch(/小雨|子涵/);
  }
  expect(JSON.stringify(await server.as('chen')(board.getTaskChaseList, { taskcode }))).toContain('林小雨（');
});
