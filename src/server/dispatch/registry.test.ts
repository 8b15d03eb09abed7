import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyone, defineAction, isPermitted, staffOf, type Action, type MUserTypeCode } from '#contract/action.ts';
import { actions, registryFaults } from '#server/actions.ts';
import { effectiveCodes } from '#server/dispatch/caller.ts';
import { handle, type Handler } from '#server/dispatch/handle.ts';
import { specProgress } from '../../../scripts/specProgress.ts';
import { aBarePerson, aRespondentSession } from '#testing/factories.ts';
import { exampleOf, fieldsOf } from '#testing/authorisation/example.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import type { Person } from '#testing/people.ts';
import { startServer } from '#testing/server.ts';

const staffActions = actions.filter((action) => action.allow.caller === 'staff');
/** A body that every schema refuses, so that an allowed call has no effect. */
const stray = { __stray: 1 };
/** True when a call with such a body passed the permission checks and failed at the request check. */
const isPastPermission = (errorCode: number) => errorCode === 120001 || errorCode === 120002;

test('every action is declared once, handled once, refuses unknown fields and names the revealed persons', () => {
  expect(registryFaults()).toEqual([]);
  expect(actions.length).toBeGreaterThan(0);
});

test('the registry check detects every kind of wrong declaration', () => {
  const sound = defineAction({
    name: 'as.m.test.sound',
    title: '测试',
    allow: anyone,
    kind: 'read',
    request: z.strictObject({}),
    response: z.object({}),
  });
  const bound = handle(sound, async () => ({}));
  expect(registryFaults([sound as unknown as Action], [bound])).toEqual([]);

  const loose = defineAction({ ...sound, name: 'as.m.test.loose', request: z.object({}) }) as unknown as Action;
  const nameless = defineAction({ ...sound, name: 'as.m.test.nameless', kind: 'reveal' }) as unknown as Action;
  const twin = { ...sound } as unknown as Action;
  const plants: [Action[], readonly Handler[], string][] = [
    [[sound as unknown as Action], [], 'as.m.test.sound has 0 handlers'],
    [[sound as unknown as Action], [bound, bound], 'as.m.test.sound has 2 handlers'],
    [[], [bound], 'as.m.test.sound is handled but not declared'],
    [[sound as unknown as Action, twin], [bound, { ...bound, action: twin }], 'as.m.test.sound is declared twice'],
    [[nameless], [{ ...bound, action: nameless }], 'as.m.test.nameless reveals a person and does not say whom'],
    [[loose], [{ ...bound, action: loose }], 'as.m.test.loose does not refuse unknown keys'],
  ];
  for (const [declared, handled, fault] of plants) expect(registryFaults(declared, handled)).toEqual([fault]);
});

test('docs/spec-progress.json matches the registry (npm run spec writes it)', async () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')) as unknown;
  const specified = (await read('spec-calls.json')) as string[];
  expect(specified).toHaveLength(143);
  expect(await read('spec-progress.json')).toEqual(specProgress(specified));
});

test('the progress counts the declared actions of the specification and lists the rest', () => {
  expect(specProgress(['as.m.a.one', 'as.m.a.two'], [{ name: 'as.m.a.two' }, { name: 'as.m.a.three' }])).toEqual({
    total: 2,
    declared: 1,
    undeclared: ['as.m.a.one'],
    own: ['as.m.a.three'],
  });
});

test('action names have the wire format, titles are Chinese, and kinds fit their responses', () => {
  for (const { name, title, kind, response } of actions) {
    expect(name).toMatch(/^as\.[cm](\.[a-z]+)+\.[a-zA-Z0-9]+$/);
    expect(title).toMatch(/^[\u4e00-\u9fff]/);
    if (kind === 'export') expect([name, [...fieldsOf(response, 'output')].sort()]).toEqual([name, ['body', 'filename', 'mime']]);
  }
});

test('exactly these actions need no session', () => {
  expect(
    actions
      .filter((action) => action.allow.caller === 'anyone')
      .map((action) => action.name)
      .sort(),
  ).toEqual([
    'as.c.exam.getFormPreview',
    'as.c.user.decideAsGuardian',
    'as.c.user.getDistrictList',
    'as.c.user.getEntry',
    'as.c.user.login',
    'as.c.user.loginByKioskCode',
    'as.c.user.loginByLink',
    'as.m.user.beginPasskeySignIn',
    'as.m.user.getDemoAccounts',
    'as.m.user.login',
    'as.m.user.loginDemo',
    'as.m.user.logout',
    'as.m.user.openScreen',
    'as.m.user.signInByPasskey',
    'as.m.user.verifySecondFactor',
  ]);
});

