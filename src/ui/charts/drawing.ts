import type { ChartLook, ChartOption } from '#domain/chart/chartLook.ts';

type Library = typeof import('#ui/charts/echarts.ts');
let library: Promise<Library> | undefined;

/** Loads the chart library once, with the first picture. A failed load is tried again by the next call. */
export function loadCharts(): Promise<Library> {
  library ??= import('#ui/charts/echarts.ts').catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return library;
}

const TITLE_HEIGHT = 40;
const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Draws the picture as an SVG file on white, with its title above it. */
export async function toSvg(option: ChartOption, look: ChartLook, height: number, title: string): Promise<string> {
  const { init } = await loadCharts();
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: look.width, height });
  chart.setOption(option);
  const picture = chart.renderToSVGString();
  chart.dispose();
  const total = height + TITLE_HEIGHT;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${look.width}" height="${total}" viewBox="0 0 ${look.width} ${total}">` +
    `<rect width="100%" height="100%" fill="${look.surface}"/>` +
    `<text x="12" y="26" font-size="16" fill="${look.ink}" font-family="${escapeXml(look.font)}">${escapeXml(title)}</text>` +
    `<svg y="${TITLE_HEIGHT}">${picture}</svg></svg>`
  );
}

/** Turns an SVG file into a PNG of twice its size. */
export async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) =>
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('The browser made no picture.'))), 'image/png'),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
