import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Action } from '#contract/action.ts';
import type { Upload } from '#contract/file.ts';
import { actions } from '#server/actions.ts';
import { readSheet } from '#server/sheet/read.ts';
import * as approval from '#features/approval/approval.contract.ts';
import * as care from '#features/care/care.contract.ts';
import * as exportJob from '#contract/exportJob.ts';
import { exportWorker } from '#server/exportWorker.ts';
import * as file from '#features/file/file.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as roster from '#features/team/roster.contract.ts';
import * as casefile from '#features/warning/casefile.contract.ts';
import * as handling from '#features/warning/handling.contract.ts';
import * as rule from '#features/warning/rule.contract.ts';
import { exampleOf, fieldsOf } from '#testing/example.ts';
import { addClass, answer, enter, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** Stands in the names of people and in what was written about them: only their own institution may ever receive it. */
const canary = '金丝雀';
/** Stands in the titles of classes, plans and screenings: the bureau above the school reads these, nobody beside it does. */
const title = '云雀';
const rosterSheet: Upload = {
  filename: '名单.csv',
  mime: 'text/csv',
  content: Buffer.from(`团体名称,姓名,学号,性别,联系电话\n${title}一班,${canary}庚,9001,女,\n`),
};

const paper: Upload = {
  filename: `${canary}出院小结.pdf`,
  mime: 'application/pdf',
  content: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
};

/** One of each thing, made through the actions, and its identifiers by the names requests give them. */
async function furnish(server: Server) {
  const { as, behind, clock } = server;
  const chen = as('chen');
  const { teamcode, pupils } = await addClass(server, {
    teamname: `${title}班`,
    names: [`${canary}甲`, `${canary}乙`, `${canary}丙`],
    owneruserid: 'U_WANG',
  });
  const [first, second, third] = pupils as [(typeof pupils)[0], (typeof pupils)[0], (typeof pupils)[0]];
  const { teamcode: empty } = await addClass(server, { teamname: `${title}空班`, names: [] });
  const { plancode } = await chen(plan.insertMUserExamPlan, {
    appid: '000000002',
    planname: `${title}方案`,
    forms: [{ formcode: 'PHQ9' }, { formcode: 'GAD7' }],
    introduce: title,
  });
  const { taskcode } = await chen(task.insertAssessTask, screening([teamcode], { plancode, taskname: `${title}筛查` }));
  await answer(server, first);
  const begun = await answer(server, second, { begin: true });
  const { warningcode } = await chen(handling.insertWarning, {
    cuserid: first.cuserid,
    level: 2,
    content: `${canary}：同学反映近来常常独自哭泣`,
  });
  await chen(handling.acceptWarning, { warningcode });
  const { followupids } = await chen(care.insertFollowUp, {
    cuserid: first.cuserid,
    warningcode,
    planname: canary,
    duetime: '2025-10-20 09:00',
  });
  const { interfereid } = await chen(care.insertInterfere, { cuserid: first.cuserid, warningcode, kind: '01', content: canary });
  const { jobid } = await chen(exportJob.insertExport, { action: 'as.m.cuser.exportCuserList' });
  await exportWorker(server.services, {
    dispatch: server.dispatch,
    clock: () => clock.now,
    log: (line) => server.errors.push(line),
  }).drain();
  const { importid } = await chen(roster.checkAssessTeamRoster, {}, rosterSheet);
  clock.now = new Date('2025-10-08T03:00:00Z');
  const [report] = await behind<{ reportcode: string; examcode: string }>(
    'select reportcode, examcode from report where cuserid = $1',
    [first.cuserid],
  );
  const [grant] = await behind<{ cuserplanid: number }>('select cuserplanid from cuserplan where cuserid = $1', [third.cuserid]);
  const [sheet] = await behind<{ examformid: number }>('select examformid from examform where examcode = $1 order by ordernum', [
    begun.examcode,
  ]);
  const notices = await behind<{ id: number }>("select * from notification where musercode = 'M_CHENGUANG'");
  const [guardian] = await behind<{ guardianid: number }>(
    "insert into guardian (cuserid, musercode, name, relation) values ($1, 'M_CHENGUANG', $2, '01') returning guardianid",
    [first.cuserid, `${canary}父`],
  );
  const [referral] = await behind<{ referralid: number }>(
    "insert into referral (warningcode, cuserid, musercode, tohospital, reason, time, updatetime) values ($1, $2, 'M_CHENGUANG', $3, $3, now(), now()) returning referralid",
    [warningcode, first.cuserid, canary],
  );
  const cuserid = first.cuserid;
  const { fileid: attached } = await chen(file.updateToOSS, { biztype: 'case' }, paper);
  await chen(casefile.attachCaseFile, { warningcode, kind: '03', fileids: [attached] });
  const { rulecode } = await chen(rule.insertWarningRule, {
    name: `${canary}规则`,
    warninglevel: 2,
    cond: { any: [{ form: 'PHQ9', score: 'total', gte: 20 }] },
  });
  // Agreed to by a colleague: what chen exports holds minors.
  const { approvalid } = await chen(approval.insertAccessApproval, {
    call: 'as.m.warning.exportWarningList',
    purpose: `${canary}：月度汇报`,
  });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  return {
    pupils: { first, second, third },
    begun: begun.examcode,
    sheet: sheet?.examformid as number,
    known: {
      cuserid,
      cuserids: [first.cuserid, third.cuserid],
      teamcode,
      teamcodes: [teamcode],
      toteamcode: empty,
      notteamcode: empty,
      taskcode,
      parenttaskcode: taskcode,
      plancode,
      copyfrom: plancode,
      warningcode,
      followupid: followupids[0],
      interfereid,
      importid,
      jobid,
      reportcode: report?.reportcode,
      reportcodes: [report?.reportcode],
      examcode: report?.examcode,
      cuserplanid: grant?.cuserplanid,
      cuserplanids: [grant?.cuserplanid],
      guardianid: guardian?.guardianid,
      referralid: referral?.referralid,
      fileid: attached,
      fileids: [attached],
      rulecode,
      approvalid,
      ids: notices.map((notice) => Object.values(notice)[0]),
      musercode: 'M_CHENGUANG',
      musercodes: ['M_CHENGUANG'],
      schoolcode: 'M_CHENGUANG',
      owneruserid: 'U_CHEN',
      parentmusercode: 'M_CHENGUANG',
      frommusercode: 'M_CHENGUANG',
      clientcode: 'entry_chenguang',
      batchno: 'none',
    } as Record<string, unknown>,
  };
}

/** Fields that end like an identifier and name nothing an institution owns, or something the caller has just made up. */
const notOwned = new Set([
  'appid',
  'appids',
  'formcodes',
  'parentcode',
  'regioncode',
  'stageid',
  'formcode',
  'stagecode',
  'stagecodes',
  'categoryid',
  'gradecode',
  'clientcode',
  'submitkey',
  'provincecode',
  'citycode',
  'districtcode',
  'categorycode',
  'examformid',
  'quotacode',
]);
/** Identifiers of staff, departments, roles and menu entries: nobody here holds their screens; features/org and features/access try them with accounts that do. */
const ofAdministration = new Set([
  'userid',
  'roleid',
  'roleids',
  'deptid',
  'deptids',
  'parentid',
  'menuid',
  'menuids',
  'sessionid',
  'accountid',
  'objectid',
  'code',
  'codes',
]);
const looksLikeId = (name: string) => /(?:id|ids|code|codes)$/.test(name);

/** All rows of an institution, table by table. */
async function fingerprint({ behind }: Server, musercode: string): Promise<Record<string, string>> {
  const tables = await behind<{ name: string }>(
    "select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name) where table_schema = 'public' and column_name = 'musercode' and table_type = 'BASE TABLE'",
  );
  const one = ({ name }: { name: string }) =>
    `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from "${name}" t where musercode = '${musercode}'`;
  const rows = await behind<{ name: string; hash: string }>(tables.map(one).join(' union all '));
  return Object.fromEntries(rows.map((row) => [row.name, row.hash]));
}

/** What a call answers, files opened, as one text. */
async function textOf(action: Action, data: unknown): Promise<string> {
  if (action.kind !== 'export') return JSON.stringify(data);
  const { filename, body } = data as { filename: string; body: Readable | Uint8Array };
  const bytes = body instanceof Readable ? await buffer(body) : Buffer.from(body);
  return filename.endsWith('.xlsx')
    ? filename + JSON.stringify((await readSheet(bytes, filename)).rows)
    : filename + bytes.toString('utf8');
}

/** The requests that name what the school owns: all identifiers at once, and each alone. */
function probes(action: Action, known: Record<string, unknown>): Record<string, unknown>[] {
  const own = [...fieldsOf(action.request)].filter((name) => known[name] !== undefined);
  const sets = [own, ...own.map((name) => [name])];
  const made = sets
    .map((names) => exampleOf(action, { formcode: 'PHQ9', ...Object.fromEntries(names.map((name) => [name, known[name]])) }))
    .filter((request) => request !== undefined);
  return [...new Map(made.map((request) => [JSON.stringify(request), request])).values()].filter((request) =>
    own.some((name) => JSON.stringify(request).includes(`"${name}"`)),
  );
}

const staffActions = actions.filter((action) => action.allow.caller === 'staff');

test('every identifier a request can carry is probed', () => {
  const probed = new Set([
    'cuserid',
    'cuserids',
    'teamcode',
    'teamcodes',
    'toteamcode',
    'notteamcode',
    'taskcode',
    'parenttaskcode',
    'plancode',
    'warningcode',
    'followupid',
    'interfereid',
    'importid',
    'fileid',
    'jobid',
    'reportcode',
    'reportcodes',
    'examcode',
    'cuserplanid',
    'cuserplanids',
    'guardianid',
    'referralid',
    'fileids',
    'rulecode',
    'approvalid',
    'ids',
    'musercode',
    'musercodes',
    'schoolcode',
    'owneruserid',
    'copyfrom',
    'parentmusercode',
    'frommusercode',
  ]);
  const unknown = actions.flatMap((action) =>
    [...fieldsOf(action.request)]
      .filter((name) => looksLikeId(name) && !probed.has(name) && !notOwned.has(name) && !ofAdministration.has(name))
      .map((name) => `${action.name} ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('what chen’s school owns can be named by nobody else: no answer holds any of it, no call changes it', async () => {
  const server = await startServer();
  const { known } = await furnish(server);
  const before = await fingerprint(server, 'M_CHENGUANG');
  const faults: string[] = [];
  let calls = 0;
  for (const person of ['qiao', 'lin', 'zhou'] as const) {
    for (const action of staffActions) {
      const requests = probes(action, known);
      for (const request of requests) {
        calls += 1;
        const upload = action.kind === 'import' ? rosterSheet : undefined;
        const answer = await server.raw(action.name, person, request, upload);
        if (answer.errorCode === 900000) faults.push(`${person} ${action.name} broke on ${JSON.stringify(request)}`);
        if (action.kind === 'import') continue;
        const text = answer.errorCode === 0 ? await textOf(action, answer.data) : JSON.stringify(answer);
        if (text.includes(canary) || (person !== 'zhou' && text.includes(title)))
          faults.push(`${person} ${action.name} ${JSON.stringify(request)} answered ${text.slice(0, 200)}`);
      }
    }
    const after = await fingerprint(server, 'M_CHENGUANG');
    const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
    if (changed.length > 0) faults.push(`${person} changed ${changed.join(', ')}`);
  }
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(200);
  expect(server.errors).toEqual([]);
}, 180_000);

test('the same requests mean something: chen herself gets answers to them, with her school’s names in them', async () => {
  const server = await startServer();
  const { known } = await furnish(server);
  const mute: string[] = [];
  let named = 0;
  for (const action of staffActions) {
    if (!['read', 'reveal', 'export'].includes(action.kind)) continue;
    const requests = probes(action, known);
    if (requests.length === 0) continue;
    let answered = false;
    const refused: number[] = [];
    for (const request of requests) {
      const answer = await server.raw(action.name, 'chen', request);
      refused.push(answer.errorCode);
      if (answer.errorCode !== 0) continue;
      answered = true;
      if ((await textOf(action, answer.data)).match(/金丝雀|云雀/)) named += 1;
    }
    // What is not for a school’s psychologist at all says so to every request.
    if (!answered && !requests.every((_, at) => refused[at] === 110004)) mute.push(action.name);
  }
  // Holds a minor and takes an approval of its own: features/approval tries it.
  expect(mute).toEqual(['as.m.followup.exportFollowUpList']);
  expect(named).toBeGreaterThan(40);
}, 120_000);

test('a respondent reaches their own sheet and nobody else’s', async () => {
  const server = await startServer();
  const { known, pupils, begun, sheet } = await furnish(server);
  const own = await enter(server, pupils.third);
  const state = async () => JSON.stringify(await fingerprint(server, 'M_CHENGUANG'));
  const theirs = [{ examformid: sheet, c: 'q1', value: '1', clientseq: 1 }];
  const before = await state();
  await expect(own(respond.saveAnswer, { examcode: begun, answers: theirs })).rejects.toMatchObject({ code: 130001 });
  await expect(own(respond.submitExam, { examcode: begun, submitkey: randomUUID(), answers: theirs })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(own(respond.getOwnReport, { reportcode: known['reportcode'] as string })).rejects.toMatchObject({ code: 130001 });
  const grants = await server.behind<{ cuserplanid: number }>('select cuserplanid from cuserplan where cuserid = $1', [
    pupils.second.cuserid,
  ]);
  await expect(own(respond.startExam, { cuserplanid: grants[0]?.cuserplanid as number })).rejects.toMatchObject({ code: 130001 });
  expect(await state()).toBe(before);
});
