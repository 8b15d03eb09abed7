import type { ArchiveValue } from '#domain/person/archive.ts';
import { problems } from '#contract/problem.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import { guardianColumns, encryptPhone, pinyinOf } from '#features/cuser/personColumns.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { withdrawAllAuthorizations } from '#features/assesscount/authorizations/authorize.queries.ts';
import { findOwnFields } from '#features/archivefield/archivefield.queries.ts';
import * as contract from '#features/cuser/cuser.contract.ts';
import { createPerson, noColumns, splitArchive } from '#features/cuser/createPersons.ts';
import * as queries from '#features/cuser/cuser.queries.ts';
import { toCUserRow } from '#features/cuser/cuserRow.ts';
import { assertIdFree, assertNumbersFree } from '#features/cuser/takenNumbers.ts';
import { findOpenCasesOf } from '#features/cuser/leaving/leaving.queries.ts';

const getCUserPageList = handle(contract.getCUserPageList, async (filters, { scope, caller, cipher, now }) => {
  const phonehashes =
    filters.keyword && /^1\d{10}$/.test(filters.keyword)
      ? cipher.blindIndexes(filters.musercode ?? caller.musercode, 'cuser.phone', filters.keyword)
      : undefined;
  const { total, rows } = await queries.findCUsers(scope, {
    ...filters,
    appids: permittedPopulations(caller, filters.appid),
    phonehashes,
    isOneInstitution: caller.isLeaf,
  });
  return {
    total,
    rows: rows.map((row) => toCUserRow(row, { caller, cipher, now })),
  };
});

const insertCUser = handle(contract.insertCUser, async (input, ctx) => {
  const ownFieldsOf = await findOwnFields(ctx.scope, ctx.caller.musercode);
  const missing = ownFieldsOf(input.appid).filter(({ code, isRequired }) => isRequired && !(code in input.archive));
  const archive = { ...input.archive, ...Object.fromEntries(missing.map(({ code }) => [code, null])) };
  const person = await createPerson(ctx, { ...input, archive });
  ctx.audit({ cuserids: [person.cuserid], objectid: person.cuserid });
  return person;
});

const updateCUser = handle(
  contract.updateCUser,
  async ({ cuserid, version: _, archive, guardian, phonenumber, idno, username, ...rest }, ctx) => {
    const { scope, cipher } = ctx;
    const before = await queries.findCUser(scope, cuserid);
    if (!before) throw problems.notFound({ what: '受测者' });
    if (before.anonymizedtime) throw problems.wrongState({ why: '该受测者已匿名化，不能修改' });
    const { musercode, appid } = before;
    if (idno) await assertIdFree(ctx, { appid, idno, musercode, cuserid });
    const changes = {
      ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, value === '' ? null : value])),
      ...(username !== undefined ? { username, ...pinyinOf(username) } : {}),
      ...(phonenumber !== undefined ? encryptPhone(cipher, musercode, phonenumber) : {}),
      ...(idno ? { idtype: '01', idnosealed: null, idnohash: cipher.blindIndex(musercode, 'cuser.idno', idno) } : {}),
      updateby: ctx.caller.accountid,
    };
    const updated = await queries.changeCUser(scope, cuserid, changes);
    if (archive && Object.keys(archive).length > 0) {
      const values = await splitArchive(scope, before, archive);
      await assertNumbersFree(scope, values, { musercode: before.musercode, cuserid });
      const { columns, detail } = values;
      const oldArchive = await queries.findArchive(scope, cuserid, before.appid);
      await queries.changeArchive(
        scope,
        cuserid,
        before.appid,
        columns,
        JSON.stringify({ ...(oldArchive?.detail as object), ...detail }),
      );
    }
    if (guardian) {
      await queries.deleteGuardians(scope, cuserid);
      await queries.insertGuardians(
        scope,
        guardian.map((item) => guardianColumns(cipher, before, item)),
      );
    }
    for (const field of [...Object.keys(archive ?? {}).map((member) => `archive.${member}`), ...(guardian ? ['guardian'] : [])])
      await markEdit(scope, 'cuser', 'cuserid', cuserid, field);
    ctx.audit({
      objectid: cuserid,
      detail: {
        changed: [
          ...Object.keys(rest),
          ...(username !== undefined ? ['username'] : []),
          ...(phonenumber !== undefined ? ['phonenumber'] : []),
          ...(idno ? ['idno'] : []),
          ...Object.keys(archive ?? {}),
          ...(guardian ? ['guardian'] : []),
        ],
      },
    });
    return updated;
  },
);

const deleteCUser = handle(contract.deleteCUser, async ({ cuserids }, { scope, caller, now }) => {
  const { n } = await queries.countExams(scope, cuserids);
  const openCases = await findOpenCasesOf(scope, cuserids);
  if (openCases[0]) {
    // The refusal does not name a case that suspects the caller.
    if (openCases.some(({ warningcode }) => warningcode === null))
      throw problems.inUse({ why: '尚有未办结的事项，不能删除；可改为停用' });
    const names = openCases.map((row) => displayName(caller, row.username)).join('、');
    const data = { cases: openCases.map(({ warningcode, cuserid }) => ({ warningcode, cuserid })) };
    throw problems.inUse({ why: `${names}有未结案的预警，不能删除；可改为停用，预警继续处理` }, { data });
  }
  if (n > 0) throw problems.inUse({ why: '已有测评记录的受测者不能删除，可改为停用；结案后可以匿名化' });
  const { length: deleted } = await queries.removeCUsers(scope, cuserids);
  // A deleted person cannot answer, so their frozen counts return to the institution.
  const operator = caller.accountid;
  await releaseCounts(scope, await withdrawAllAuthorizations(scope, cuserids), { operator, now, remark: '删除受测者' });
  return { deleted };
});

const revealCUser = handle(contract.revealCUser, async ({ cuserid }, { scope, cipher }) => {
  const person = await queries.findCUser(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const { musercode } = person;
  const [archive, guardians] = [
    await queries.findArchive(scope, cuserid, person.appid),
    await queries.findGuardians(scope, cuserid),
  ];
  const decryptPhone = (sealed: string | null) => (sealed ? cipher.decrypt(musercode, 'cuser.phone', sealed) : '');
  const columns = archive
    ? Object.fromEntries(
        (Object.keys(noColumns) as (keyof typeof noColumns)[]).flatMap((key) =>
          archive[key] === null ? [] : [[key, archive[key]]],
        ),
      )
    : {};
  return {
    ...person,
    gender: person.gender as '01' | '02',
    phonenumber: decryptPhone(person.phonesealed),
    hasidno: person.idnohash ? 1 : 0,
    archiveno: archive?.archiveno ?? '',
    archive: { ...(archive?.detail as Record<string, ArchiveValue> | undefined), ...columns } as never,
    guardian: guardians.map((guardian) => ({
      guardianid: guardian.guardianid,
      name: guardian.name,
      relation: guardian.relation,
      phonenumber: decryptPhone(guardian.phonesealed),
    })),
  };
});

export const cuserHandlers = [getCUserPageList, insertCUser, updateCUser, deleteCUser, revealCUser];
