import { describe, expect, test } from 'vitest';
import { codeOf } from '#contract/menu.ts';
import { actions } from '#server/actions.ts';
import { createFixtures } from '#testing/authorisation/fixtures.ts';
import { editsOfWebhook } from '#testing/authorisation/webhook.ts';
import { aColleague } from '#testing/factories.ts';
import { png } from '#testing/files/picture.ts';
import { sharedServer, type TestServer } from '#testing/server.ts';
import type { Person } from '#testing/people.ts';
import { menuEntries } from '#contract/menuTree.ts';
import type { Action } from '#contract/action.ts';
import { insertQuotaFormOption } from '#features/bandset/bandset.contract.ts';
import { insertExamStage } from '#features/app/app.contract.ts';
import { insertDept } from '#features/org/dept/dept.contract.ts';
import { selectUserList, updateUser } from '#features/org/user/user.contract.ts';
import { insertRole } from '#features/access/role/role.contract.ts';
import { insertGoods } from '#features/goods/goods.contract.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import { addContents } from '#testing/content/ownContents.ts';

/**
 * Two people edit the same row. `firstEdit` is saved first; `mine` is another value of the same field; `other` changes another field.
 * Actions that set one list have no other field.
 */
interface Pair {
  as: Person;
  row: Record<string, unknown>;
  firstEdit: Record<string, unknown>;
  mine: Record<string, unknown>;
  other?: Record<string, unknown>;
  /** the server keeps rights that the caller lacks, so the row has more than was sent */
  keepsMore?: true;
  /** what a request without a version needs besides */
  whole?: Record<string, unknown>;
}
const menuidOf = (title: string) => menuEntries.find((entry) => entry.title === title)?.menuid as number;

