/** Telephone numbers in China: mobiles, landlines with area code and extension, and service numbers. */

const MOBILE = /^1[3-9]\d{9}$/;
const LANDLINE = /^\(?(0(?:10|2\d|[3-9]\d{2}))\)?[\s\-‐-―]*(\d{7,8})(?:\s*(?:转|分机|ext\.?|-|#)\s*:?\s*(\d{1,6}))?$/i;
const SERVICE = /^([48]00)[\s\-‐-―]*(\d{3})[\s\-‐-―]*(\d{4})$/;
/** The numbers that `parsePhone` returns, and mobiles of a range that is not in use yet. */
export const PHONE = /^(?:1\d\d{9}|0\d{2,3}-\d{7,8}(?:-\d{1,6})?|[48]00-\d{3}-\d{4})$/;

/** The number in one spelling, such as 13800000000, 010-12345678, 0571-87654321-801 or 400-810-1234; undefined if it is none. */
export function parsePhone(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim();
  const mobile = plain.replace(/[\s\-.()·‐-―]/g, '').replace(/^(?:\+|00)?86(?=1\d{10}$)/, '');
  if (MOBILE.test(mobile)) return mobile;
  const [, area, number, extension] = LANDLINE.exec(plain) ?? [];
  if (area) return `${area}-${number}${extension ? `-${extension}` : ''}`;
  const service = SERVICE.exec(plain);
  return service ? service.slice(1).join('-') : undefined;
}
