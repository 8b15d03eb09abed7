/** The institution chooses its colour. Text and buttons in that colour must stay readable (WCAG 2.1: at least 4.5 : 1). */

type Rgb = readonly [number, number, number];

const parse = (hex: string): Rgb | undefined => {
  const match = /^#([0-9a-f]{6})$/i.exec(hex.trim());
  if (!match) return undefined;
  const value = parseInt(match[1] ?? '', 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
const format = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

const luminance = (rgb: Rgb) => {
  const [r, g, b] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** Returns the contrast of two colours `#rrggbb`, from 1 to 21; 1 when one of them is no colour. */
export function contrast(colour: string, other: string): number {
  const [a, b] = [parse(colour), parse(other)];
  if (!a || !b) return 1;
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Returns the nearest readable shade of a colour: mixed with black on a light ground, with white on a dark ground. */
export function readable(colour: string, ground: string, minimum = 4.5): string {
  const from = parse(colour) ?? [44, 110, 73];
  const to: Rgb = luminance(parse(ground) ?? [255, 255, 255]) > 0.4 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.04) {
    const shade = format(mix(from, to, share));
    if (contrast(shade, ground) >= minimum) return shade;
  }
  return format(to);
}
