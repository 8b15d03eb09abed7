const NAME = 'token';

/** The token is a session cookie of this site only (specification). */
export function token(): string {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${NAME}=`));
  return found ? decodeURIComponent(found.slice(NAME.length + 1)) : '';
}

/** Stores a token, or removes it when empty. */
export function setToken(value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const age = value ? '' : '; Max-Age=0';
  document.cookie = `${NAME}=${encodeURIComponent(value)}; Path=/; SameSite=Strict${age}${secure}`;
}
