import { ageOn, daysFrom, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { ConsultType, InterfereKind, ReferralStatus, WarningState } from '#domain/base/enums.ts';
import { archiveFieldsOf, type ArchiveFieldDef, type ArchiveValue } from '#domain/person/archive.ts';
import { ArchiveCloseReason, ArchiveStatus, DueState, REOPEN_DAYS } from '#domain/person/archiveStates.ts';
import { describePregnancy } from '#domain/person/gestation.ts';
import { proposeStage } from '#domain/person/stage.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { withdrawAllAuthorizations } from '#features/assesscount/authorizations/authorize.queries.ts';
import { findOwnFields } from '#features/archivefield/archivefield.queries.ts';
import { createArchive } from '#features/cuser/createPersons.ts';
import { findCUser, findGuardians } from '#features/cuser/cuser.queries.ts';
import { findOpenCasesOf } from '#features/cuser/leaving/leaving.queries.ts';
import * as contract from '#features/archive/archive.contract.ts';
import * as queries from '#features/archive/archive.queries.ts';
import { findOwnColumns } from '#features/archive/ownColumns.ts';
import { countDue, judgeDue, sortDue } from '#features/archive/judgeDue.ts';
import { findTimeline, type TimelineRow } from '#features/archive/timeline.queries.ts';

const LINK_MS = 10 * 60_000;

/** The blind index of a whole telephone number; undefined for another keyword. */
const phonehashOf = ({ cipher, caller }: Pick<ReadContext<'staff'>, 'cipher' | 'caller'>, keyword = '', musercode?: string) =>
  /^1\d{10}$/.test(keyword) ? cipher.blindIndexes(musercode ?? caller.musercode, 'cuser.phone', keyword) : undefined;

/** The values of an archive: columns and detail. */
const valuesOf = ({
  detail,
  ...columns
}: Pick<
  queries.ArchiveListRow,
  'detail' | 'studentno' | 'employeeno' | 'gradename' | 'classname' | 'unitname' | 'lmpdate' | 'edcdate' | 'deliverydate'
>): Record<string, ArchiveValue> => ({
  ...detail,
  studentno: columns.studentno,
  employeeno: columns.employeeno,
  gradename: columns.gradename,
  classname: columns.classname,
  unitname: columns.unitname,
  lmpdate: columns.lmpdate,
  edcdate: columns.edcdate,
  deliverydate: columns.deliverydate,
});

/** The values of the fields that fulfil a condition. */
function pick(
  appid: string,
  own: readonly ArchiveFieldDef[],
  values: Record<string, ArchiveValue>,
  isChosen: (field: ArchiveFieldDef) => boolean,
) {
  const chosen: Record<string, ArchiveValue> = {};
  for (const field of [...(archiveFieldsOf[appid] ?? []), ...own]) {
    const value = values[field.code];
    if (isChosen(field) && value !== undefined && value !== null && value !== '') chosen[field.code] = value;
  }
  return chosen as Record<string, never>;
}

/** Why an archive has no stage today; '' when it has one. */
const stageNoteOf = (
  row: Pick<queries.ArchiveListRow, 'stagecode' | 'appid' | 'opendate' | 'lmpdate' | 'edcdate' | 'deliverydate'>,
  today: string,
) => (row.stagecode === null ? proposeStage({ ...row, sheets: [] }, today).note : '');

const getCUserArchivePageList = handle(contract.getCUserArchivePageList, async (filters, ctx) => {
  const { scope, caller, cipher, now } = ctx;
  const today = shanghaiDate(now);
  const own = await findOwnColumns(ctx, filters);
  const { total, rows } = await queries.findArchives(scope, {
    ...filters,
    own,
    today,
    appids: permittedPopulations(caller, filters.appid),
    phonehashes: phonehashOf(ctx, filters.keyword, filters.musercode),
  });
  const stageName = await queries.findStageNames(scope);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      gender: row.gender as '01' | '02',
      username: displayName(caller, row.username),
      phonenumber: maskedPhone(cipher, row.musercode, row.phonesealed),
      age: row.birthday ? ageOn(row.birthday, now) : null,
      ownername: row.ownername ?? '',
      stagecode: row.stagecode ?? '',
      stagename: stageName(row.appid, row.stagecode),
      stagenote: stageNoteOf(row, today),
      lastexamtime: row.lastexamtime && shanghaiTime(row.lastexamtime),
      createtime: shanghaiTime(row.createtime),
      ...(({ gestation, edcdate }) => ({ gestation, edcdate }))(describePregnancy(row, now)),
      fields: pick(
        row.appid,
        row.musercode === own.musercode ? own.fieldsOf(row.appid) : [],
        valuesOf(row),
        (field) => field.inList === true && !field.isSensitive,
      ),
    })),
  };
});

