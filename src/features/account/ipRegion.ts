/** Where an address is, as far as it says so itself: no list of the world's addresses is asked. */
export function placeOf(ip: string): string {
  const plain = ip.replace(/^::ffff:/, '');
  if (plain === '') return '';
  if (plain === '::1' || plain.startsWith('127.')) return '本机';
  if (/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe80:)/i.test(plain)) return '内网';
  return '外网';
}
