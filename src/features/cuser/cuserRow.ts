import { ageOn, shanghaiTime } from '#domain/base/calendar.ts';
import { describePregnancy } from '#domain/person/gestation.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import type { CUserRow } from '#features/cuser/cuser.queries.ts';

/** Returns a person as the lists of persons answer it, together with the other columns of the row. */
export const toCUserRow = <Row extends CUserRow>(
  { birthday, phonesealed, lastexamtime, createtime, lmpdate, edcdate, deliverydate, ...row }: Row,
  { caller, cipher, now }: Pick<ReadContext<'staff'>, 'caller' | 'cipher' | 'now'>,
) => ({
  ...row,
  ...describePregnancy({ lmpdate, edcdate, deliverydate }, now),
  gender: row.gender as '01' | '02',
  username: displayName(caller, row.username),
  ownername: row.ownername ?? '',
  phonenumber: maskedPhone(cipher, row.musercode, phonesealed),
  age: birthday ? ageOn(birthday, now) : null,
  lastexamtime: lastexamtime && shanghaiTime(lastexamtime),
  createtime: shanghaiTime(createtime),
});
