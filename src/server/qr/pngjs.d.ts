/** The part of pngjs that we use; the package has no types. */
declare module 'pngjs' {
  export class PNG {
    constructor(options: { width: number; height: number });
    readonly width: number;
    readonly height: number;
    /** RGBA, eight bits each, row by row. */
    readonly data: Buffer;
    static readonly sync: {
      read(file: Buffer): PNG;
      write(image: PNG, options?: { colorType?: 0 | 2 | 6; deflateLevel?: number }): Buffer;
    };
  }
}
