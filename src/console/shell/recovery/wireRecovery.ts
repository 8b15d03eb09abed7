import { setGate } from '#ui/api/call.ts';
import { session } from '#ui/api/session.ts';
import { openGate } from '#console/shell/recovery/recoveryDialogs.ts';
import { actingEnded, reread } from '#console/session.ts';

/**
 * Refusals a person can cure on the spot. Each opens one dialog, however many requests were refused, and all of them
 * are sent again once it is answered; half-typed work stays where it is.
 */
export function wireGates(): void {
  let declined = false;
  setGate(110000, async () => {
    // Whoever acted in another's account does not know its password: they begin again as themselves.
    if (session().user?.loginasby) {
      actingEnded();
      return false;
    }
    // Who has said 取消 is not asked again by a clock in the background, only by their own next step.
    if (declined && navigator.userActivation && !navigator.userActivation.isActive) return false;
    const cured = await openGate('signIn');
    declined = !cured;
    return cured;
  });
  setGate(110005, () => openGate('firstPassword'));
  setGate(110007, () => openGate('prove'));
  // The dialog follows from the account itself; what was refused is read anew once it is done.
  setGate(110010, async () => {
    await reread();
    return false;
  });
}
