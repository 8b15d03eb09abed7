import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import * as contract from '#features/identity/duplicates.contract.ts';
import * as queries from '#features/identity/duplicates.queries.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

const getDuplicatePageList = handle(
  contract.getDuplicatePageList,
  async ({ musercode, page, pageSize }, { scope, caller, cipher }) => {
    const { total, rows } = await queries.findPairs(scope, {
      musercode: musercode ?? caller.musercode,
      appids: permittedPopulations(caller),
      page,
      pageSize,
    });
    const persons = new Map(
      (
        await queries.findCandidates(
          scope,
          rows.flatMap((row) => [row.cuserid, row.othercuserid]),
        )
      ).map(({ phonesealed, lastexamtime, ...row }) => [
        row.cuserid,
        {
          ...row,
          gender: row.gender as '01' | '02',
          username: displayName(caller, row.username),
          phonenumber: maskedPhone(cipher, row.musercode, phonesealed),
          archiveno: row.archiveno ?? '',
          opendate: row.opendate ?? '',
          lastexamtime: lastexamtime && shanghaiTime(lastexamtime),
        },
      ]),
    );
    return {
      total,
      rows: rows.map(({ cuserid, othercuserid, samebirthday, samephone, sameclass }) => ({
        samebirthday: samebirthday ? 1 : 0,
        samephone: samephone ? 1 : 0,
        sameclass: sameclass ? 1 : 0,
        persons: [cuserid, othercuserid].flatMap((code) => persons.get(code) ?? []),
      })),
    };
  },
);

const keepDistinct = handle(contract.keepDistinct, async ({ cuserids }, { scope, caller, now }) => {
  const persons = await queries.findCandidates(scope, cuserids);
  const [one, other] = persons;
  if (!one || !other) throw problems.notFound({ what: '受测者' });
  if (one.musercode !== other.musercode) throw problems.wrongState({ why: '两名受测者不在同一机构' });
  await queries.addDistinct(scope, [one.cuserid, other.cuserid], {
    musercode: one.musercode,
    time: now,
    ...operatorOf(caller),
  });
  return {};
});

export const duplicateHandlers = [getDuplicatePageList, keepDistinct];
