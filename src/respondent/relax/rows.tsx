import { useState } from 'react';
import { ArticleCategory, MusicCategory, type ContentKindCode } from '#domain/content/content.ts';
import { lengthWords } from '#domain/content/duration.ts';
import { courseWords, type Article, type Course, type Music } from '#respondent/relax/relaxWords.ts';

const SIGNS: Readonly<Record<ContentKindCode | 'pause', string>> = {
  article: 'M6 4h9l4 4v12H6zM9 11h7M9 15h7',
  music: 'M9 18a2.5 2.5 0 1 1-2-2.45V5l11-2v11a2.5 2.5 0 1 1-2-2.45V6',
  course: 'M4 6h16v11H4zM9 20h6M10.5 9l4 2.5-4 2.5z',
  pause: 'M9 6v12M15 6v12',
};

/** A small sign that only decorates. */
export const Sign = ({ name }: { name: keyof typeof SIGNS }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="relax-sign">
    <path d={SIGNS[name]} />
  </svg>
);

/** The picture of a content. Without one, or when it does not load, it is a calm area with the sign of its kind. */
function Cover({ src, kind }: { src: string; kind: ContentKindCode }) {
  const [isBroken, setIsBroken] = useState(false);
  return (
    <span className="relax-cover">
      {src && !isBroken ? <img src={src} alt="" loading="lazy" onError={() => setIsBroken(true)} /> : <Sign name={kind} />}
    </span>
  );
}

interface RowProps {
  kind: ContentKindCode;
  coverurl: string;
  title: string;
  note: string;
  open: () => void;
}

function Row({ kind, coverurl, title, note, open }: RowProps) {
  return (
    <li>
      <button type="button" className="relax-row" onClick={open}>
        <Cover src={coverurl} kind={kind} />
        <span className="relax-words">
          <b>{title}</b>
          <span className="quiet">{note}</span>
        </span>
      </button>
    </li>
  );
}

/** An article of a list. */
export const ArticleRow = ({ row, open }: { row: Article; open: () => void }) => (
  <Row kind="article" {...row} note={row.summary || ArticleCategory.label(row.category)} open={open} />
);

/** A course of a list, with the own progress. */
export const CourseRow = ({ row, open }: { row: Course; open: () => void }) => (
  <Row kind="course" {...row} note={`${courseWords(row)}${row.locked ? ' · 还没有开通' : ''}`} open={open} />
);

/** A piece of music of a list: one tap plays it, the next one pauses. */
export function MusicRow({ row, isPlaying, toggle }: { row: Music; isPlaying: boolean; toggle: () => void }) {
  return (
    <li>
      <button type="button" className="relax-row" aria-pressed={isPlaying} aria-label={`播放“${row.title}”`} onClick={toggle}>
        {isPlaying ? (
          <span className="relax-cover playing">
            <Sign name="pause" />
          </span>
        ) : (
          <Cover src={row.coverurl} kind="music" />
        )}
        <span className="relax-words">
          <b>{row.title}</b>
          <span className="quiet">
            {MusicCategory.label(row.category)} · {lengthWords(row.duration)}
          </span>
        </span>
      </button>
    </li>
  );
}
