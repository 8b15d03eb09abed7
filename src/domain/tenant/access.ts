/**
 * What kind of account sees what, specification section 6, as one pure function: the markers and exemptions that the
 * server returns and the console obeys. The special accounts are data (table auth.specialaccount), not code.
 */
export interface AccountFacts {
  musercode: string;
  musertype: string;
  /** null when the institution's own account signed in */
  userid: string | null;
  special?: { issuper: 0 | 1; loginas: string; appexempt: 0 | 1; navextra: 0 | 1 } | undefined;
  /** keys of the roles a member of staff holds */
  rolekeys: readonly string[];
}

export interface Access {
  /** codes added to those the account holds */
  extracodes: readonly string[];
  /** holds every code: the super account, signed in as itself */
  issuper: boolean;
  /** landing marker */
  loginas: '' | 'JYJ' | 'FW01';
  /** never sees the dialog of apps */
  appexempt: boolean;
  /** 官网 and 数据大屏 in the navigation bar */
  navextra: boolean;
  /** the statistics directory this account does not have */
  without: 'statistics1' | 'statisticsN';
}

/** What follows from the type of an account, its special settings and its roles: markers, landing page, bar, directories. */
export function accessOf({ musertype, userid, special, rolekeys }: AccountFacts): Access {
  const marker = special?.loginas === 'JYJ' ? 'JYJ' : userid !== null && rolekeys.includes('warningduty') ? 'FW01' : '';
  return {
    extracodes: musertype === '005' ? ['0000901'] : [],
    issuper: special?.issuper === 1 && userid === null,
    loginas: marker,
    appexempt: ['001', '002', '003'].includes(musertype) || special?.appexempt === 1,
    navextra: special?.navextra === 1,
    without: musertype === '004' ? 'statistics1' : 'statisticsN',
  };
}

/** Users with a userid show sysusername; others show username. */
export const shownName = (user: { userid: string | null; sysusername: string; username: string }) =>
  user.userid ? user.sysusername : user.username;

/** Where the catch-all route leads: the landing marker's page, else the first child of the first permitted menu. */
export function landing(loginas: Access['loginas'], firstPermitted: string | undefined): string {
  if (loginas === 'FW01') return '/earlyWarning/earlyWarning';
  if (loginas === 'JYJ') return '/statistics/statistics';
  return firstPermitted ?? '/404';
}
