import sharp from 'sharp';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 30, g: 120, b: 90 } } });

/** A picture as a phone takes it: with the place and the camera in its EXIF, lying on its side. */
export const photo = (width = 60, height = 40): Promise<Buffer> =>
  plain(width, height)
    .jpeg()
    .withExif({ IFD0: { Make: 'Kamera', Copyright: '机密' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '30/1 16/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

export const png = (width = 20, height = 20): Promise<Buffer> => plain(width, height).png().toBuffer();
