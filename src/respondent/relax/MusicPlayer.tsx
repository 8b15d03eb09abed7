import { useImperativeHandle, type Ref } from 'react';
import { clockOf, lengthWords } from '#domain/content/duration.ts';
import type { Session } from '#respondent/api/session.ts';
import type { Music } from '#respondent/relax/relaxWords.ts';
import { Sign } from '#respondent/relax/rows.tsx';
import { useMedia } from '#respondent/relax/useMedia.ts';

/** What a list of music does with the player below it. */
export interface MusicControl {
  isPlaying: (row: Music) => boolean;
  /** Plays a piece of a list, or pauses it. */
  toggle: (rows: readonly Music[], index: number) => void;
}

export interface MusicHandle {
  toggle: () => void;
  pause: () => void;
}

interface Props {
  ref: Ref<MusicHandle>;
  session: Session;
  row: Music;
  /** a lesson is on the screen, and the music is silent */
  isHidden: boolean;
  onPlaying: (isPlaying: boolean) => void;
  /** absent at the end of the list */
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  close: () => void;
}

/** The bar that plays a piece of music while the person goes from page to page. */
export function MusicPlayer({ ref, session, row, isHidden, onPlaying, previous, next, close }: Props) {
  const { musicid, title, licence } = row;
  const media = useMedia({
    findLink: async (isBegin) =>
      (await session.call('getPersonMedia', { kind: 'music', id: musicid, isbegin: isBegin ? 1 : 0 })).url,
    length: row.duration,
    isAsked: true,
    onPlaying,
  });
  const { toggle, pause } = media;
  useImperativeHandle(ref, () => ({ toggle, pause }));
  return (
    <section className="relax-player" hidden={isHidden} aria-label="正在听的音乐">
      {/* Music has no words to caption. */}
      <audio ref={media.ref as Ref<HTMLAudioElement>} {...media.props} />
      <div className="relax-head">
        <p>
          <b>{title}</b>
          {licence && <span className="quiet">授权：{licence}</span>}
        </p>
        <button type="button" className="plain" aria-label="关闭播放" onClick={close}>
          ✕
        </button>
      </div>
      <div className="relax-buttons">
        <button type="button" aria-label="上一首" disabled={!previous} onClick={previous}>
          <svg viewBox="0 0 24 24" aria-hidden="true" className="relax-sign">
            <path d="M17 6l-8 6 8 6zM6 6v12" />
          </svg>
        </button>
        <button
          type="button"
          className="primary"
          aria-label={media.isPlaying ? `暂停“${title}”` : `播放“${title}”`}
          onClick={toggle}
        >
          {media.isPlaying ? (
            <Sign name="pause" />
          ) : (
            <svg viewBox="0 0 24 24" aria-hidden="true" className="relax-sign">
              <path d="M8 5l11 7-11 7z" />
            </svg>
          )}
        </button>
        <button type="button" aria-label="下一首" disabled={!next} onClick={next}>
          <svg viewBox="0 0 24 24" aria-hidden="true" className="relax-sign">
            <path d="M7 6l8 6-8 6zM18 6v12" />
          </svg>
        </button>
        <span className="relax-clock" aria-hidden="true">
          {media.isWaiting ? '正在打开…' : `${clockOf(media.time)} / ${clockOf(media.length)}`}
        </span>
      </div>
      <input
        type="range"
        className="relax-seek"
        min={0}
        max={Math.max(1, Math.floor(media.length))}
        step={1}
        value={Math.floor(media.time)}
        aria-label={`“${title}”的播放位置`}
        aria-valuetext={`${clockOf(media.time)}，共 ${lengthWords(media.length)}`}
        onInput={(event) => media.seek(Number(event.currentTarget.value))}
      />
      {media.fault && <p role="alert">{media.fault}</p>}
    </section>
  );
}
