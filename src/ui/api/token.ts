const NAME = 'token';

/** The token lives in a cookie, as the specification says: a session cookie of this site only. */
export function token(): string {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${NAME}=`));
  return found ? decodeURIComponent(found.slice(NAME.length + 1)) : '';
}

/** Keeps a token, or removes it when empty. */
export function setToken(value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const age = value ? '' : '; Max-Age=0';
  document.cookie = `${NAME}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${age}${secure}`;
}
