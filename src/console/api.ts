import { setGate } from '#ui/call.ts';
import { openGate } from '#console/gates.ts';

/**
 * Refusals a person can cure on the spot. Each opens one dialog, however many requests were refused, and all of them
 * are sent again once it is answered; half-typed work stays where it is.
 */
export function wireGates(): void {
  let declined = false;
  setGate(110000, async () => {
    // Who has said 取消 is not asked again by a clock in the background, only by their own next step.
    if (declined && navigator.userActivation && !navigator.userActivation.isActive) return false;
    const cured = await openGate('signIn');
    declined = !cured;
    return cured;
  });
  setGate(110005, () => openGate('firstPassword'));
  setGate(110007, () => openGate('prove'));
}
