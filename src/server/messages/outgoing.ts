import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Why a message could not be sent, in words for an administrator. It never contains a secret. */
export class SendError extends Error {}

const refusedV4 = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Machines in Azure reach their own host and its secrets here.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  refusedV4.addSubnet(net, prefix, 'ipv4');

/** The only part of IPv6 that leads to the public Internet. Everything else is local, mapped, translated or reserved. */
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
/** Ranges of that part which carry an IPv4 address (Teredo, 6to4) or are reserved. */
const refusedV6 = new BlockList();
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  refusedV6.addSubnet(net, prefix, 'ipv6');

/** Whether an address lies outside the public Internet: this machine, a private network, or a reserved range; or is no address. */
export function isPrivateAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) names an interface of this machine; the lists do not understand it.
  if (address.includes('%')) return true;
  if (isIP(address) === 4) return refusedV4.check(address, 'ipv4');
  return isIP(address) !== 6 || !publicV6.check(address, 'ipv6') || refusedV6.check(address, 'ipv6');
}

/** Looks up all addresses of a name. */
const lookUp = async (name: string): Promise<string[]> => (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * The address of a host that an institution has typed. The caller connects to this address, so the name cannot change its meaning
 * after the check.
 * @throws SendError when the name is unknown, or any of its addresses is private and the operator does not allow these.
 */
export async function findAddress(host: string, isPrivateAllowed: boolean, findAll = lookUp): Promise<string> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(name)
    ? [name]
    : await findAll(name).catch(() => {
        throw new SendError(`找不到主机 ${name}`);
      });
  const [first] = addresses;
  if (!first) throw new SendError(`找不到主机 ${name}`);
  if (!isPrivateAllowed && addresses.some(isPrivateAddress)) throw new SendError('不允许发往本机或内网地址，请联系平台运维人员');
  return first;
}

/** Milliseconds for a whole attempt. */
export const SEND_TIMEOUT = 10_000;

/** The result of work that cannot be stopped, as a look-up of a name; rejects when the signal ends the waiting. */
export const until = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });

const ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: '连接被拒绝，请核对地址和端口',
  ECONNRESET: '连接被对方中断',
  ETIMEDOUT: '连接超时',
  ETIME: '连接超时',
  ESOCKET: '无法建立连接，请核对地址、端口和加密方式',
  ECONNECTION: '无法建立连接，请核对地址、端口和加密方式',
  ETLS: '加密连接失败，请核对加密方式',
  EAUTH: '账号或密码（授权码）不正确',
  EENVELOPE: '对方不接受发件人或收件人',
  EMESSAGE: '对方不接受邮件内容',
  EHOSTUNREACH: '网络不通',
  ENETUNREACH: '网络不通',
};

/** The error of an attempt in words. */
export function toSendError(error: unknown): SendError {
  if (error instanceof SendError) return error;
  const { code = '', name = '' } = (error ?? {}) as { code?: string; name?: string };
  if (name === 'AbortError' || name === 'TimeoutError') return new SendError('连接超时');
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return new SendError('对方的安全证书无效');
  return new SendError(ERRORS[code] ?? '发送失败');
}
