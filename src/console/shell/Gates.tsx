import { useEffect } from 'react';
import { later } from '#ui/later.tsx';
import { useMaybeUser } from '#ui/session.ts';
import { openGate, useGate } from '#console/gates.ts';

const SignInAgain = later(() => import('#console/shell/SignInAgain.tsx').then((file) => file.SignInAgain));
const ProveAgain = later(() => import('#console/shell/ProveAgain.tsx').then((file) => file.ProveAgain));
const FirstPassword = later(() => import('#console/shell/FirstPassword.tsx').then((file) => file.FirstPassword));
const EnrolGate = later(() => import('#console/shell/EnrolGate.tsx').then((file) => file.EnrolGate));

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
