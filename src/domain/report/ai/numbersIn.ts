const DIGITS: Readonly<Record<string, number>> = Object.fromEntries([
  ...[...'零一二三四五六七八九'].map((sign, value) => [sign, value] as const),
  ...[...'〇壹贰叁肆伍陆柒捌玖'].map((sign, value) => [sign, value] as const),
  ['两', 2],
  ['俩', 2],
]);
const UNITS: Readonly<Record<string, number>> = {
  十: 10,
  拾: 10,
  廿: 20,
  卅: 30,
  百: 100,
  佰: 100,
  千: 1000,
  仟: 1000,
  万: 10_000,
  亿: 1e8,
};
const CHINESE = new RegExp(
  `[${Object.keys(DIGITS).join('')}${Object.keys(UNITS).join('')}]+(?:点[${Object.keys(DIGITS).join('')}]+)?`,
  'g',
);

/** The value of a Chinese numeral such as 二十七, 一百零三, 二〇二六 or 三点五. */
export function parseChineseNumber(text: string): number {
  const [whole = '', fraction] = text.split('点');
  const decimals = fraction ? Number(`0.${[...fraction].map((sign) => DIGITS[sign]).join('')}`) : 0;
  if ([...whole].every((sign) => sign in DIGITS)) return Number([...whole].map((sign) => DIGITS[sign]).join('')) + decimals;
  let [total, section, digit] = [0, 0, 0];
  for (const sign of whole) {
    const unit = UNITS[sign];
    if (unit === undefined) digit = DIGITS[sign] ?? 0;
    else if (unit >= 10_000) {
      total += (section + digit || 1) * unit;
      [section, digit] = [0, 0];
    } else {
      section += unit === 20 || unit === 30 ? unit : (digit || 1) * unit;
      digit = 0;
    }
  }
  return total + section + digit + decimals;
}

/** All numbers of a text, in Arabic digits of any width and in Chinese numerals. */
export function numbersIn(text: string): number[] {
  const plain = text.normalize('NFKC');
  const arabic = [...plain.matchAll(/\d+(?:,\d{3})*(?:\.\d+)?/g)].map(([number]) => Number(number.replaceAll(',', '')));
  const chinese = [...plain.matchAll(CHINESE)].map(([number]) => parseChineseNumber(number));
  return [...arabic, ...chinese];
}
