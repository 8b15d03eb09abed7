/** Returns 本机, 内网 or 外网 for an IP address, by its range alone. */
export function ipRegionOf(ip: string): string {
  const address = ip.replace(/^::ffff:/, '');
  if (address === '') return '';
  if (address === '::1' || address.startsWith('127.')) return '本机';
  if (/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/i.test(address)) return '内网';
  return '外网';
}