/** One pair of edits for each action that edits a row. */
async function createPairs(server: TestServer): Promise<Record<string, Pair>> {
  const { as } = server;
  const { known } = await createFixtures(server);
  const { deptid } = await as('ma')(insertDept, { parentid: 0, deptname: '心理中心' });
  const { roleid } = await as('ma')(insertRole, { rolename: '年级组长', rolekey: 'gradehead', datascope: 1, menuids: [] });
  const { stageid } = await as('ma')(insertExamStage, { appid: '000000002', stagecode: 'XSZZ', stagename: '期中' });
  const { optionid } = await as('chen')(insertQuotaFormOption, {
    quotacode: 'PHQ9.total',
    minscore: 0,
    maxscore: 27,
    level: 4,
    levelname: '关注',
  });
  const picture = { filename: '封面.png', mime: 'image/png', content: await png() };
  const { fileid } = await as('super')(updateToOSS, { biztype: 'goods' }, picture);
  await aColleague(server, { userid: 'U_SHEN', musercode: 'M_CHENGUANG', realname: '沈宁', rolekey: 'classteacher' });
  const [chen, ma, fang] = [{ as: 'chen' as const }, { as: 'ma' as const }, { as: 'fang' as const }];
  const dongshan = { musercode: 'M_DONGSHAN' };
  const hotlines: unknown[] = [];
  const { articleid, musicid, courseid, lessonid } = await addContents(server);
  const { goodsid } = await as('fang')(insertGoods, { goodsname: '入校培训', goodstype: '03', price: 100 });
  return {
    updateMailChannel: {
      ...ma,
      row: {},
      firstEdit: { host: 'smtp.example.com', fromaddress: 'notice@example.com' },
      mine: { host: 'smtp.example.org' },
      other: { mailbox: 'office@example.com' },
    },
    updateWebhookChannel: {
      ...ma,
      row: {},
      firstEdit: { url: 'https://hooks.example.com/a', secret: 'a-secret-of-16-characters' },
      mine: { url: 'https://hooks.example.com/b' },
      other: { enabled: 0 },
      whole: { secret: 'b-secret-of-16-characters' },
      // The refusal never tells whether a secret is the saved one.
      keepsMore: true,
    },
    updateWebhook: editsOfWebhook(known.webhookid),
    updateQuietHours: { ...ma, row: {}, firstEdit: { quietfrom: '21:00' }, mine: { quietfrom: '20:00' }, other: { ison: 0 } },
    updateUser: {
      ...ma,
      row: { userid: 'U_SHEN' },
      firstEdit: { realname: '沈宁宁' },
      mine: { realname: '沈凝' },
      other: { post: '组长' },
    },
    updateDept: {
      ...ma,
      row: { deptid },
      firstEdit: { deptname: '心理室' },
      mine: { deptname: '德育处' },
      other: { leader: '马' },
    },
    updateRole: {
      ...ma,
      row: { roleid },
      firstEdit: { rolename: '组长' },
      mine: { rolename: '年级长' },
      other: { remark: '甲' },
    },
    updateMuserMenu: {
      ...fang,
      row: dongshan,
      firstEdit: { menuids: [menuidOf('团体测评'), menuidOf('团体管理')] },
      mine: { menuids: [menuidOf('任务管理')] },
      keepsMore: true,
    },
    updateUserPermissions: {
      ...ma,
      row: { userid: 'U_NOBODY' },
      firstEdit: { codes: [codeOf('group.teams')] },
      mine: { codes: [codeOf('group.tasks')] },
    },
    updateMenu: {
      as: 'super',
      row: { menuid: menuidOf('团体管理') },
      firstEdit: { title: '班级管理' },
      mine: { title: '团队管理' },
      other: { remark: '试用' },
    },
    updateMUser: {
      ...fang,
      row: dongshan,
      firstEdit: { shortname: '东中' },
      mine: { shortname: '东山' },
      other: { address: '东山路 1 号' },
    },
    updateMUserCategory: {
      as: 'super',
      row: { musercode: 'M_RENAI' },
      firstEdit: { parentmusercode: 'JYJ00001' },
      mine: { parentmusercode: 'AS000001' },
    },
    updateMUserClient: {
      ...fang,
      row: { clientcode: 'entry_chenguang' },
      firstEdit: { clienttitle: '心理健康测评' },
      mine: { clienttitle: '心理普测' },
      other: { welcome: '你好' },
    },
    saveConsentSettings: {
      ...fang,
      row: { musercode: 'M_CHENGUANG' },
      firstEdit: { terms: { contactname: '陈老师' }, hotlines },
      mine: { terms: { contactname: '陆老师' }, hotlines },
      other: { terms: { channel: '心理中心' }, hotlines },
    },
    updateCUser: {
      ...chen,
      row: { cuserid: known['cuserid'] },
      firstEdit: { archive: { dorm: '3-201' } },
      mine: { archive: { dorm: '3-202' } },
      other: { focus: 1 },
    },
    updateAssessTask: {
      ...chen,
      row: { taskcode: known['taskcode'] },
      firstEdit: { taskname: '秋季普测' },
      mine: { taskname: '秋季筛查' },
      other: { resultshow: 1 },
    },
    updateArchiveField: {
      ...ma,
      row: { fieldid: known['fieldid'] },
      firstEdit: { fieldname: '入团日期' },
      mine: { fieldname: '参加社团' },
      other: { ordernum: 7 },
    },
    updateQuotaFormOption: {
      ...chen,
      row: { optionid },
      firstEdit: { levelname: '需要关心' },
      mine: { levelname: '需要关注' },
      other: { suggestion: '请联系心理老师。' },
    },
    updateExamStage: {
      ...ma,
      row: { stageid },
      firstEdit: { stagename: '期末' },
      mine: { stagename: '考前' },
      other: { ordernum: 7 },
    },
    updateExamStageForms: {
      ...ma,
      row: { stageid },
      firstEdit: { forms: [{ formcode: 'PHQ9', ordernum: 1 }] },
      mine: { forms: [{ formcode: 'GAD7', ordernum: 1 }] },
    },
    addAppsAndStages: {
      ...fang,
      row: dongshan,
      firstEdit: { items: [{ appid: '000000002', stagecodes: [] }] },
      mine: { items: [{ appid: '000000003', stagecodes: [] }] },
    },
    insertMUserApp: { ...fang, row: dongshan, firstEdit: { appids: ['000000003'] }, mine: { appids: ['000000002'] } },
    updateMUserExamPlan: {
      ...chen,
      row: { plancode: known['plancode'] },
      firstEdit: { planname: '两问卷方案' },
      mine: { planname: '情绪方案' },
      other: { introduce: '两份问卷，约五分钟' },
    },
    updateFollowUp: {
      ...chen,
      row: { followupid: known['followupid'] },
      firstEdit: { planname: '返校随访' },
      mine: { planname: '家访' },
      other: { method: '01' },
    },
    updateConsult: {
      ...chen,
      row: { consultid: known['consultid'] },
      firstEdit: { topics: ['01'] },
      mine: { topics: ['03'] },
      other: { consulttype: '02' },
    },
    updateCounsellorTime: {
      ...chen,
      row: { timeid: known['timeid'] },
      firstEdit: { begintime: '08:30' },
      mine: { begintime: '10:00' },
      other: { room: '二号咨询室' },
    },
    updateInterfere: {
      ...chen,
      row: { interfereid: known['interfereid'] },
      firstEdit: { content: '谈心 30 分钟，情绪平稳' },
      mine: { content: '与班主任一起面谈' },
      other: { minutes: 30 },
    },
    updateWarningRule: {
      ...chen,
      row: { rulecode: known['rulecode'] },
      firstEdit: { name: '考前关注' },
      mine: { name: '考后关注' },
      other: { remark: '试行' },
    },
    updateNorm: {
      ...chen,
      row: { normid: known['normid'] },
      firstEdit: { normname: '初中女生' },
      mine: { normname: '高中女生' },
      other: { sd: 4.5 },
    },
    updateArticle: { ...fang, row: { articleid }, firstEdit: { title: '睡好' }, mine: { title: '好睡' }, other: { istop: 1 } },
    updateMusic: { ...fang, row: { musicid }, firstEdit: { title: '雨声' }, mine: { title: '海浪' }, other: { ordernum: 3 } },
    updateCourse: { ...fang, row: { courseid }, firstEdit: { title: '好眠' }, mine: { title: '安睡' }, other: { price: 100 } },
    updateGoods: { ...fang, row: { goodsid }, firstEdit: { ordernum: 1 }, mine: { ordernum: 2 }, other: { price: 200 } },
    updateLesson: { ...fang, row: { lessonid }, firstEdit: { title: '第一课' }, mine: { title: '开始' }, other: { trial: 1 } },
    updateReportTemplate: {
      ...chen,
      row: { templatecode: known['templatecode'] },
      firstEdit: { templatename: '成长报告' },
      mine: { templatename: '关怀报告' },
      other: { enabled: 0 },
    },
    updateExcelTemplate: {
      as: 'zhou',
      row: { templateid: known['templateid'] },
      firstEdit: { title: '月报表' },
      mine: { title: '季报表' },
    },
    updateExcelCell: {
      as: 'zhou',
      row: { cellid: known['cellid'] },
      firstEdit: { indicator: 'total' },
      mine: { indicator: 'tested' },
      other: { people: 'grade:J1' },
    },
    updateLocalDuties: { ...chen, row: {}, firstEdit: { abusehours: 12 }, mine: { abusehours: 6 }, other: { injuryhours: 48 } },
    updateDuty: {
      ...chen,
      row: {},
      firstEdit: { duty: ['U_CHEN'] },
      mine: { duty: ['U_LU'] },
      other: { weekdays: { 1: ['U_LU'] } },
    },
    updateProfile: {
      as: 'lu',
      row: {},
      firstEdit: { email: 'lu@example.com' },
      mine: { email: 'yuan@example.com' },
      other: { phonenumber: '13900000009' },
    },
    updateToOSSPath: {
      as: 'super',
      row: { fileid },
      firstEdit: { path: 'goods', filename: '春季封面.png' },
      mine: { path: 'goods', filename: '秋季封面.png' },
      other: { path: 'goods', ispublic: 1 },
    },
    insertAssessTeam: {
      ...chen,
      row: { teamcode: known['teamcode'] },
      firstEdit: { teamname: '初二（3）班' },
      mine: { teamname: '初二（4）班' },
      other: { remark: '走读' },
      whole: { teamtype: '01', appid: '000000002' },
    },
  };
}
const shortName = (action: Action) => action.name.slice(action.name.lastIndexOf('.') + 1);
const editActions = actions.filter((action) => action.edits);
/** Actions that change a record without `edits`, each with the reason. */
const withoutVersion: Record<string, string> = {
  saveAiConsent: 'sets one switch',
  saveRetention: 'sets one term',
  saveListView: 'belongs to one account, which saves the whole view that it sees',
  updateConsultForm: 'sets single switches of a list',
  saveConsultNote: 'belongs to one counsellor; the time of the note that was read decides',
  updateReport: 'has a version of its own and shows both texts',
  updatePlanIsCommon: 'sets one switch',
  updateForm: 'saves a whole draft with a row version of its own; the editor offers both drafts',
  updateComment: 'closes the row and adds one; the version must be the present one',
  updateTaskRoster: 'sets one state of a line of the roster',
  updateReferral: 'is a step of a case and carries the version of the case',
  updateWarningLevel: 'is a step of a case and carries the version of the case',
  updateAbsence: 'sets one time',
  updateUserBatch: 'sets one fact of many users; the form of a user meets it as a change of that field',
  saveAnswer: 'belongs to one respondent; the sequence number of the device decides',
  saveOpening: 'stores the step of a wizard',
  saveImportEdits: 'changes the own import of the caller',
  saveUserImportEdits: 'changes the own import of the caller',
  updateListingStatus: 'is a step of the states of goods, which refuse a second one',
  updateInvoice: 'sets the invoice of an order, which buyer and seller fill in turn',
};

