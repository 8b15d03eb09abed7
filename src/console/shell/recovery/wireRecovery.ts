import { onProblem } from '#ui/api/call.ts';
import { session } from '#ui/api/session.ts';
import { openRecoveryDialog } from '#console/shell/recovery/openRecoveryDialog.ts';
import { actingEnded, reread } from '#console/session.ts';

/**
 * Connects problem codes to their dialogs. However many requests were refused, one dialog opens. After it all of them are sent
 * again, and unsaved input stays.
 */
export function wireRecovery(): void {
  let declined = false;
  onProblem(110000, async () => {
    // Staff who acted in another account do not know its password: they sign in with their own account.
    if (session().user?.loginasby) {
      actingEnded();
      return false;
    }
    // After 取消 a background timer does not open the dialog again; only an action of the person does.
    if (declined && navigator.userActivation && !navigator.userActivation.isActive) return false;
    const cured = await openRecoveryDialog('signIn');
    declined = !cured;
    return cured;
  });
  onProblem(110005, () => openRecoveryDialog('firstPassword'));
  onProblem(110007, () => openRecoveryDialog('prove'));
  // The account itself opens this dialog. Refused reads run again when it closes.
  onProblem(110010, async () => {
    await reread();
    return false;
  });
}
