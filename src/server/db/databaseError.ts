import type { Action } from '#contract/action.ts';
import { schemaOf } from '#contract/fieldTitles.ts';
import { problems, type Problem } from '#contract/problem.ts';

/** The unique indexes that a user can violate, with the Chinese name of the duplicate and the request fields that can name it. */
const duplicates: Record<string, { what: string; fields: readonly string[] }> = {
  muser_insname: { what: '同名机构', fields: ['insname', 'parentmusercode'] },
  auth_account_loginname_key: { what: '该账号', fields: ['sysusername', 'username'] },
  account_loginname_key: { what: '该账号', fields: ['sysusername', 'username'] },
  dept_name: { what: '同名部门', fields: ['deptname'] },
  role_key: { what: '相同的角色标识', fields: ['rolekey'] },
  cuser_idno: { what: '相同证件号的受测者', fields: ['idno'] },
  archive_studentno: { what: '相同学号的学生', fields: ['archive.studentno', 'cuser.archive.studentno'] },
  archive_employeeno: { what: '相同工号的人员', fields: ['archive.employeeno', 'cuser.archive.employeeno'] },
  team_name: { what: '本学年同名团体', fields: ['teamname'] },
  examstage_orgpath_appid_stagecode_key: { what: '相同的阶段编码', fields: ['stagecode'] },
  muserclient_musercode_orgpath_key: { what: '该机构的入口', fields: ['musercode'] },
};

/** The exclusion constraints that a user can violate, with the refusal and the request fields that can name the cause. */
const overlaps: Record<string, { why: string; fields: readonly string[] }> = {
  consult_counsellor_booked: { why: '该咨询师在这个时间已有预约', fields: ['slotbegin'] },
  consult_person_booked: { why: '该受测者在这个时间已有预约', fields: ['slotbegin'] },
  consult_room_booked: { why: '该咨询室在这个时间已有预约', fields: ['room', 'slotbegin'] },
  consult_group_together: { why: '同一团体场次的时间须一致', fields: ['slotbegin'] },
};

/** Returns the refusal of a time that is taken, at the field of the request that causes it. */
function toOverlap(constraint: string | undefined, action: Action | undefined): Problem | undefined {
  const overlap = constraint === undefined ? undefined : overlaps[constraint];
  const field = overlap?.fields.find((path) => action && schemaOf(action.request, [path]));
  return overlap && problems.wrongState({ why: overlap.why }, { field });
}

/** Returns the refusal of a duplicate at the field of the request that causes it. */
function toDuplicate(constraint: string | undefined, action: Action | undefined): Problem | undefined {
  const duplicate = constraint === undefined ? undefined : duplicates[constraint];
  // The members of an archive are no schema of their own.
  const hasField = (path: string) => action && schemaOf(action.request, path.replace(/^(.*archive)\..*$/, '$1').split('.'));
  const field = duplicate?.fields.find(hasField);
  return duplicate && problems.duplicate({ what: duplicate.what }, { field });
}

/** Messages of the driver about a lost connection. These errors carry no code. */
const connectionLost =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed/;

/** Returns the problem of our catalogue for a database error of a call; undefined when the error is a fault of our code. */
export function problemOfDatabaseError(error: unknown, action?: Action): Problem | undefined {
  const { code, constraint, detail } = (error ?? {}) as { code?: string; constraint?: string; detail?: string };
  switch (code) {
    case '23505':
      return toDuplicate(constraint, action);
    case '23P01': // two times overlap
      return toOverlap(constraint, action);
    case '23503':
      // The institution is being moved at this moment, so its path has changed.
      if (constraint?.includes('musercode_orgpath')) return problems.serverBusy();
      return detail?.includes('still referenced')
        ? problems.inUse({ why: '已被使用，不能删除' })
        : problems.notFound({ what: '所选内容' });
    case '22003': // a number too large for its column
    case '22007': // not a time
    case '22008': // a time out of range
    case '22021': // characters that no text may contain
    case '22P05':
      return problems.invalid({ message: '填写的内容超出允许的范围' });
    case '40001': // serialization failure
    case '40P01': // deadlock
    case '55P03': // lock timeout
    case '57014': // statement timeout
    case '53300': // too many connections
    case '57P01': // the server is stopping
    case '57P03': // the server is starting
    case '53100': // disk full
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ENOENT':
      return problems.serverBusy();
    default:
      return error instanceof Error && connectionLost.test(error.message) ? problems.serverBusy() : undefined;
  }
}
