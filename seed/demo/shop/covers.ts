import sharp from 'sharp';

/** Pictures of the demonstration's goods: calm shapes without words, drawn here, so nobody else has rights in them. */

const WIDTH = 960;
const HEIGHT = 540;

/** What a picture shows: sheets for counts, a film for courses, a talk for services, a box for things. */
const MOTIFS = {
  counts: `<g transform="translate(480 270)">
    <rect x="-150" y="-120" width="200" height="250" rx="18" fill="#fff" opacity=".45" transform="rotate(-9)"/>
    <rect x="-80" y="-125" width="200" height="250" rx="18" fill="#fff" opacity=".95"/>
    <g stroke="#5b8c85" stroke-width="12" stroke-linecap="round" stroke-linejoin="round" fill="none">
      <path d="M-50-70l14 14 26-28M-50 0l14 14 26-28M-50 70l14 14 26-28"/>
      <path d="M10-66h80M10 4h80M10 74h56" opacity=".45"/></g></g>`,
  course: `<g transform="translate(480 270)">
    <rect x="-190" y="-120" width="380" height="230" rx="22" fill="#fff" opacity=".92"/>
    <circle r="58" cy="-5" fill="#5b8c85" opacity=".18"/><path d="M-20-38l56 33-56 33z" fill="#5b8c85"/>
    <path d="M-150 82h300" stroke="#5b8c85" stroke-width="10" stroke-linecap="round" opacity=".3"/>
    <path d="M-150 82h110" stroke="#5b8c85" stroke-width="10" stroke-linecap="round"/></g>`,
  service: `<g transform="translate(480 260)">
    <path d="M-210-110h230a26 26 0 0 1 26 26v90a26 26 0 0 1-26 26h-150l-56 46v-46h-24a26 26 0 0 1-26-26v-90a26 26 0 0 1 26-26z"
      fill="#fff" opacity=".95"/>
    <path d="M80-30h110a24 24 0 0 1 24 24v86a24 24 0 0 1-24 24h-20v40l-48-40h-90a24 24 0 0 1-24-24v-6h46a26 26 0 0 0 26-26z"
      fill="#fff" opacity=".55"/>
    <g fill="#5b8c85"><circle cx="-140" cy="-38" r="12"/><circle cx="-94" cy="-38" r="12"/><circle cx="-48" cy="-38" r="12"/></g></g>`,
  thing: `<g transform="translate(480 275)">
    <path d="M0-140l170 70v150L0 150l-170-70v-150z" fill="#fff" opacity=".95"/>
    <path d="M-170-70L0 0l170-70M0 0v150" stroke="#5b8c85" stroke-width="10" stroke-linejoin="round" fill="none" opacity=".6"/>
    <path d="M-85-105L85-35v60" stroke="#5b8c85" stroke-width="14" stroke-linejoin="round" stroke-linecap="round" fill="none"/></g>`,
} as const;
export type Motif = keyof typeof MOTIFS;

/** Returns the picture of a motif on a background of this hue (0–360). */
export const drawCover = (motif: Motif, hue: number): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
      <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="hsl(${hue} 34% 78%)"/><stop offset="1" stop-color="hsl(${(hue + 28) % 360} 30% 62%)"/>
      </linearGradient></defs>
      <rect width="100%" height="100%" fill="url(#g)"/>
      <circle cx="830" cy="90" r="190" fill="#fff" opacity=".14"/><circle cx="110" cy="500" r="150" fill="#fff" opacity=".12"/>
      ${MOTIFS[motif]}</svg>`),
  )
    .png()
    .toBuffer();
