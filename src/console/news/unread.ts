import { releases, type Release } from '#console/news/releases.ts';
import { hasPermission } from '#ui/api/session.ts';

/** Returns the releases with the changes that concern the user. A release without such a change is left out. */
export const ownReleases = (): Release[] =>
  releases
    .map((release) => ({
      ...release,
      changes: release.changes.filter(({ for: guards }) => !guards || guards.some(hasPermission)),
    }))
    .filter(({ changes }) => changes.length > 0);

/** Whether the user has not opened the newest release yet. While somebody acts in the account, nothing is new. */
export const hasNews = ({ releaseread, loginasby }: { releaseread: string; loginasby: string }): boolean =>
  loginasby === '' && ownReleases().some(({ day }) => day > releaseread);