test('exactly these actions need no right, and none of them reveals a person', () => {
  const open = staffActions.filter((action) => !action.allow.codes?.length);
  expect(open.map((action) => action.name).sort()).toEqual([
    'as.m.access.updateToOSS',
    'as.m.access.updateToOSSPath',
    'as.m.app.exam.getExamStageListGroupByAppidCategoryid',
    'as.m.app.getAppList',
    'as.m.app.getExamCategoryList',
    'as.m.app.muser.getMUserAppList',
    'as.m.assess.getFormInfoByPlanCode',
    'as.m.assess.getGradeList',
    'as.m.assess.getSchoolList',
    'as.m.assess.getTaskList',
    'as.m.assess.getTermList',
    'as.m.assess.getYearList',
    'as.m.content.getArticle',
    'as.m.content.getArticleList',
    'as.m.content.getCourse',
    'as.m.content.getCourseList',
    'as.m.content.getMediaLink',
    'as.m.content.getMusicList',
    'as.m.content.saveLessonProgress',
    'as.m.cuser.getCUserArchiveHeadList',
    'as.m.cuser.getReportCount',
    'as.m.exam.getQuotaFilterConditions',
    'as.m.exam.getReportMaxTime',
    'as.m.exam.plan.getPlanForm',
    'as.m.exam.plan.getPlanStage',
    'as.m.file.cancelUpload',
    'as.m.file.finishUpload',
    'as.m.file.getUpload',
    'as.m.file.getUploadList',
    'as.m.file.startUpload',
    'as.m.guide.getChecklist',
    'as.m.guide.hideChecklist',
    'as.m.guide.readReleases',
    'as.m.guide.visitStep',
    'as.m.job.cancelExport',
    'as.m.job.downloadExport',
    'as.m.job.getExportPageList',
    'as.m.job.insertExport',
    'as.m.list.deleteListView',
    'as.m.list.getListViews',
    'as.m.list.saveListView',
    'as.m.list.setDefaultListView',
    'as.m.notice.getNoticePageList',
    'as.m.notice.getQuietHours',
    'as.m.notice.getUnreadCount',
    'as.m.notice.readNotice',
    'as.m.notice.updateQuietHours',
    'as.m.pin.getPins',
    'as.m.pin.setPin',
    'as.m.planner.createCalendarFeed',
    'as.m.planner.deleteCalendarFeed',
    'as.m.planner.getCalendarFeed',
    'as.m.user.beginPasskey',
    'as.m.user.beginPasskeyStepUp',
    'as.m.user.beginSecondFactor',
    'as.m.user.chooseApp',
    'as.m.user.confirmPasskey',
    'as.m.user.confirmSecondFactor',
    'as.m.user.deletePasskey',
    'as.m.user.deleteTrustedDevice',
    'as.m.user.disableSecondFactor',
    'as.m.user.endMySession',
    'as.m.user.getAdministratorList',
    'as.m.user.getDistrictList',
    'as.m.user.getMySessions',
    'as.m.user.getPasskeyList',
    'as.m.user.getProfile',
    'as.m.user.getScreenList',
    'as.m.user.getSecondFactor',
    'as.m.user.getTrustedDeviceList',
    'as.m.user.getUserInfo',
    'as.m.user.handOver',
    'as.m.user.leaveLoginAs',
    'as.m.user.renewRecoveryCodes',
    'as.m.user.stepUp',
    'as.m.user.updateMUser',
    'as.m.user.updateProfile',
    'as.m.warning.getDutyList',
    'as.m.warning.getHandover',
    'as.m.warning.updateAbsence',
    'as.m.workbench.getMyDay',
  ]);
  for (const action of open) expect([action.name, action.person]).toEqual([action.name, undefined]);
});

test('no response can contain a password, a hash or an encrypted value', () => {
  const secret = /pwd|passw|hash|sealed|pepper|salt|secretkey/i;
  const allowed = new Set<string>(['mustchangepwd', 'pwdtime']);
  const leaking = actions.flatMap((action) =>
    [...fieldsOf(action.response, 'output')]
      .filter((key) => secret.test(key) && !allowed.has(key))
      .map((key) => `${action.name} ${key}`),
  );
  expect(leaking).toEqual([]);
});

