import { useEffect } from 'react';
import { useMaybeUser } from '#ui/session.ts';
import { openGate, useGate } from '#console/gates.ts';
import { EnrolGate } from '#console/shell/EnrolGate.tsx';
import { FirstPassword } from '#console/shell/FirstPassword.tsx';
import { ProveAgain } from '#console/shell/ProveAgain.tsx';
import { SignInAgain } from '#console/shell/SignInAgain.tsx';

/** The dialogs behind refusals 110000, 110005, 110007 and 110010. */
export function Gates() {
  const gate = useGate();
  const { mustchangepwd: must = false, mustenrol: enrol = false } = useMaybeUser() ?? {};
  useEffect(() => {
    if (must) void openGate('firstPassword');
  }, [must]);
  return (
    <>
      {enrol && !must && <EnrolGate />}
      {gate?.name === 'signIn' && <SignInAgain close={gate.close} />}
      {gate?.name === 'prove' && <ProveAgain close={gate.close} />}
      {gate?.name === 'firstPassword' && <FirstPassword />}
    </>
  );
}
