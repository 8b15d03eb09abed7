import { setGate } from '#ui/call.ts';
import { openGate } from '#console/gates.ts';

/**
 * Refusals a person can cure on the spot. Each opens one dialog, however many requests were refused, and all of them
 * are sent again once it is answered; half-typed work stays where it is.
 */
export function wireGates(): void {
  setGate(110000, () => openGate('signIn'));
  setGate(110005, () => openGate('firstPassword'));
  setGate(110007, () => openGate('prove'));
}
