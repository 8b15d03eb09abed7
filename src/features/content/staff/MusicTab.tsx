import { Loader } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { MusicCategory } from '#domain/content/content.ts';
import { clockOf } from '#domain/content/duration.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { useList } from '#ui/list/useList.ts';
import { getShelfMusic } from '#features/content/content.contract.ts';
import { Categories, filterOf, ShelfList } from '#features/content/staff/ShelfList.tsx';
import type { Music } from '#features/content/staff/useMusic.ts';
import classes from './shelf.module.css';

/** 音乐: the pieces by category. The player stands below the page, so music goes on while the reader looks further. */
export function MusicTab({ music }: { music: Music }) {
  const list = useList(getShelfMusic);
  const category = filterOf(list, 'category');
  const choose = (next: string) => list.setFilters({ ...list.filters, category: next });
  return (
    <>
      <div className={classes['head']}>
        <Categories of={MusicCategory} chosen={category} choose={choose} />
      </div>
      <ShelfList list={list} empty="音乐" hint="上架后会出现在这里" reset={category ? () => choose('') : undefined}>
        <ul className={classes['tracks']} aria-label="音乐">
          {list.rows.map((piece) => {
            const isCurrent = music.current?.piece.musicid === piece.musicid;
            const isPlaying = isCurrent && music.isPlaying;
            const Icon = isPlaying ? IconPlayerPause : IconPlayerPlay;
            return (
              <li key={piece.musicid}>
                <button
                  type="button"
                  className={classes['track']}
                  data-on={isCurrent || undefined}
                  aria-label={`${isPlaying ? '暂停' : '播放'}《${piece.title}》`}
                  onClick={() => music.toggle(piece, list.rows)}
                >
                  <Cover kind="music" title={piece.title} src={piece.coverurl} shape="square" />
                  <span>
                    <span className={classes['name']}>{piece.title}</span>
                    <span className={classes['note']}>
                      {MusicCategory.label(piece.category)}
                      <span className={classes['licence']}> · {piece.licence}</span>
                    </span>
                  </span>
                  <span className={classes['length']}>{clockOf(piece.duration)}</span>
                  {music.loadingId === piece.musicid ? <Loader size={20} /> : <Icon size={20} stroke={1.6} aria-hidden />}
                </button>
              </li>
            );
          })}
        </ul>
      </ShelfList>
    </>
  );
}
