import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Why a message could not be sent, in words for an administrator. It never contains a secret. */
export class SendError extends Error {}

// Two lists: a list matches an IPv4 address also as ::ffff:….
const refusedV4 = new BlockList();
const refusedV6 = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  refusedV4.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  refusedV6.addSubnet(net, prefix, 'ipv6');

/** Whether an address lies outside the public Internet: this machine, a private network, or a reserved range. */
export const isPrivateAddress = (address: string): boolean =>
  isIP(address) === 6 ? refusedV6.check(address, 'ipv6') : refusedV4.check(address, 'ipv4');

/**
 * The address of a host that an institution has typed. The caller connects to this address, so the name cannot change its meaning
 * after the check.
 * @throws SendError when the name is unknown, or any of its addresses is private and the operator does not allow these.
 */
export async function findAddress(host: string, isPrivateAllowed: boolean): Promise<string> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(name)
    ? [name]
    : (
        await lookup(name, { all: true }).catch(() => {
          throw new SendError(`找不到主机 ${name}`);
        })
      ).map(({ address }) => address);
  const [first] = addresses;
  if (!first) throw new SendError(`找不到主机 ${name}`);
  if (!isPrivateAllowed && addresses.some(isPrivateAddress)) throw new SendError('不允许发往本机或内网地址，请联系平台运维人员');
  return first;
}

/** Milliseconds for a whole attempt. */
export const SEND_TIMEOUT = 10_000;

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
