import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName, personPhone } from '#contract/fieldAccess.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/** 疑似重复: persons of one institution who are probably the same (supplement-people-statistics.md, section 5). */

const readers = forTypes(CARE_TYPES, staffOf('roster.edit', 'report.edit'));
const cuserid = z.string().max(20);

const candidate = {
  cuserid: z.string(),
  username: personName(),
  gender: z.enum(Gender.codes),
  birthday: z.string().nullable(),
  phonenumber: personPhone(),
  appid: z.string(),
  archiveno: z.string(),
  /** student, employee or booking number */
  studentno: z.string(),
  belongs: z.string(),
  examcount: z.number(),
  lastexamtime: z.string().nullable(),
  opendate: z.string(),
};

/**
 * Lists pairs of persons of an institution who are probably the same: equal name and birthday or telephone, or equally sounding names in
 * one class. Pairs that staff have found to be different are left out.
 */
export const getDuplicatePageList = defineAction({
  name: 'as.m.cuser.getDuplicatePageList',
  title: '查询疑似重复',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({ musercode: z.string().max(20).optional().describe('机构') }),
  response: pageOf(
    z.object({
      /** equal birthday, equal telephone, one class */
      samebirthday: z.number(),
      samephone: z.number(),
      sameclass: z.number(),
      persons: z.array(z.object(candidate)),
    }),
  ),
});

/** Remembers that two persons are different: the pair leaves the queue. */
export const keepDistinct = defineAction({
  name: 'as.m.cuser.keepDistinct',
  title: '标记不是同一人',
  allow: readers,
  kind: 'write',
  person: ({ cuserids }) => cuserids,
  request: z.strictObject({ cuserids: z.array(cuserid).length(2).describe('受测者') }),
  response: z.object({}),
});
