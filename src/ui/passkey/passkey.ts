import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

/** Asks the device of the user for a passkey. The library is fetched with the first use. */

/** Whether this browser knows passkeys. Browsers hide them where the address is not secure. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** Returns why passkeys do not work in this window, or ''. `origin` is the address at which the server accepts them. */
export function describeObstacle(origin: string): string {
  if (origin === '') return '系统的访问地址不支持通行密钥（需要 https 域名），请联系系统管理员。';
  if (location.origin !== origin) return `当前地址不支持通行密钥，请从 ${origin} 打开本系统后使用。`;
  return hasPasskeys() ? '' : '这个浏览器不支持通行密钥，请更新浏览器或换一个浏览器。';
}

/** Returns the signed challenge. Throws an error in Chinese when the user or the device refused. */
export async function signChallenge(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { id, response } = await startAuthentication({ optionsJSON }).catch(explain);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) };
}

/** Makes a passkey on the device and returns its public half. Throws an error in Chinese when the user or the device refused. */
export async function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { id, response } = await startRegistration({ optionsJSON }).catch(explain);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') throw new Error('这台设备上已经有本账号的通行密钥');
  if (name === 'NotAllowedError' || name === 'AbortError') throw new Error('没有完成：已取消或超时，请重试');
  throw new Error('这台设备没有完成通行密钥验证，请重试或改用其他方式');
}
