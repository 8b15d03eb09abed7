import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MEDIA_LINK_HOURS } from '#domain/content/content.ts';

/** An audio or video file of the shelf. */
export interface MediaSource {
  /** names the file; a new link of the same file does not begin it anew */
  id: string;
  url: string;
  /** seconds, known before the file is loaded */
  length: number;
}

/** What other components may do with a player. */
export interface MediaHandle {
  toggle: () => void;
  pause: () => void;
}

export interface MediaOptions {
  source: MediaSource;
  /** Returns a new link of the same file: links end after four hours. undefined when the file no longer exists. */
  renew: () => Promise<string | undefined>;
  /** The second at which it begins. */
  startAt?: number;
  /** Begins to play when the source changes. */
  autoPlay?: boolean;
  onPlaying?: (isPlaying: boolean) => void;
  /** It plays and is at this second; several times a second. */
  onPlay?: (position: number) => void;
  /** It stands still at this second: a pause, a jump, a gap of the network, the end. */
  onStop?: (position: number) => void;
  onEnded?: () => void;
}

/** Why nothing plays. `offline` ends by itself. */
export type MediaFault = 'offline' | 'unplayable';

/** A link younger than this is valid long enough to begin. */
const FRESH_MS = (MEDIA_LINK_HOURS * 60 - 15) * 60_000;
/** The player that was begun last: another one pauses it. */
let sounding: HTMLMediaElement | null = null;

/**
 * Drives an audio or video element: play, seek, speed, volume. It renews the link of its file without losing the place, goes on after
 * a gap of the network, and pauses the player that was begun before.
 */
export function useMedia({ source, renew, startAt = 0, autoPlay = false, onPlaying, onPlay, onStop, onEnded }: MediaOptions) {
  const element = useRef<HTMLMediaElement>(null);
  const [link, setLink] = useState(() => ({ id: source.id, url: source.url, readAt: Date.now() }));
  const [playing, setPlaying] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [time, setTime] = useState(startAt);
  const [length, setLength] = useState(source.length);
  const [rate, setRate] = useState(1);
  const [muted, setMuted] = useState(false);
  const [fault, setFault] = useState<MediaFault>();
  // What happens once the file has loaded, and whether its link was renewed since it last played.
  const resume = useRef({ at: startAt, play: autoPlay });
  const renewed = useRef(false);

  if (link.id !== source.id) {
    setLink({ id: source.id, url: source.url, readAt: Date.now() });
    setTime(startAt);
    setLength(source.length);
    setFault(undefined);
  }

  const start = async () => {
    const media = element.current;
    if (!media) return;
    try {
      await media.play();
    } catch (error) {
      // A browser may refuse to begin without a click; a newer source interrupts the former one.
      if (error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)) setPlaying(!media.paused);
    }
  };

  /** Asks for a new link and goes on at the same second. */
  const reload = async (at: number, shouldPlay: boolean) => {
    renewed.current = true;
    resume.current = { at, play: shouldPlay };
    setFault(undefined);
    setWaiting(true);
    const url = await renew().catch(() => undefined);
    if (url === undefined) {
      setWaiting(false);
      setPlaying(false);
      return setFault(navigator.onLine ? 'unplayable' : 'offline');
    }
    setLink({ id: source.id, url, readAt: Date.now() });
  };

  // A page that was hidden behind another one comes back with the same file: it goes on where it stood.
  const opened = useRef<string>(undefined);
  const loaded = useRef<string>(undefined);
  const onChange = useEffectEvent(() => {
    if (opened.current === source.id) return;
    opened.current = source.id;
    resume.current = { at: startAt, play: autoPlay };
    renewed.current = false;
  });
  useEffect(() => onChange(), [source.id]);
  // The element loads another address by itself; it plays once it may.
  useEffect(() => {
    const media = element.current;
    if (loaded.current !== link.url) media?.load();
    loaded.current = link.url;
    return () => {
      if (sounding === media) sounding = null;
    };
  }, [link.url]);

  useEffect(() => {
    const media = element.current;
    return () => media?.pause();
  }, []);

  const onOnline = useEffectEvent(() => {
    if (fault === 'offline') void reload(time, resume.current.play);
  });
  useEffect(() => {
    const listen = () => onOnline();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, []);

  const position = () => element.current?.currentTime ?? time;
  const setIsPlaying = (isPlaying: boolean) => {
    setPlaying(isPlaying);
    onPlaying?.(isPlaying);
  };
  const play = () => {
    if (fault !== undefined || Date.now() - link.readAt > FRESH_MS) void reload(time, true);
    else void start();
  };
  const pause = () => element.current?.pause();
  const seek = (to: number) => {
    const media = element.current;
    if (!media) return;
    const at = Math.min(Math.max(0, to), length);
    if (playing) onStop?.(media.currentTime);
    media.currentTime = at;
    setTime(at);
    if (!playing) onStop?.(at);
  };

  return {
    ref: element,
    playing,
    waiting: waiting && fault === undefined,
    time,
    length,
    rate,
    muted,
    fault,
    play,
    pause,
    toggle: () => (element.current?.paused === false ? pause() : play()),
    seek,
    skip: (seconds: number) => seek(position() + seconds),
    setRate: (to: number) => {
      setRate(to);
      if (element.current) element.current.playbackRate = to;
    },
    setMuted: (to: boolean) => {
      setMuted(to);
      if (element.current) element.current.muted = to;
    },
    /** Props of the audio or video element. */
    props: {
      src: link.url,
      preload: 'metadata' as const,
      onLoadedMetadata: () => {
        const media = element.current;
        if (!media) return;
        if (Number.isFinite(media.duration)) setLength(media.duration);
        const { at, play: shouldPlay } = resume.current;
        if (at > 0 && at < media.duration) media.currentTime = at;
        media.playbackRate = rate;
        setWaiting(false);
        if (shouldPlay) void start();
        resume.current = { at: 0, play: false };
      },
      onPlay: () => {
        if (sounding !== element.current) sounding?.pause();
        sounding = element.current;
        setIsPlaying(true);
      },
      onPlaying: () => {
        renewed.current = false;
        setWaiting(false);
        onPlay?.(position());
      },
      onTimeUpdate: () => {
        setTime(position());
        if (element.current?.paused === false && !element.current.seeking) onPlay?.(position());
      },
      onWaiting: () => {
        setWaiting(true);
        onStop?.(position());
      },
      onPause: () => {
        setIsPlaying(false);
        onStop?.(position());
      },
      onEnded: () => {
        onStop?.(position());
        onEnded?.();
      },
      onError: () => {
        const wasPlaying = playing || resume.current.play;
        setIsPlaying(false);
        onStop?.(time);
        if (!navigator.onLine) {
          resume.current = { at: time, play: wasPlaying };
          return setFault('offline');
        }
        if (renewed.current) setFault('unplayable');
        else void reload(resume.current.at || time, wasPlaying);
      },
    },
  };
}

export type Media = ReturnType<typeof useMedia>;
