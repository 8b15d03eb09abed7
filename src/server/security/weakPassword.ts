import { md5 } from 'js-md5';

/**
 * Common words of leaked password lists (security.md 3.2). The server gets passwords as MD5s only, so it compares MD5s.
 * The list has these words with common endings, all numbers of up to six digits, and dates.
 * Its computation takes about half a second, once per process.
 */
const words = [
  'password',
  'passw',
  'admin',
  'qwerty',
  'qwertyuiop',
  'asdfgh',
  'asdfghjkl',
  'zxcvbn',
  'zxcvbnm',
  'abc',
  'abcd',
  'abcdef',
  'abcdefg',
  'iloveyou',
  'woaini',
  'wangyut',
  'aini',
  'test',
  'root',
  'user',
  'guest',
  'login',
  'welcome',
  'master',
  'dragon',
  'monkey',
  'xinli',
  'xuexiao',
  'school',
  'student',
  'teacher',
  'hospital',
  'huanjing',
  'qazwsx',
  'zaqwsx',
  'aaa',
  'aaaaaa',
  'qweqwe',
  'asd',
  'qwe',
  'zxc',
  'a',
  'aa',
  'q',
  'z',
  'p',
];
const endings = [
  '',
  '1',
  '11',
  '12',
  '123',
  '1234',
  '12345',
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '111',
  '1111',
  '111111',
  '666',
  '666666',
  '888',
  '8888',
  '888888',
  '521',
  '5211314',
  '1314',
  '2023',
  '2024',
  '2025',
  '2026',
];
const STANDALONE = [
  '1234567',
  '12345678',
  '123456789',
  '1234567891',
  '11111111',
  '88888888',
  '66666666',
  '12344321',
  '11223344',
  '147258369',
  '987654321',
  '123123123',
  '5201314',
  '7758521',
  '1qaz2wsx',
  '1q2w3e4r',
  '1q2w3e4r5t',
  'q1w2e3r4',
  'a1b2c3d4',
  '!@#$%^&*',
  '!@#$%^',
  '!@#$%',
  '!!!!!!',
  '********',
  '######',
];

/** Returns the first 48 bits of an MD5 as a number. A sorted array of 1.1 million such numbers takes 9 MB. */
const prefix = (hex: string) => Number.parseInt(hex.slice(0, 12), 16);
/** Returns the prefix of a text's MD5. In JavaScript, because a call of OpenSSL for eight bytes takes three times as long. */
const prefixOfText = (text: string) =>
  md5
    .array(text)
    .slice(0, 6)
    .reduce((number, byte) => number * 256 + byte, 0);

function* candidates(): Generator<string> {
  yield* STANDALONE;
  for (const word of words)
    for (const base of [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()])
      for (const ending of endings) yield base + ending;
  for (let length = 1; length <= 6; length++) for (let n = 0; n < 10 ** length; n++) yield String(n).padStart(length, '0');
  for (let year = 1940; year <= 2030; year++)
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= 31; day++) yield `${year}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`;
}

/** Builds the sorted list in slices, so that other requests can run in between. */
async function buildPrefixes(): Promise<Float64Array> {
  const list: number[] = [];
  for (const text of candidates()) {
    list.push(prefixOfText(text));
    if (list.length % 20_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return Float64Array.from(list).sort();
}
let prefixes: Promise<Float64Array> | undefined;

/** True when this is the MD5 (upper-case hex) of a password in the list. The first call builds the list. */
export async function isCommonPassword(pwd: string): Promise<boolean> {
  const list = await (prefixes ??= buildPrefixes());
  const pwdPrefix = prefix(pwd);
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < pwdPrefix) low = middle + 1;
    else high = middle;
  }
  return list[low] === pwdPrefix;
}
