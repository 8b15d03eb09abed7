import type { Action } from '#contract/action.ts';
import * as exportJob from '#contract/exportJob.ts';
import type { Upload } from '#contract/file.ts';
import { exportWorker } from '#server/export/worker.ts';
import * as approval from '#features/approval/approval.contract.ts';
import { insertArchiveField } from '#features/archivefield/archivefield.contract.ts';
import * as assess from '#features/assess/assess.contract.ts';
import { insertQuotaFormOption } from '#features/bandset/bandset.contract.ts';
import * as care from '#features/care/care.contract.ts';
import { insertConsult } from '#features/consult/register/register.contract.ts';
import { insertExcelCell, uploadExcelTemplate } from '#features/exceltemplate/exceltemplate.contract.ts';
import { insertComment } from '#features/comments/comments.contract.ts';
import { insertNorm } from '#features/norm/norm.contract.ts';
import * as file from '#features/file/file.contract.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { emptyTemplate } from '#domain/report/template/template.ts';
import { insertReportTemplate } from '#features/reporttemplate/reporttemplate.contract.ts';
import { insertTeamReport } from '#features/teamreport/teamreport.contract.ts';
import * as casefile from '#features/warning/files/casefile.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import * as rule from '#features/warning/rules/rule.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { exampleOf, fieldsOf } from '#testing/authorisation/example.ts';
import { aWebhookDelivery } from '#testing/authorisation/webhook.ts';
import { aContentFile } from '#testing/content/contents.ts';
import { workbookOf } from '#testing/files/workbook.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import type { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/** A marker in the names of persons and in the texts about them. Only their own institution may receive it. */
export const secretMarker = '金丝雀';
/** A marker in the titles of classes, plans and screenings. The bureau above the school may read it; no institution beside may. */
export const title = '云雀';
export const rosterSheet: Upload = {
  filename: '名单.csv',
  mime: 'text/csv',
  content: Buffer.from(`团体名称,姓名,学号,性别,联系电话\n${title}一班,${secretMarker}庚,9001,女,\n`),
};

const caseDocument: Upload = {
  filename: `${secretMarker}出院小结.pdf`,
  mime: 'application/pdf',
  content: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
};

/** An order of the school with a refund that waits for a second human, and goods of the school, as rows. */
async function anOrder({ sqlAsOwner }: Server) {
  const [orderno, refundno] = ['20251008103000000001', 'R20251008110000000001'];
  const [goods] = await sqlAsOwner<{ goodsid: number }>(
    `insert into goods (musercode, goodsname, goodstype, price, listingstatus, createby)
     values ('M_CHENGUANG', $1, '03', 10000, 1, 'U_MA') returning goodsid::int`,
    [secretMarker],
  );
  await sqlAsOwner(
    `insert into orders (orderno, musercode, sellermusercode, orderstatus, totalamount, payamount, goodscount, paychannel, payno,
       paytime, expiretime, remark, clientkey, createby, createtime, updatetime)
     values ($1, 'M_CHENGUANG', 'M_ANLAN', 3, 10000, 10000, 1, '03', 'B1',
       now(), now(), $2, gen_random_uuid()::text, 'U_MA', now(), now())`,
    [orderno, secretMarker],
  );
  await sqlAsOwner(
    `insert into orderitem (orderno, seq, musercode, goodsid, goodsname, goodstype, price, qty, amount)
     values ($1, 1, 'M_CHENGUANG', $2, $3, '03', 10000, 1, 10000)`,
    [orderno, goods?.goodsid, secretMarker],
  );
  await sqlAsOwner(
    `insert into refund (refundno, orderno, musercode, amount, items, reason, status, askedby, askkeys, createtime)
     values ($1, $2, 'M_CHENGUANG', 10000, '[{"seq": 1, "qty": 1}]', $3, 0, '方敏', '{u:U_FANG}', now())`,
    [refundno, orderno, secretMarker],
  );
  return { goodsid: goods?.goodsid as number, orderno: orderno as string, refundno: refundno as string };
}

