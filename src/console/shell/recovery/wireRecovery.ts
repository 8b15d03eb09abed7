import { onProblem } from '#ui/api/call.ts';
import { session } from '#ui/api/session.ts';
import { openRecoveryDialog } from '#console/shell/recovery/openRecoveryDialog.ts';
import { actingEnded, reread } from '#console/session.ts';

/**
 * Refusals a person can cure on the spot. Each opens one dialog, however many requests were refused, and all of them
 * are sent again once it is answered; half-typed work stays where it is.
 */
export function wireRecovery(): void {
  let declined = false;
  onProblem(110000, async () => {
    // Whoever acted in another's account does not know its password: they begin again as themselves.
    if (session().user?.loginasby) {
      actingEnded();
      return false;
    }
    // Who has said 取消 is not asked again by a clock in the background, only by their own next step.
    if (declined && navigator.userActivation && !navigator.userActivation.isActive) return false;
    const cured = await openRecoveryDialog('signIn');
    declined = !cured;
    return cured;
  });
  onProblem(110005, () => openRecoveryDialog('firstPassword'));
  onProblem(110007, () => openRecoveryDialog('prove'));
  // The dialog follows from the account itself; what was refused is read anew once it is done.
  onProblem(110010, async () => {
    await reread();
    return false;
  });
}
