import { Appid } from '#domain/base/enums.ts';
import { getAppList, getMUserAppList } from '#features/app/choice.contract.ts';
import { chooseApp } from '#features/session/session.contract.ts';
import { call, callWithoutRecovery } from '#ui/api/call.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { appListKeyOf, names } from '#console/storage.ts';

/** Returns the apps of the account's institution, never the custom report's 000000005 (specification section 6). */
export function useApps(isWanted: boolean) {
  const { musercode } = useUser();
  const read = useActionQuery(getMUserAppList, isWanted ? { musercode } : undefined, { quiet: true });
  return { ...read, apps: read.data?.filter((app) => app.enabled === 1 && app.appid !== Appid.custom) };
}

/** The flag of specification section 4: the account has chosen its app in this browser. */
export const hasChosenApp = (): boolean => localStorage.getItem(names.appChosen) === 'true';

/** Keeps the apps of the platform in this browser, all and by group. A failure only leaves them out until the next start. */
export async function keepAppLists(): Promise<void> {
  const apps = await callWithoutRecovery(getAppList, { appid: '' }).catch(() => undefined);
  if (!apps) return;
  localStorage.setItem(names.appList, JSON.stringify(apps));
  for (const appid of Appid.codes.filter((code) => code !== Appid.custom))
    localStorage.setItem(appListKeyOf(appid), JSON.stringify(apps.filter((app) => app.appid === appid)));
}

export async function takeApp(appid: string): Promise<string> {
  const { appname } = await call(chooseApp, { appid });
  localStorage.setItem(names.appname, appname);
  localStorage.setItem(names.appChosen, 'true');
  return appname;
}