test('every action that changes a record says which row it edits, or stands in the list with its reason', () => {
  const changing = actions.filter(({ kind, name }) => kind === 'write' && /\.(update|save)[A-Z]\w*$/.test(name));
  const unexplained = changing.filter((action) => !action.edits && !(shortName(action) in withoutVersion));
  expect(unexplained.map(shortName)).toEqual([]);
  expect(Object.keys(withoutVersion).filter((name) => !changing.some((action) => shortName(action) === name))).toEqual([]);
  for (const { name, request } of editActions)
    expect([name, Object.keys((request as unknown as { shape: object }).shape)]).toEqual([
      name,
      expect.arrayContaining(['version']),
    ]);
});

describe('two people edit the same record', () => {
  const shared = sharedServer();
  let pairs: Promise<Record<string, Pair>> | undefined;
  const call = async (name: string, body: (pair: Pair) => object, version?: number) => {
    const pair = (await (pairs ??= createPairs(shared())))[name] as Pair;
    const action = editActions.find((candidate) => shortName(candidate) === name) as Action;
    const request = { ...pair.row, ...body(pair), ...(version === undefined ? {} : { version }) };
    return shared().raw(action.name, pair.as, request);
  };
  /** The version of the row, told by an edit that every client may send. */
  const versionAfter = (answer: Awaited<ReturnType<typeof call>>) => (answer.data as { version?: number } | null)?.version;

  test('has a pair of edits for every action with a version', async () => {
    pairs ??= createPairs(shared());
    expect(Object.keys(await pairs).sort()).toEqual(editActions.map(shortName).sort());
  });

  test.each(editActions.map(shortName))('%s keeps both edits of different fields and refuses an unseen change', async (name) => {
    const table = (editActions.find((candidate) => shortName(candidate) === name) as Action).edits?.table ?? '';
    const first = await call(name, ({ firstEdit }) => firstEdit, 0);
    expect(first).toMatchObject({ errorCode: 0 });
    const version = versionAfter(first);
    expect(version === undefined || version > 0).toBe(true);
    const pair = (await (pairs as Promise<Record<string, Pair>>))[name] as Pair;
    const refused = await call(name, ({ mine }) => mine, 0);
    expect([name, table, refused]).toMatchObject([
      name,
      table,
      { errorCode: 140002, data: { changes: [{ name: expect.any(String) }] } },
    ]);
    expect(refused.errorMsg).toMatch(/^.+于 \d{4}-\d\d-\d\d \d\d:\d\d 修改了“.+”，请核对后再保存$/);
    if (pair.other) expect(await call(name, ({ other }) => other ?? {}, 0)).toMatchObject({ errorCode: 0 });
    // Their value is still there: the same value again is no conflict, another one is.
    expect(await call(name, ({ firstEdit }) => firstEdit, 0)).toMatchObject({
      errorCode: table === 'cuser' || table === 'consult' || pair.keepsMore ? 140002 : 0,
    });
    // A client of the specification sends no version, and its edit applies.
    expect(await call(name, ({ mine, whole }) => ({ ...whole, ...mine }))).toMatchObject({ errorCode: 0 });
  });
});

describe('用户管理 in two browsers', () => {
  const shared = sharedServer();

  test('a removed role does not come back when a colleague saves another field, and a clash names who changed what', async () => {
    const { as } = shared();
    await aColleague(shared(), { userid: 'U_HE', musercode: 'M_CHENGUANG', realname: '何晴', rolekey: 'psychologist' });
    const read = async () => (await as('ma')(selectUserList, { keyword: '何晴' })).rows[0];
    const opened = await read();
    await as('ma')(updateUser, { userid: 'U_HE', version: opened?.version, roleids: [] });
    await as('ma')(updateUser, { userid: 'U_HE', version: opened?.version, post: '教研组长' });
    expect(await read()).toMatchObject({ roleids: [], post: '教研组长' });
    await expect(
      as('ma')(updateUser, { userid: 'U_HE', version: opened?.version, roleids: opened?.roleids, email: 'he@example.com' }),
    ).rejects.toMatchObject({
      code: 140002,
      data: { changes: [{ field: 'roleids', title: '角色', name: '马主任', after: [] }] },
    });
    expect(await read()).toMatchObject({ roleids: [], email: '' });
  });
});
