import type { ReactNode } from 'react';
import type { ContentKindCode } from '#domain/content/content.ts';
import type { Session } from '#respondent/api/session.ts';
import type { MusicControl } from '#respondent/relax/MusicPlayer.tsx';
import type { Place } from '#respondent/relax/places.ts';
import { Opening, RelaxFrame, type FrameProps } from '#respondent/relax/RelaxFrame.tsx';
import { kindNames, RELAX } from '#respondent/relax/relaxWords.ts';
import { ArticleRow, CourseRow, MusicRow } from '#respondent/relax/rows.tsx';
import { useLoaded, type Shelf } from '#respondent/relax/useLoaded.ts';

/** What every page that reads the shelf needs. */
export interface ShelfProps extends FrameProps {
  session: Session;
  shelf: Shelf;
  go: (place: Place) => void;
}

/** How many contents of a kind the first page shows. */
const FIRST = 3;

/** The first page of 放松与学习: the first articles, pieces of music and courses. */
export function OverviewPage({ session, shelf, go, music, ...frame }: ShelfProps & { music: MusicControl }) {
  const { data, fault, load } = useLoaded(shelf, 'overview', async () => {
    const page = { page: 1, pageSize: FIRST };
    const [article, musics, course] = await Promise.all([
      session.call('getPersonArticles', page),
      session.call('getPersonMusic', page),
      session.call('getPersonCourses', page),
    ]);
    return { article, music: musics, course };
  });
  const { you } = frame.words;
  const isEmpty = data && data.article.total + data.music.total + data.course.total === 0;
  const more = (kind: ContentKindCode) => () => go({ page: 'list', kind });
  return (
    <RelaxFrame heading={RELAX} {...frame}>
      {!data && <Opening fault={fault} retry={() => void load()} />}
      {isEmpty && <p>这里暂时还没有内容，过些日子再来看看。</p>}
      {data && !isEmpty && <p className="quiet">想看就看，想停就停。没有人会看到{you}看了什么。</p>}
      {data && data.article.total > 0 && (
        <Section kind="article" more={data.article.total > FIRST ? more('article') : undefined}>
          {data.article.rows.map((row) => (
            <ArticleRow key={row.articleid} row={row} open={() => go({ page: 'article', id: row.articleid })} />
          ))}
        </Section>
      )}
      {data && data.music.total > 0 && (
        <Section kind="music" more={data.music.total > FIRST ? more('music') : undefined}>
          {data.music.rows.map((row, index) => (
            <MusicRow
              key={row.musicid}
              row={row}
              isPlaying={music.isPlaying(row)}
              toggle={() => music.toggle(data.music.rows, index)}
            />
          ))}
        </Section>
      )}
      {data && data.course.total > 0 && (
        <Section kind="course" more={data.course.total > FIRST ? more('course') : undefined}>
          {data.course.rows.map((row) => (
            <CourseRow key={row.courseid} row={row} open={() => go({ page: 'course', id: row.courseid })} />
          ))}
        </Section>
      )}
    </RelaxFrame>
  );
}

interface SectionProps {
  kind: ContentKindCode;
  /** absent: all are shown */
  more: (() => void) | undefined;
  children: ReactNode;
}

const Section = ({ kind, more, children }: SectionProps) => (
  <section aria-labelledby={`relax-${kind}`}>
    <div className="relax-head">
      <h2 id={`relax-${kind}`}>{kindNames[kind]}</h2>
      {more && (
        <button type="button" className="plain" aria-label={`更多${kindNames[kind]}`} onClick={more}>
          更多 ›
        </button>
      )}
    </div>
    <ul className="relax-list">{children}</ul>
  </section>
);