test('every guarded action answers 110000 without a token and with an unknown token', async () => {
  const { raw } = await startServer();
  for (const token of ['', 'forged']) {
    const wrong: string[] = [];
    for (const action of actions) {
      if (action.allow.caller === 'anyone') continue;
      const { errorCode } = await raw(action.name, token, {});
      if (errorCode !== 110000) wrong.push(`${action.name} ${errorCode}`);
    }
    expect([token, wrong]).toEqual([token, []]);
  }
  expect(await raw('as.m.nothing.here', '', {})).toMatchObject({ errorCode: 110000 });
  expect(await raw('as.m.nothing.here', 'no session', {})).toMatchObject({ errorCode: 110000 });
});

test('a call name that does not exist answers 130001 to a live session', async () => {
  const { raw } = await startServer();
  expect(await raw('as.m.nothing.here', 'chen', {})).toMatchObject({ errorCode: 130001, errorMsg: '接口不存在或已删除' });
});

test('every action that needs a right answers 110004 to staff without it', async () => {
  const { raw } = await startServer();
  const wrong: string[] = [];
  for (const action of staffActions) {
    const { errorCode } = await raw(action.name, 'nobody', stray);
    if (action.allow.codes?.length ? errorCode !== 110004 : !isPastPermission(errorCode))
      wrong.push(`${action.name} ${errorCode}`);
  }
  expect(wrong).toEqual([]);
});

test('an account of the wrong type gets 110004, and one with type and rights reaches the request check', async () => {
  const server = await startServer();
  const tokens = await createOwnAccounts(server);
  const wrong: string[] = [];
  const reached = new Set<string>();
  for (const type of Object.keys(tokens) as MUserTypeCode[]) {
    const rows = await server.sqlAsOwner<{ codes: string[] }>('select codes from muser where musertype = $1 limit 1', [type]);
    const codes = effectiveCodes({
      mcodes: rows[0]?.codes ?? [],
      rolecodes: [],
      granted: [],
      denied: [],
      staff: false,
      issuper: type === '001',
      musertype: type,
    });
    for (const action of staffActions) {
      const { errorCode } = await server.raw(action.name, tokens[type], stray);
      const isAllowed = isPermitted(action.allow, codes, type);
      if (action.allow.types && !action.allow.types.includes(type) && errorCode !== 110004)
        wrong.push(`${type} ${action.name} ${errorCode}`);
      if (isAllowed ? !isPastPermission(errorCode) : errorCode !== 110004)
        wrong.push(`${type} ${action.name} ${errorCode}, expected ${isAllowed ? 'the request check' : 'a refusal'}`);
      if (isAllowed) reached.add(action.name);
    }
  }
  expect(wrong).toEqual([]);
  expect(staffActions.filter((action) => !reached.has(action.name)).map((action) => action.name)).toEqual([]);
});

test('a request with one unknown field is refused, and the error names the field', async () => {
  const server = await startServer();
  const tokens = await createOwnAccounts(server);
  await server.sqlAsOwner('update auth.account set mustchangepwd = 0');
  const wrong: string[] = [];
  for (const action of actions) {
    if (action.allow.caller === 'respondent') continue;
    const example = exampleOf(action, {});
    const answers = await Promise.all(
      Object.values(tokens).map((token) => server.raw(action.name, token, { ...example, ...stray })),
    );
    if (!example || !answers.some((answer) => answer.errorMsg === '不支持的字段：__stray'))
      wrong.push(`${action.name} ${JSON.stringify(answers[0])}`);
  }
  expect(wrong).toEqual([]);
});

test('staff cannot pass as a respondent, nor a respondent as staff', async () => {
  const { raw, sqlAsOwner } = await startServer();
  await aBarePerson({ sqlAsOwner }, 'C_SELF');
  await aRespondentSession({ sqlAsOwner }, 'C_SELF', 'pupil');
  const wrong: string[] = [];
  const people: [Person | 'pupil', Action['allow']['caller']][] = [
    ['chen', 'respondent'],
    ['super', 'respondent'],
    ['pupil', 'staff'],
  ];
  for (const [token, kind] of people)
    for (const action of actions.filter((item) => item.allow.caller === kind)) {
      const { errorCode } = await raw(action.name, token, stray);
      if (errorCode !== 110000) wrong.push(`${token} ${action.name} ${errorCode}`);
    }
  expect(wrong).toEqual([]);
  expect(isPermitted(staffOf('group.tasks'), new Set(), '005')).toBe(false);
});
