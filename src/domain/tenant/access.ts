/**
 * The markers and exemptions of each kind of account (specification section 6), as one pure function. The server returns
 * them and the console applies them. The special accounts are rows of the table auth.specialaccount, not code.
 */
export interface AccountFacts {
  musercode: string;
  musertype: string;
  /** null for the institution's own account */
  userid: string | null;
  special?: { issuper: 0 | 1; loginas: string; appexempt: 0 | 1; navextra: 0 | 1 } | undefined;
  /** keys of the roles of a member of staff */
  rolekeys: readonly string[];
}

/** The role that has every route (specification section 6). In an institution it means every route that the institution has. */
export const adminRoleKey = 'admin';

export interface Access {
  /** keys of the roles; the super account has the role admin */
  roles: readonly string[];
  /** permission codes that the account gets besides its own */
  extracodes: readonly string[];
  /** has every code: the super account, when no member of staff signed in */
  issuper: boolean;
  /** marker that selects the landing page */
  loginas: '' | 'JYJ' | 'FW01';
  /** the console never shows the dialog of apps */
  appexempt: boolean;
  /** 官网 and 数据大屏 in the navigation bar */
  navextra: boolean;
  /** the statistics directory that this account does not have */
  without: 'statistics1' | 'statisticsN';
}

/** The access of an account, from its type, its special settings and its roles: markers, landing page, bar, directories. */
export function accessOf({ musertype, userid, special, rolekeys }: AccountFacts): Access {
  const landingMarker = special?.loginas === 'JYJ' ? 'JYJ' : userid !== null && rolekeys.includes('warningduty') ? 'FW01' : '';
  const issuper = special?.issuper === 1 && userid === null;
  return {
    roles: issuper ? [adminRoleKey] : rolekeys,
    extracodes: musertype === '005' ? ['0000901'] : [],
    issuper,
    loginas: landingMarker,
    appexempt: ['001', '002', '003'].includes(musertype) || special?.appexempt === 1,
    navextra: special?.navextra === 1,
    without: musertype === '004' ? 'statistics1' : 'statisticsN',
  };
}

/** The name that the console shows: sysusername for a member of staff, username for an institution. */
export const accountName = (user: { userid: string | null; sysusername: string; username: string }) =>
  user.userid ? user.sysusername : user.username;

/** The path of the landing page: the page of the landing marker, else the first permitted screen. */
export function landingPathOf(loginas: Access['loginas'], firstPermitted: string | undefined): string {
  if (loginas === 'FW01') return '/earlyWarning/earlyWarning';
  if (loginas === 'JYJ') return '/statistics/statistics';
  return firstPermitted ?? '/404';
}