const getDuePageList = handle(
  contract.getDuePageList,
  async ({ page, pageSize, orderby, isasc, due, stagecode, ...filters }, ctx) => {
    const { scope, caller, now } = ctx;
    permittedPopulations(caller, filters.appid);
    const musercode = filters.musercode ?? caller.musercode;
    const phonehashes = phonehashOf(ctx, filters.keyword, musercode);
    const judged = await judgeDue(scope, {
      musercode,
      appid: filters.appid,
      now,
      ...(filters.keyword ? { keyword: filters.keyword } : {}),
      ...(phonehashes ? { phonehashes } : {}),
    });
    const matching = judged
      .filter(({ state, missed }) => (due === DueState.missed ? missed.length > 0 : due ? state === due : state !== null))
      .filter((entry) => !stagecode || entry.stagecode === stagecode);
    if (orderby) sortDue(matching, orderby, isasc === '1');
    const stageName = await queries.findStageNames(scope);
    return {
      total: matching.length,
      counts: countDue(judged),
      rows: matching.slice((page - 1) * pageSize, page * pageSize).map(({ row, state, stagecode: code, until, missed }) => ({
        cuserid: row.cuserid,
        username: displayName(caller, row.username),
        gender: row.gender as '01' | '02',
        age: row.birthday ? ageOn(row.birthday, now) : null,
        appid: row.appid,
        belongs: row.belongs,
        archiveno: row.archiveno,
        number: row.number,
        ...(({ gestation, edcdate }) => ({ gestation, edcdate }))(describePregnancy(row, now)),
        due: state ?? DueState.missed,
        stagecode: code ?? '',
        stagename: stageName(row.appid, code),
        until,
        missed: missed.map((missedcode) => stageName(row.appid, missedcode)),
        lastexamtime: row.lastexamtime && shanghaiTime(row.lastexamtime),
        ownername: row.ownername ?? '',
      })),
    };
  },
);

/** The title of an entry of the timeline. */
function titleOf({ type, title, code }: TimelineRow): string {
  switch (type) {
    case 'report':
      return `完成测评${title ? `：${title}` : ''}`;
    case 'exam':
      if (code === 'void') return `答卷已作废${title ? `：${title}` : ''}`;
      return `完成测评${title ? `：${title}` : ''}${code === '0' ? '（作答存疑）' : code === 'withheld' ? '（待补同意，报告暂不可看）' : ''}`;
    case 'warning':
      return `预警（${WarningState.label(code)}）`;
    case 'interview':
      return '风险访谈';
    case 'referral':
      return `转介${title ? `至${title}` : ''}（${ReferralStatus.label(code)}）`;
    case 'interfere':
      return `干预：${InterfereKind.label(code)}`;
    case 'followup':
      return `${title || '随访'}（${code === '02' ? '已完成' : code === '04' ? '失访' : '待随访'}）`;
    case 'consult':
      return `${code === 'met' ? '心理咨询' : '咨询登记'}（${ConsultType.label(title)}）`;
    default:
      return code === 'open' ? `建档 ${title}` : `档案结束 ${title}：${ArchiveCloseReason.label(code)}`;
  }
}

const getCUserArchive = handle(contract.getCUserArchive, async ({ cuserid, appid, before }, ctx) => {
  const { scope, caller, cipher, now } = ctx;
  const today = shanghaiDate(now);
  const person = await queries.findPersonArchive(scope, cuserid, appid, today);
  const populations = permittedPopulations(caller, appid);
  if (!person || (populations && !populations.includes(person.appid))) throw problems.notFound({ what: '档案' });
  const archives = await queries.findAllArchives(scope, cuserid);
  const ownFieldsOf = await findOwnFields(scope, person.musercode);
  const guardians = await findGuardians(scope, cuserid);
  const consents = await queries.findConsents(scope, cuserid);
  const timeline = await findTimeline(scope, cuserid, {
    cases: canReadField(caller, 'cases'),
    consults: caller.codes.has(codeOf('consult.forms')),
    before,
  });
  const stageName = await queries.findStageNames(scope);
  const pregnancy = describePregnancy(person, now);
  return {
    cuser: {
      ...person,
      gender: person.gender as '01' | '02',
      username: displayName(caller, person.username),
      phonenumber: maskedPhone(cipher, person.musercode, person.phonesealed),
      age: person.birthday ? ageOn(person.birthday, now) : null,
      anonymized: person.anonymized ? 1 : 0,
      ownername: person.ownername ?? '',
      lastexamtime: person.lastexamtime && shanghaiTime(person.lastexamtime),
      stagecode: person.stagecode ?? '',
      stagename: stageName(person.appid, person.stagecode),
      stagenote: stageNoteOf(person, today),
      gestation: pregnancy.gestation,
    },
    archives: archives
      .filter((archive) => !populations || populations.includes(archive.appid))
      .map((archive) => {
        const values = valuesOf({ ...archive, detail: archive.detail as Record<string, ArchiveValue> });
        const own = ownFieldsOf(archive.appid);
        return {
          archiveid: archive.archiveid,
          appid: archive.appid,
          archiveno: archive.archiveno,
          status: archive.status,
          iscurrent: archive.iscurrent,
          opendate: archive.opendate,
          closedate: archive.closedate,
          closereason: archive.closereason as CodeOf<typeof ArchiveCloseReason> | null,
          closenote: archive.closenote ?? '',
          canreopen: canReopen(archive, today) ? 1 : 0,
          fields: pick(archive.appid, own, values, (field) => !field.isSensitive && field.code !== 'caregiverphone'),
          hidden: Object.keys(
            pick(archive.appid, own, values, (field) => field.isSensitive === true || field.code === 'caregiverphone'),
          ),
        };
      }),
    guardians: guardians.map(({ name, relation, phonesealed }) => ({
      name: displayName(caller, name),
      relation,
      phonenumber: maskedPhone(cipher, person.musercode, phonesealed),
    })),
    consents: consents.map(({ agreetime, withdrawtime, hassignature, ...consent }) => ({
      ...consent,
      agreetime: shanghaiTime(agreetime),
      withdrawtime: withdrawtime && shanghaiTime(withdrawtime),
      hassignature: hassignature ? 1 : 0,
    })),
    examcount: person.examcount,
    timeline: timeline.rows.map((entry) => ({
      time: shanghaiTime(entry.time),
      cursor: entry.cursor,
      type: entry.type,
      title: titleOf(entry),
      refcode: entry.refcode,
      level: entry.level,
    })),
    hasmore: timeline.hasmore ? 1 : 0,
  };
});

