import { ActionIcon, Button, Loader, NativeSelect, Tooltip } from '@mantine/core';
import {
  IconMaximize,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconVolume,
  IconVolumeOff,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { clockOf, lengthWords } from '#domain/content/duration.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { useMedia, type Media, type MediaFault, type MediaHandle, type MediaOptions } from '#blocks/content/useMedia.ts';
import classes from './MediaPlayer.module.css';

const FAULTS: Readonly<Record<MediaFault, string>> = {
  offline: '网络中断，恢复后自动继续',
  unplayable: '无法播放：文件已不在，或浏览器不支持这种格式',
};
/** Seconds of an arrow key, and of page up and down. */
const STEP = 5;
const LEAP = 30;

/** The keys of a player: space, the arrows, page up and down, M for the sound. */
function onKeys(event: KeyboardEvent, media: Media) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { tagName } = event.target as HTMLElement;
  if (tagName === 'SELECT') return;
  const act = {
    ' ': tagName === 'BUTTON' ? undefined : media.toggle,
    ArrowLeft: () => media.skip(-STEP),
    ArrowRight: () => media.skip(STEP),
    PageDown: () => media.skip(-LEAP),
    PageUp: () => media.skip(LEAP),
    Home: () => media.seek(0),
    End: () => media.seek(media.length),
    m: () => media.setMuted(!media.muted),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function PlayButton({ media, title, size }: { media: Media; title: string; size: number }) {
  const Icon = media.playing ? IconPlayerPause : IconPlayerPlay;
  return (
    <ActionIcon size={size} radius="xl" onClick={media.toggle} aria-label={`${media.playing ? '暂停' : '播放'}“${title}”`}>
      {media.waiting ? <Loader size={size / 2.4} color="currentColor" /> : <Icon size={size / 2} aria-hidden />}
    </ActionIcon>
  );
}

/** The place in the file, with the time before and the length behind it. */
function SeekBar({ media, title }: { media: Media; title: string }) {
  return (
    <div className={classes['seek']}>
      <span>{clockOf(media.time)}</span>
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.floor(media.length))}
        step={1}
        value={Math.floor(media.time)}
        aria-label={`“${title}”的播放位置`}
        aria-valuetext={`${clockOf(media.time)}，共 ${lengthWords(media.length)}`}
        onChange={(event) => media.seek(Number(event.currentTarget.value))}
      />
      <span>{clockOf(media.length)}</span>
    </div>
  );
}

const MuteButton = ({ media }: { media: Media }) => (
  <Tooltip label={media.muted ? '取消静音（M）' : '静音（M）'}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={media.muted ? '取消静音' : '静音'}
      onClick={() => media.setMuted(!media.muted)}
    >
      {media.muted ? <IconVolumeOff size={18} aria-hidden /> : <IconVolume size={18} aria-hidden />}
    </ActionIcon>
  </Tooltip>
);

function Fault({ media }: { media: Media }) {
  return (
    <div role="alert" className={classes['fault']}>
      {media.fault && (
        <>
          <span>{FAULTS[media.fault]}</span>
          {media.fault === 'unplayable' && (
            <Button size="compact-sm" variant="default" onClick={media.play}>
              重试
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** The keys of headphones and of the locked screen act on the player, which they show by its title. */
function useMediaKeys({ play, pause, playing }: Media, title: string) {
  const onPlayKey = useEffectEvent(play);
  const onPauseKey = useEffectEvent(pause);
  useEffect(() => {
    if (!playing || !('mediaSession' in navigator)) return;
    const { mediaSession } = navigator;
    mediaSession.metadata = new MediaMetadata({ title });
    mediaSession.setActionHandler('play', () => onPlayKey());
    mediaSession.setActionHandler('pause', () => onPauseKey());
    return () => {
      mediaSession.setActionHandler('play', null);
      mediaSession.setActionHandler('pause', null);
    };
  }, [playing, title]);
}

interface PlayerProps extends MediaOptions {
  ref?: Ref<MediaHandle>;
  title: string;
}

/** A bar that plays music while the reader goes on in the list above it. */
export function AudioPlayer({
  ref,
  title,
  subtitle,
  coverurl,
  onPrevious,
  onNext,
  onClose,
  children,
  ...options
}: PlayerProps & {
  subtitle?: ReactNode;
  /** '' without a cover */
  coverurl: string;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  onClose: () => void;
  /** More controls, such as a timer. */
  children?: ReactNode;
}) {
  const media = useMedia(options);
  const { toggle, pause } = media;
  useImperativeHandle(ref, () => ({ toggle, pause }));
  useMediaKeys(media, title);
  return (
    <section className={classes['bar']} aria-label="音乐播放器" onKeyDown={(event) => onKeys(event, media)}>
      {/* Music has no words to caption. */}
      <audio ref={media.ref as Ref<HTMLAudioElement>} {...media.props} />
      <Cover kind="music" title={title} src={coverurl} shape="square" />
      <div className={classes['words']}>
        <div className={classes['title']} title={title}>
          {title}
        </div>
        {subtitle && <div className={classes['subtitle']}>{subtitle}</div>}
      </div>
      <div className={classes['buttons']}>
        {onPrevious && (
          <ActionIcon variant="subtle" color="gray" size={36} aria-label="上一首" onClick={onPrevious}>
            <IconPlayerSkipBack size={18} aria-hidden />
          </ActionIcon>
        )}
        <PlayButton media={media} title={title} size={42} />
        {onNext && (
          <ActionIcon variant="subtle" color="gray" size={36} aria-label="下一首" onClick={onNext}>
            <IconPlayerSkipForward size={18} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <SeekBar media={media} title={title} />
      <div className={classes['more']}>
        {children}
        <MuteButton media={media} />
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="关闭播放器" onClick={onClose}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </div>
      <Fault media={media} />
    </section>
  );
}

const RATES = [0.75, 1, 1.25, 1.5, 2];

/** A video with its controls below the picture. */
export function VideoPlayer({ ref, title, poster, ...options }: PlayerProps & { poster?: string | undefined }) {
  const media = useMedia(options);
  const { toggle, pause } = media;
  const frame = useRef<HTMLElement>(null);
  useImperativeHandle(ref, () => ({ toggle, pause }));
  useMediaKeys(media, title);
  const toggleFull = () => void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen?.());
  return (
    <section
      ref={frame}
      className={classes['video']}
      aria-label={`视频播放器：${title}`}
      onKeyDown={(event) => {
        if (event.key !== 'f' || event.ctrlKey || event.metaKey || event.altKey) return onKeys(event, media);
        event.preventDefault();
        toggleFull();
      }}
    >
      <video
        ref={media.ref as Ref<HTMLVideoElement>}
        {...media.props}
        {...(poster ? { poster } : {})}
        playsInline
        className={classes['picture']}
        onClick={toggle}
      />
      <div className={classes['controls']}>
        <PlayButton media={media} title={title} size={38} />
        <SeekBar media={media} title={title} />
        <div className={classes['more']}>
          <NativeSelect
            size="xs"
            aria-label="播放速度"
            value={media.rate}
            data={RATES.map((rate) => ({ value: String(rate), label: `${rate} 倍` }))}
            onChange={(event) => media.setRate(Number(event.currentTarget.value))}
          />
          <MuteButton media={media} />
          <Tooltip label="全屏（F）">
            <ActionIcon variant="subtle" color="gray" size={36} aria-label="全屏" onClick={toggleFull}>
              <IconMaximize size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      <Fault media={media} />
    </section>
  );
}
