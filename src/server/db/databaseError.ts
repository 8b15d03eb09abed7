import { problems, type Problem } from '#contract/problem.ts';

/** The unique indexes that a user can violate, with the Chinese name of the duplicate. */
const duplicates: Record<string, string> = {
  muser_insname: '同名机构',
  auth_account_loginname_key: '该账号',
  account_loginname_key: '该账号',
  dept_name: '同名部门',
  role_key: '相同的角色标识',
  cuser_idno: '相同证件号的受测者',
  archive_studentno: '相同学号的学生',
  archive_employeeno: '相同工号的人员',
  team_name: '本学年同名团体',
  examstage_orgpath_appid_stagecode_key: '相同的阶段编码',
  muserclient_musercode_orgpath_key: '该机构的入口',
};

/** Messages of the driver about a lost connection. These errors carry no code. */
const connectionLost =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed/;

/** Returns the problem of our catalogue for a database error; undefined when the error is a fault of our code. */
export function problemOfDatabaseError(error: unknown): Problem | undefined {
  const { code, constraint, detail } = (error ?? {}) as { code?: string; constraint?: string; detail?: string };
  switch (code) {
    case '23505':
      return constraint && duplicates[constraint] ? problems.duplicate({ what: duplicates[constraint] }) : undefined;
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