interface ClosedArchive {
  status: number;
  iscurrent: number;
  closedate: string | null;
}
const canReopen = ({ status, iscurrent, closedate }: ClosedArchive, today: string): boolean =>
  status === ArchiveStatus.closed && iscurrent === 1 && closedate !== null && daysFrom(closedate, today) <= REOPEN_DAYS;

const deleteCUserArchive = handle(contract.deleteCUserArchive, async ({ archiveid, closereason, closenote }, ctx) => {
  const { scope, caller, now } = ctx;
  const archive = await queries.lockArchive(scope, archiveid);
  if (!archive) throw problems.notFound({ what: '档案' });
  permittedPopulations(caller, archive.appid);
  if (archive.status === ArchiveStatus.closed) throw problems.wrongState({ why: '该档案已结束' });
  const [openCase] = await findOpenCasesOf(scope, [archive.cuserid]);
  if (openCase)
    throw problems.inUse({
      why: `${openCase.warningcode ? '该受测者有未结案的预警' : '尚有未办结的事项'}，不能结束档案；请先办结`,
    });
  await queries.changeArchiveState(scope, archiveid, {
    status: ArchiveStatus.closed,
    closedate: shanghaiDate(now),
    closereason,
    closenote: closenote || null,
  });
  const returned = await withdrawAllAuthorizations(scope, [archive.cuserid], archive.appid);
  await releaseCounts(scope, returned, { operator: caller.accountid, now, remark: '结束档案' });
  ctx.audit({ cuserids: [archive.cuserid], objectid: archive.cuserid, detail: { archiveno: archive.archiveno, closereason } });
  return { released: returned.reduce((sum, { qty }) => sum + qty, 0) };
});

const openCUserArchive = handle(contract.openCUserArchive, async ({ cuserid, appid, isnew }, ctx) => {
  const { scope, caller, now } = ctx;
  permittedPopulations(caller, appid);
  const person = await findCUser(scope, cuserid);
  if (!person || person.anonymizedtime) throw problems.notFound({ what: '受测者' });
  const current = await queries.lockCurrentArchive(scope, cuserid, appid);
  if (current?.status === ArchiveStatus.open) throw problems.duplicate({ what: '在管的档案' });
  const isReopened = current !== undefined && isnew === 0 && canReopen(current, shanghaiDate(now));
  if (isReopened)
    await queries.changeArchiveState(scope, current.archiveid, {
      status: ArchiveStatus.open,
      closedate: null,
      closereason: null,
      closenote: null,
    });
  else if (current) await queries.changeArchiveState(scope, current.archiveid, { iscurrent: 0 });
  const { archiveid, archiveno } = isReopened
    ? current
    : await createArchive(ctx, { cuserid, musercode: person.musercode, appid, before: current });
  ctx.audit({ objectid: cuserid, detail: { archiveno, isnew: isReopened ? 0 : 1 } });
  return { archiveid, archiveno, isnew: isReopened ? 0 : 1 };
});

const getSignaturePicture = handle(contract.getSignaturePicture, async ({ cuserid, examcode }, ctx) => {
  const { scope, caller, storage, now } = ctx;
  const person = await findCUser(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  permittedPopulations(caller, person.appid);
  const signature = await queries.findSignature(scope, cuserid, examcode, now);
  if (!signature) return null;
  const { path: key, filename, mime, agreetime, subject, consentversion } = signature;
  const url = storage.signedUrl({ key, filename, mime }, new Date(now.getTime() + LINK_MS));
  return { url, agreetime: shanghaiTime(agreetime), subject, consentversion };
});

export const archiveHandlers = [
  getCUserArchivePageList,
  getDuePageList,
  getCUserArchive,
  deleteCUserArchive,
  openCUserArchive,
  getSignaturePicture,
];
