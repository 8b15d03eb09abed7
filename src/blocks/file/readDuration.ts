/** How long an off-screen player may take to read a file, in milliseconds. */
const PATIENCE = 20_000;

const UNPLAYABLE = {
  audio: '浏览器不能播放这个文件，请转成 MP3',
  video: '浏览器不能播放这个文件，请转成 H.264 编码的 MP4',
} as const;

/**
 * Returns the duration of a recording in seconds, at least 1. Throws an Error with words for the user when the browser cannot play it.
 * `source` is a file of the user or the address of an uploaded one.
 */
export async function readDuration(source: File | string, kind: 'audio' | 'video'): Promise<number> {
  const player = document.createElement(kind);
  const address = typeof source === 'string' ? source : URL.createObjectURL(source);
  try {
    const seconds = await new Promise<number>((resolve, reject) => {
      const fail = () => reject(new Error(UNPLAYABLE[kind]));
      const timer = setTimeout(fail, PATIENCE);
      const take = () => {
        // Some files name no duration: the player finds it at the end of the file.
        if (player.duration === Infinity) return void (player.currentTime = 1e9);
        clearTimeout(timer);
        // A video of which only the sound can be played has no width.
        if (!(player.duration > 0) || (player instanceof HTMLVideoElement && player.videoWidth === 0)) fail();
        else resolve(player.duration);
      };
      player.addEventListener('loadedmetadata', take);
      player.addEventListener('durationchange', () => player.readyState > 0 && take());
      player.addEventListener('error', fail);
      player.preload = 'metadata';
      player.muted = true;
      player.src = address;
    });
    return Math.max(1, Math.round(seconds));
  } finally {
    player.removeAttribute('src');
    player.load();
    if (typeof source !== 'string') URL.revokeObjectURL(address);
  }
}
