import { useEffect } from 'react';
import { useMaybeUser } from '#ui/session.ts';
import { openGate, useGate } from '#console/gates.ts';
import { FirstPassword } from '#console/shell/FirstPassword.tsx';
import { ProveAgain } from '#console/shell/ProveAgain.tsx';
import { SignInAgain } from '#console/shell/SignInAgain.tsx';

/** The dialogs behind refusals 110000, 110005 and 110007. */
export function Gates() {
  const gate = useGate();
  const must = useMaybeUser()?.mustchangepwd ?? false;
  useEffect(() => {
    if (must) void openGate('firstPassword');
  }, [must]);
  if (gate?.name === 'signIn') return <SignInAgain close={gate.close} />;
  if (gate?.name === 'prove') return <ProveAgain close={gate.close} />;
  if (gate?.name === 'firstPassword') return <FirstPassword />;
  return null;
}
