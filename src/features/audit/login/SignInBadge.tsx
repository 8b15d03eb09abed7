import { Badge } from '#ui/display/badges.tsx';
import { describeSignIn } from '#features/audit/login/login.labels.ts';

/** The result of a sign-in as a badge. */
export const SignInBadge = ({ login }: { login: { ok: boolean; reason: string } }) => (
  <Badge tone={login.ok ? 'green' : login.reason === 'second' ? 'amber' : 'red'}>{describeSignIn(login)}</Badge>
);
