import { useRef, useState } from 'react';
import { call } from '#ui/api/call.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import type { MediaHandle } from '#blocks/content/useMedia.ts';
import { getShelfMedia } from '#features/content/content.contract.ts';
import type { ShelfMusic } from '#features/content/shelf.contract.ts';

/** The music of the page: one piece plays, and the list from which it was chosen gives the next ones. */
export function useMusic() {
  const [current, setCurrent] = useState<{ piece: ShelfMusic; url: string }>();
  const [pieces, setPieces] = useState<readonly ShelfMusic[]>([]);
  const [loadingId, setLoadingId] = useState<number>();
  const [isPlaying, setIsPlaying] = useState(false);
  const player = useRef<MediaHandle>(null);
  /** the piece that was asked for last: an earlier answer comes too late */
  const newest = useRef<number>(undefined);

  const begin = async (piece: ShelfMusic, among: readonly ShelfMusic[] = pieces) => {
    newest.current = piece.musicid;
    setPieces(among);
    setLoadingId(piece.musicid);
    try {
      const { url } = await call(getShelfMedia, { kind: 'music', id: piece.musicid, isbegin: 1 });
      if (newest.current === piece.musicid) setCurrent({ piece, url });
    } catch (error) {
      if (newest.current === piece.musicid) notifyError(error);
    }
    if (newest.current === piece.musicid) setLoadingId(undefined);
  };
  const neighbour = (step: 1 | -1): ShelfMusic | undefined => {
    const at = pieces.findIndex(({ musicid }) => musicid === current?.piece.musicid);
    return at < 0 ? undefined : pieces[at + step];
  };
  return {
    current,
    loadingId,
    isPlaying,
    setIsPlaying,
    player,
    next: neighbour(1),
    previous: neighbour(-1),
    begin: (piece: ShelfMusic, among?: readonly ShelfMusic[]) => void begin(piece, among),
    /** Plays a piece of the list, or pauses the one that plays. */
    toggle: (piece: ShelfMusic, among: readonly ShelfMusic[]) =>
      current?.piece.musicid === piece.musicid && player.current ? player.current.toggle() : void begin(piece, among),
    close: () => {
      newest.current = undefined;
      setLoadingId(undefined);
      setCurrent(undefined);
      setIsPlaying(false);
    },
  };
}

export type Music = ReturnType<typeof useMusic>;

/** Returns a new link of a file that plays; it counts no playing. */
export const renewLink = (kind: 'music' | 'lesson', id: number): Promise<string> =>
  call(getShelfMedia, { kind, id, isbegin: 0 }).then(({ url }) => url);
