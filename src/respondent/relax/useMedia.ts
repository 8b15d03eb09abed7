import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { MEDIA_LINK_HOURS } from '#domain/content/content.ts';
import { CallRefused } from '#respondent/api/api.ts';

interface MediaOptions {
  /** Returns a link of the file. `isBegin`: the person begins to hear or watch it; a new link of the same file is no beginning. */
  findLink: (isBegin: boolean) => Promise<string>;
  /** seconds, known before the file is loaded */
  length: number;
  /** The second at which it begins. */
  startAt?: number;
  /** The person asked to hear it: it plays as soon as it can. */
  isAsked?: boolean;
  onPlaying?: (isPlaying: boolean) => void;
  /** It plays and is at this second; several times a second. */
  onPlay?: (position: number) => void;
  /** It stands still at this second: a pause, a jump, a gap of the network, the end. */
  onStop?: (position: number) => void;
}

/** A link is renewed a quarter of an hour before it ends. The age counts, because the clock of a phone may be wrong. */
const FRESH_MS = (MEDIA_LINK_HOURS * 60 - 15) * 60_000;
/** How often a playing file checks the age of its link. */
const CHECK_MS = 60_000;
const OFFLINE = '网络不太稳定，恢复后接着放。';
const UNPLAYABLE = '现在放不出来，请稍后再试。';

/** Drives an audio or video element. It renews the link of its file and goes on at the same second, also after a gap of the network. */
export function useMedia({
  findLink,
  length: knownLength,
  startAt = 0,
  isAsked = false,
  onPlaying,
  onPlay,
  onStop,
}: MediaOptions) {
  const element = useRef<HTMLMediaElement>(null);
  // Every renewal is another object, because a public file keeps its address.
  const [link, setLink] = useState({ url: '' });
  const [isPlaying, setIsPlaying] = useState(false);
  const [isWaiting, setIsWaiting] = useState(true);
  const [time, setTime] = useState(startAt);
  const [length, setLength] = useState(knownLength);
  const [fault, setFault] = useState('');
  const readAt = useRef(0);
  // What happens once the file is there, and whether its link was renewed since it last played.
  const resume = useRef({ at: startAt, play: isAsked });
  const isRenewed = useRef(false);
  const isGone = useRef(false);

  const position = () => (element.current?.readyState ? element.current.currentTime : time);
  const start = () =>
    void element.current?.play().catch((error: unknown) => {
      // A browser may refuse to begin without another tap; a newer link interrupts the former one.
      if (error instanceof DOMException && error.name === 'NotAllowedError') setIsWaiting(false);
    });
  const load = async (at: number, play: boolean, isBegin = false) => {
    resume.current = { at, play };
    setFault('');
    setIsWaiting(true);
    try {
      const url = await findLink(isBegin);
      if (isGone.current) return;
      readAt.current = Date.now();
      setLink({ url });
    } catch (error) {
      setIsWaiting(false);
      setFault(error instanceof CallRefused ? error.message : OFFLINE);
    }
  };
  const play = () => {
    if (fault || !link.url || Date.now() - readAt.current > FRESH_MS) void load(position(), true);
    else start();
  };

  const latest = useRef({ load, start, fault, isPlaying, position });
  latest.current = { load, start, fault, isPlaying, position };
  useEffect(() => {
    void load(startAt, isAsked, true);
    const onOnline = () => {
      if (latest.current.fault) void latest.current.load(latest.current.position(), resume.current.play);
    };
    const check = window.setInterval(() => {
      if (latest.current.isPlaying && Date.now() - readAt.current > FRESH_MS)
        void latest.current.load(latest.current.position(), true);
    }, CHECK_MS);
    window.addEventListener('online', onOnline);
    return () => {
      isGone.current = true;
      window.clearInterval(check);
      window.removeEventListener('online', onOnline);
    };
  }, []);
  // A phone loads nothing before it may play, so playing does not wait for the file.
  // A later effect could run after the file is known, and the wish to play would be forgotten.
  useLayoutEffect(() => {
    if (!link.url) return;
    element.current?.load();
    if (resume.current.play) latest.current.start();
    else setIsWaiting(false);
  }, [link]);

  const changePlaying = (next: boolean) => {
    setIsPlaying(next);
    onPlaying?.(next);
  };
  const seek = (to: number) => {
    const at = Math.min(Math.max(0, to), length);
    if (element.current) element.current.currentTime = at;
    resume.current.at = at;
    setTime(at);
  };
  return {
    ref: element,
    isPlaying,
    isWaiting: isWaiting && !fault,
    time,
    length,
    fault,
    play,
    pause: () => element.current?.pause(),
    toggle: () => (element.current && !element.current.paused ? element.current.pause() : play()),
    seek,
    /** Props of the audio or video element. */
    props: {
      src: link.url || undefined,
      preload: 'metadata' as const,
      onLoadedMetadata: () => {
        const media = element.current;
        if (!media) return;
        if (Number.isFinite(media.duration)) setLength(media.duration);
        const { at } = resume.current;
        if (at > 0 && at < media.duration) media.currentTime = at;
        resume.current = { at: 0, play: false };
      },
      onPlay: () => changePlaying(true),
      onPlaying: () => {
        isRenewed.current = false;
        setIsWaiting(false);
        onPlay?.(position());
      },
      onTimeUpdate: () => {
        setTime(position());
        if (element.current?.paused === false && !element.current.seeking) onPlay?.(position());
      },
      onSeeking: () => onStop?.(position()),
      onSeeked: () => setTime(position()),
      onWaiting: () => {
        setIsWaiting(true);
        onStop?.(position());
      },
      onPause: () => {
        changePlaying(false);
        setIsWaiting(false);
        onStop?.(position());
      },
      onEnded: () => onStop?.(position()),
      onError: () => {
        const wasPlaying = isPlaying || resume.current.play;
        const at = resume.current.at || time;
        changePlaying(false);
        onStop?.(time);
        if (!isRenewed.current && navigator.onLine) {
          isRenewed.current = true;
          return void load(at, wasPlaying);
        }
        resume.current = { at, play: wasPlaying };
        setIsWaiting(false);
        setFault(navigator.onLine ? UNPLAYABLE : OFFLINE);
      },
    },
  };
}
