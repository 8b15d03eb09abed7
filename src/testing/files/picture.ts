import sharp from 'sharp';

const createImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 30, g: 120, b: 90 } } });

/** Creates a picture like one from a phone: rotated by 90°, with the location and the camera in its EXIF data. */
export const photo = (width = 60, height = 40): Promise<Buffer> =>
  createImage(width, height)
    .jpeg()
    .withExif({ IFD0: { Make: 'Kamera', Copyright: '机密' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '30/1 16/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** Creates a PNG picture. */
export const png = (width = 20, height = 20): Promise<Buffer> => createImage(width, height).png().toBuffer();
