import { call } from '#ui/api/call.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { insertScreenCode } from '#features/bigscreen/screen.contract.ts';

/**
 * Opens 数据大屏 in a new tab of this browser. The tab opens at once, because a browser allows it only within the click; the proof of the
 * identity, when it is due, stays in this tab. The new tab shows its figures when it gets the code.
 */
export async function openScreenHere(): Promise<void> {
  const tab = window.open('/screen#wait', '_blank');
  if (!tab) return notify.warn('浏览器阻止了新窗口，请允许本站打开窗口后再试');
  try {
    const { code } = await call(insertScreenCode, { screenname: '本机浏览器' });
    tab.location.replace(`/screen#${code}`);
  } catch (error) {
    tab.close();
    notifyError(error);
  }
}
