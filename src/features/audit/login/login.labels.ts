/** Why a sign-in did not succeed, by the reason in the login log. */
const REASONS: Readonly<Record<string, string>> = {
  password: '密码错误',
  second: '密码正确，等待二次验证',
  code: '二次验证的验证码错误',
  passkey: '通行密钥未通过验证',
  counter: '通行密钥可能被复制，已拒绝',
  reset: '密码已被重置，须先用初始密码登录',
  closed: '账号已停用或到期',
  lapsed: '初始密码已用或过期',
};

/** By what an account signed in, where it is not only the password or a code. */
const PROOFS: Readonly<Record<string, string>> = { passkey: '（通行密钥）', trusted: '（免二次验证的设备）' };

/** Returns the result of a sign-in in words. */
export const describeSignIn = ({ ok, reason }: { ok: boolean; reason: string }): string =>
  ok ? `成功${PROOFS[reason] ?? ''}` : (REASONS[reason] ?? '未成功');