/** Creates one record of each kind through the actions. Returns their identifiers by the field names of requests. */
export async function createFixtures(server: Server) {
  const { as, sqlAsOwner, clock } = server;
  const chen = as('chen');
  const { teamcode, pupils } = await addClass(server, {
    teamname: `${title}班`,
    names: [`${secretMarker}甲`, `${secretMarker}乙`, `${secretMarker}丙`],
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
  await answerTask(server, first);
  const begun = await answerTask(server, second, { begin: true });
  const { warningcode } = await chen(handling.insertWarning, {
    cuserid: first.cuserid,
    level: 2,
    content: `${secretMarker}：同学反映近来常常独自哭泣`,
  });
  await chen(handling.acceptWarning, { warningcode });
  const { planid } = await chen(insertSafetyPlan, {
    warningcode,
    ...aSafetyPlan({ warningsigns: secretMarker, helpers: [{ name: secretMarker, phonenumber: '13900001111', isadult: 1 }] }),
  });
  const { followupids } = await chen(care.insertFollowUp, {
    cuserid: first.cuserid,
    warningcode,
    planname: secretMarker,
    duetime: '2025-10-20 09:00',
  });
  const { fieldid } = await as('ma')(insertArchiveField, { appid: '000000002', fieldname: `${title}字段`, kind: 'text' });
  const { interfereid } = await chen(care.insertInterfere, {
    cuserid: first.cuserid,
    warningcode,
    kind: '01',
    content: secretMarker,
  });
  const { consultid } = await chen(insertConsult, {
    cuserid: first.cuserid,
    formcode: 'CONSULTREG',
    answers: { consultdate: '2025-10-08 09:30', topics: ['02'], duration: 1, before: '0', detail: secretMarker },
  });
  await sqlAsOwner(
    `update consult set status = '02', counsellor = 'U_CHEN', slotbegin = timestamptz '2025-10-08 09:00+08',
       slotend = timestamptz '2025-10-08 09:50+08' where consultid = $1`,
    [consultid],
  );
  await chen(special.dischargeWarning, { warningcode, hospital: secretMarker, content: secretMarker });
  const [duty] = await sqlAsOwner<{ dutyid: string }>('select dutyid from warningduty order by dutyid');
  const { jobid } = await chen(exportJob.insertExport, {
    action: 'as.m.cuser.exportCuserList',
    request: { keyword: first.studentno },
  });
  await exportWorker(server.services, {
    dispatch: server.dispatch,
    clock: () => clock.now,
    log: (line) => server.errors.push(line),
  }).drain();
  const { importid } = await chen(roster.checkAssessTeamRoster, {}, rosterSheet);
  clock.now = new Date('2025-10-08T03:00:00Z');
  const [report] = await sqlAsOwner<{ reportcode: string; examcode: string }>(
    'select reportcode, examcode from report where cuserid = $1',
    [first.cuserid],
  );
  const [cuserplan] = await sqlAsOwner<{ cuserplanid: number }>('select cuserplanid from cuserplan where cuserid = $1', [
    third.cuserid,
  ]);
  const [sheet] = await sqlAsOwner<{ examformid: number }>(
    'select examformid from examform where examcode = $1 order by ordernum',
    [begun.examcode],
  );
  await sqlAsOwner("insert into auth.loginlog (loginname, accountid, ok) values ('chen', 'U_CHEN', 1)");
  const notices = await sqlAsOwner<{ id: number }>("select * from notification where musercode = 'M_CHENGUANG'");
  const [guardian] = await sqlAsOwner<{ guardianid: number }>(
    "insert into guardian (cuserid, musercode, name, relation) values ($1, 'M_CHENGUANG', $2, '01') returning guardianid",
    [first.cuserid, `${secretMarker}父`],
  );
  const [referral] = await sqlAsOwner<{ referralid: number }>(
    `insert into referral (warningcode, cuserid, musercode, tohospital, reason, time, updatetime)
     values ($1, $2, 'M_CHENGUANG', $3, $3, now(), now())
     returning referralid`,
    [warningcode, first.cuserid, secretMarker],
  );
  const [review] = await sqlAsOwner<{ reviewid: number }>(
    `insert into examreview (examcode, kind, musercode, cuserid, content, createtime, duetime)
     select examcode, '01', musercode, cuserid, $2, now(), now() from examrecord where examcode = $1
     returning reviewid`,
    [begun.examcode, secretMarker],
  );
  const [call] = await sqlAsOwner<{ callid: number }>(
    `insert into calllist (musercode, userid, kind, warningcode, text, createtime)
     values ('M_CHENGUANG', 'U_LU', 'call', $1, '有预警待处理，请登录', now())
     returning callid`,
    [warningcode],
  );
  const [request] = await sqlAsOwner<{ requestid: string }>(
    `insert into secondrequest (warningcode, cuserid, musercode, subject, summary, userids, askuserid, askaccount, askname, askkeys,
       asktime, duetime)
     values ($1, $2, 'M_CHENGUANG', 'exempt', $3, '{U_LU}', 'U_MA', 'U_MA', '马文博', '{u:U_MA}', now(), now())
     returning requestid`,
    [warningcode, first.cuserid, secretMarker],
  );
  const [move] = await sqlAsOwner<{ moveid: string }>(
    `insert into sheetmove (musercode, kind, examcode, cuserid, tocuserid, status, reason, askuserid, askname, askkeys, asktime)
     select musercode, '01', examcode, cuserid, $2, '01', $3, 'U_MA', '马文博', '{u:U_MA}', now()
     from examrecord where examcode = $1
     returning moveid`,
    [report?.examcode, third.cuserid, secretMarker],
  );
  const [merge] = await sqlAsOwner<{ mergeid: string }>(
    `insert into cusermerge (musercode, cuserid, tocuserid, status, reason, askuserid, askname, askkeys, asktime)
     select musercode, cuserid, $2, '01', $3, 'U_MA', '马文博', '{u:U_MA}', now() from cuser where cuserid = $1
     returning mergeid`,
    [third.cuserid, first.cuserid, secretMarker],
  );
  const [erasure] = await sqlAsOwner<{ anonymizationid: string }>(
    `insert into anonymization (musercode, cuserid, status, reason, askuserid, askname, askkeys, asktime, duetime)
     select musercode, cuserid, '01', $2, 'U_MA', '马文博', '{u:U_MA}', now(), now() + interval '7 days' from cuser where cuserid = $1
     returning anonymizationid`,
    [second.cuserid, secretMarker],
  );
  const [view] = await sqlAsOwner<{ viewid: number }>(
    `insert into listview (musercode, accountid, ownername, list, name, state, isshared, updatetime)
     values ('M_CHENGUANG', 'U_CHEN', '陈静怡', 'as.m.cuser.getCUserPageList', '金丝雀',
       '{"filters": {}, "columns": {}, "widths": {}, "density": "compact"}', 1, now()) returning viewid`,
  );
  const [hours] = await sqlAsOwner<{ timeid: number }>(
    `insert into counsellortime (musercode, userid, weekday, begintime, endtime, room, validfrom)
     values ('M_CHENGUANG', 'U_CHEN', 4, '09:00', '12:00', $1, '2025-09-01') returning timeid`,
    [secretMarker],
  );
  const [off] = await sqlAsOwner<{ offid: number }>(
    `insert into counselloroff (musercode, userid, begintime, endtime, reason)
     values ('M_CHENGUANG', 'U_CHEN', '2025-12-01 09:00+08', '2025-12-02 09:00+08', $1) returning offid`,
    [secretMarker],
  );
  // A 督办 of another authority: the bureau of the tests is a stranger to it.
  const [supervision] = await sqlAsOwner<{ supervisionid: string }>(
    `insert into supervision (musercode, authoritycode, authoritypath, authorityname, state, duedate, createtime)
     select 'M_CHENGUANG', m.musercode, m.orgpath, $1, '01', date '2025-12-31', now() from muser m where m.musercode = 'M_ANLAN'
     returning supervisionid`,
    [secretMarker],
  );
  await sqlAsOwner(
    `insert into supervisionstep (supervisionid, musercode, authoritycode, authoritypath, kind, content, insname, operatorname, time)
     select supervisionid, musercode, authoritycode, authoritypath, 'open', authorityname, authorityname, '某人', now() from supervision`,
  );
  const [message] = await sqlAsOwner<{ messageid: number }>(
    `insert into channelmessage (musercode, channel, noticegroup, noticecount, createtime, attempts, lasterror)
     values ('M_CHENGUANG', 'webhook', 'warning', 1, now(), 8, '连接超时') returning messageid`,
  );
  const form = { filename: `${title}表.xlsx`, mime: '', content: await workbookOf('<row><c r="A1" t="str"><v>表</v></c></row>') };
  const { templateid } = await as('zhou')(uploadExcelTemplate, {}, form);
  const { cellid } = await as('zhou')(insertExcelCell, { templateid, sheetname: '名单', ref: 'A1', indicator: 'period' });
  const { optionid } = await chen(insertQuotaFormOption, { quotacode: 'PHQ9.total', level: 4, levelname: title });
  const { templatecode } = await chen(insertReportTemplate, {
    templatename: `${secretMarker}模板`,
    sections: { ...emptyTemplate(), fields: [...emptyTemplate().fields], sections: [...emptyTemplate().sections] },
  });
  const { teamreportcode } = await chen(insertTeamReport, { scope: { kind: 'task', taskcode } });
  const cuserid = first.cuserid;
  const [archive] = await sqlAsOwner<{ archiveid: number }>('select archiveid::int from cuserarchive where cuserid = $1', [
    cuserid,
  ]);
  const { fileid } = await chen(file.updateToOSS, { biztype: 'case' }, caseDocument);
  const { uploadid } = await chen(upload.startUpload, { biztype: 'case', filename: `${secretMarker}.pdf`, size: 1000 });
  await chen(casefile.attachCaseFile, { warningcode, kind: '03', fileids: [fileid] });
  // A school has no music and courses of its own; these rows only name something to probe.
  const [music] = await sqlAsOwner<{ musicid: number }>(
    `insert into music (musercode, title, fileid, duration, category, licence, audience, status, createby)
     values ('M_CHENGUANG', $1, $2, 60, '01', $1, '03', 1, 'U_MA') returning musicid::int`,
    [secretMarker, await aContentFile(server, { musercode: 'M_CHENGUANG', mime: 'audio/mpeg', biztype: 'music' })],
  );
  const [course] = await sqlAsOwner<{ courseid: number }>(
    `insert into course (musercode, title, audience, status, createby)
     values ('M_CHENGUANG', $1, '03', 1, 'U_MA') returning courseid::int`,
    [secretMarker],
  );
  const [lesson] = await sqlAsOwner<{ lessonid: number }>(
    `insert into lesson (courseid, musercode, title, fileid, duration)
     values ($1, 'M_CHENGUANG', $2, $3, 60) returning lessonid::int`,
    [course?.courseid, secretMarker, fileid],
  );
  const [article] = await sqlAsOwner<{ articleid: number }>(
    `insert into article (musercode, title, content, category, audience, status, publishtime, createby)
     values ('M_CHENGUANG', $1, $2, '01', '03', 1, $3, 'U_MA') returning articleid::int`,
    [secretMarker, `<p>${secretMarker}</p>`, new Date(clock.now.getTime() - 60_000)],
  );
  // The school bought a package of its provider and paid, and sells goods itself, which no school can: the row only names something.
  const order = await anOrder(server);
  const { rulecode } = await chen(rule.insertWarningRule, {
    name: `${secretMarker}规则`,
    warninglevel: 2,
    cond: { any: [{ form: 'PHQ9', score: 'total', gte: 20 }] },
    enabled: 0,
  });
  const { commentid } = await chen(insertComment, { section: 'overall', audience: 'self', template: `${secretMarker}的段落` });
  const { normid } = await chen(insertNorm, {
    quotacode: 'PHQ9.total',
    normname: `${secretMarker}常模`,
    mean: 5,
    sd: 4,
    source: secretMarker,
  });
  // A colleague approves the export of chen, because it contains data of minors.
  const { approvalid } = await chen(approval.insertAccessApproval, {
    call: 'as.m.warning.exportWarningList',
    purpose: `${secretMarker}：月度汇报`,
  });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  await chen(assess.insertKiosk, { kioskname: title });
  return {
    pupils: { first, second, third },
    begun: begun.examcode,
    sheet: sheet?.examformid as number,
    known: {
      cuserid,
      cuserids: [first.cuserid, third.cuserid],
      archiveid: archive?.archiveid,
      kioskid: (await chen(assess.getKioskList, {}))[0]?.kioskid,
      teamcode,
      teamcodes: [teamcode],
      toteamcode: empty,
      notteamcode: empty,
      teamreportcode,
      templateid,
      optionid,
      originids: [optionid],
      templatecode,
      reporttemplatecode: templatecode,
      cellid,
      taskcode,
      parenttaskcode: taskcode,
      plancode,
      copyfrom: plancode,
      ...{ warningcode, refcode: warningcode },
      callids: [call?.callid],
      messageid: String(message?.messageid),
      ...(await aWebhookDelivery(server)),
      dutyid: Number(duty?.dutyid),
      fieldid,
      followupid: followupids[0],
      interfereid,
      planid,
      importid,
      jobid,
      reviewid: review?.reviewid,
      requestid: Number(request?.requestid),
      moveid: Number(move?.moveid),
      mergeid: Number(merge?.mergeid),
      anonymizationid: Number(erasure?.anonymizationid),
      supervisionid: Number(supervision?.supervisionid),
      timeid: hours?.timeid,
      viewid: view?.viewid,
      offid: off?.offid,
      tocuserid: third.cuserid,
      otherexamcode: begun.examcode,
      reportcode: report?.reportcode,
      reportcodes: [report?.reportcode],
      examcode: report?.examcode,
      consultid,
      groupid: consultid,
      cuserplanid: cuserplan?.cuserplanid,
      cuserplanids: [cuserplan?.cuserplanid],
      guardianid: guardian?.guardianid,
      referralid: referral?.referralid,
      fileid,
      uploadid,
      fileids: [fileid],
      logofileid: fileid,
      coverfileid: fileid,
      prooffileid: fileid,
      rulecode,
      commentid,
      normid,
      approvalid,
      ids: notices.map((notice) => Object.values(notice)[0]),
      musercode: 'M_CHENGUANG',
      musercodes: ['M_CHENGUANG'],
      schoolcode: 'M_CHENGUANG',
      owneruserid: 'U_CHEN',
      suspectuserid: 'U_LU',
      fromuserid: 'U_CHEN',
      touserid: 'U_LU',
      parentmusercode: 'M_CHENGUANG',
      frommusercode: 'M_CHENGUANG',
      clientcode: 'entry_chenguang',
      articleid: article?.articleid,
      musicid: music?.musicid,
      // getMediaLink: the first kind of its enumeration is music.
      id: music?.musicid,
      courseid: course?.courseid,
      lessonid: lesson?.lessonid,
      lessonids: [lesson?.lessonid],
      goodsid: order.goodsid,
      orderno: order.orderno,
      refundno: order.refundno,
      voucherfileid: fileid,
      batchno: 'none',
    } as Record<string, unknown>,
  };
}

/** Returns the requests that name records of the school: one with all identifiers, and one for each identifier. */
export function probesOf(action: Action, known: Record<string, unknown>): Record<string, unknown>[] {
  const knownFields = [...fieldsOf(action.request)].filter((name) => known[name] !== undefined);
  const fieldSets = [knownFields, ...knownFields.map((name) => [name])];
  const requests = fieldSets
    .map((names) => exampleOf(action, { formcode: 'PHQ9', ...Object.fromEntries(names.map((name) => [name, known[name]])) }))
    .filter((request) => request !== undefined);
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()].filter((request) =>
    knownFields.some((name) => JSON.stringify(request).includes(`"${name}"`)),
  );
}
