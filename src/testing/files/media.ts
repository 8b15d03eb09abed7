import { readFileSync } from 'node:fs';
import type { Upload } from '#contract/file.ts';

/**
 * A tone and a moving test picture of 20 seconds each, made with ffmpeg (`sine` as MP3, `testsrc` as H.264 in MP4). Nobody has rights
 * in them.
 */
const read = (name: string) => readFileSync(new URL(name, import.meta.url));

/** The paths of both files, for uploads in a browser. */
export const mediaPaths = {
  mp3: new URL('music.mp3', import.meta.url).pathname,
  mp4: new URL('lesson.mp4', import.meta.url).pathname,
};

/** An MP3 of 20 seconds under this name. */
export const mp3 = (filename: string): Upload => ({ filename, mime: 'audio/mpeg', content: read('music.mp3') });

/** An MP4 of 20 seconds under this name. */
export const mp4 = (filename: string): Upload => ({ filename, mime: 'video/mp4', content: read('lesson.mp4') });
