import { MusicCategory } from '#domain/content/content.ts';
import { AudioPlayer } from '#blocks/content/MediaPlayer.tsx';
import { renewLink, type Music } from '#features/content/staff/useMusic.ts';

/** The player of the page. At the end of a piece it goes on with the next one of the list. */
export function MusicBar({ music }: { music: Music }) {
  const { current, next, previous } = music;
  if (!current) return null;
  const { piece, url } = current;
  return (
    <AudioPlayer
      ref={music.player}
      title={piece.title}
      subtitle={MusicCategory.label(piece.category)}
      coverurl={piece.coverurl}
      source={{ id: `music ${piece.musicid}`, url, length: piece.duration }}
      renew={() => renewLink('music', piece.musicid)}
      autoPlay
      onPlaying={music.setIsPlaying}
      onEnded={() => next && music.begin(next)}
      onPrevious={previous && (() => music.begin(previous))}
      onNext={next && (() => music.begin(next))}
      onClose={music.close}
    />
  );
}
