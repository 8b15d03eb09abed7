import { Appid } from '#domain/base/enums.ts';
import { getMUserAppList } from '#features/app/choice.contract.ts';
import { chooseApp } from '#features/session/session.contract.ts';
import { call } from '#ui/api/call.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { names } from '#console/storage.ts';

/** Returns the apps of the account's institution, never the custom report's 000000005 (specification section 6). */
export function useApps(isWanted: boolean) {
  const { musercode } = useUser();
  const read = useActionQuery(getMUserAppList, isWanted ? { musercode } : undefined, { quiet: true });
  return { ...read, apps: read.data?.filter((app) => app.enabled === 1 && app.appid !== Appid.custom) };
}

/** The flag of specification section 4: the account has chosen its app in this browser. */
export const hasChosenApp = (): boolean => localStorage.getItem(names.appChosen) === 'true';

export async function takeApp(appid: string): Promise<string> {
  const { appname } = await call(chooseApp, { appid });
  localStorage.setItem(names.appname, appname);
  localStorage.setItem(names.appChosen, 'true');
  return appname;
}
