import { useEffect } from 'react';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useMaybeUser } from '#ui/api/session.ts';
import { openRecoveryDialog, useRecoveryDialog } from '#console/shell/recovery/openRecoveryDialog.ts';

const SignInAgain = lazyDialog(() => import('#console/shell/recovery/SignInAgain.tsx').then((file) => file.SignInAgain));
const ProveAgain = lazyDialog(() => import('#console/shell/recovery/ProveAgain.tsx').then((file) => file.ProveAgain));
const FirstPassword = lazyDialog(() => import('#console/shell/recovery/FirstPassword.tsx').then((file) => file.FirstPassword));
const EnrolGate = lazyDialog(() => import('#console/shell/recovery/EnrolDialog.tsx').then((file) => file.EnrolDialog));

/** The dialogs for the problem codes 110000, 110005, 110007 and 110010. */
export function RecoveryDialogs() {
  const gate = useRecoveryDialog();
  const { mustchangepwd: must = false, mustenrol: enrol = false } = useMaybeUser() ?? {};
  useEffect(() => {
    if (must) void openRecoveryDialog('firstPassword');
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
