import { useState, type ReactNode } from 'react';
import { ArticleCategory, MusicCategory, type ContentKindCode } from '#domain/content/content.ts';
import { errorMessage } from '#respondent/api/api.ts';
import { Fault } from '#respondent/PageFrame.tsx';
import type { MusicControl } from '#respondent/relax/MusicPlayer.tsx';
import type { ShelfProps } from '#respondent/relax/OverviewPage.tsx';
import { Opening, RelaxFrame } from '#respondent/relax/RelaxFrame.tsx';
import { kindNames, type Article, type Course, type Music } from '#respondent/relax/relaxWords.ts';
import { ArticleRow, CourseRow, MusicRow } from '#respondent/relax/rows.tsx';
import { useLoaded } from '#respondent/relax/useLoaded.ts';

type ListProps = ShelfProps & { music: MusicControl };
interface Listing<Row> {
  total: number;
  rows: readonly Row[];
}

const PAGE_SIZE = 20;

/** All contents of one kind. Articles and music can be narrowed to a category. */
export function ListPage({ kind, ...props }: ListProps & { kind: ContentKindCode }) {
  // The category stays when the person comes back from a content.
  const place = `${kind} category`;
  const [category, setCategory] = useState((props.shelf.get(place) as string | undefined) ?? '');
  const categories = kind === 'article' ? ArticleCategory.options : kind === 'music' ? MusicCategory.options : [];
  const choose = (next: string) => {
    props.shelf.set(place, next);
    setCategory(next);
  };
  const { session, words, lines, contact, back, backName } = props;
  return (
    <RelaxFrame heading={kindNames[kind]} {...{ words, lines, contact, back, backName }}>
      {categories.length > 0 && (
        <div className="days" role="group" aria-label="类别">
          {[{ value: '', label: '全部' }, ...categories].map(({ value, label }) => (
            <button key={value} type="button" aria-pressed={value === category} onClick={() => choose(value)}>
              {label}
            </button>
          ))}
        </div>
      )}
      {kind === 'article' && (
        <Rows<Article>
          key={`article ${category}`}
          {...props}
          name={`article ${category}`}
          read={(page) =>
            session.call('getPersonArticles', { ...page, ...(category && { category: category as Article['category'] }) })
          }
          draw={(row) => (
            <ArticleRow key={row.articleid} row={row} open={() => props.go({ page: 'article', id: row.articleid })} />
          )}
        />
      )}
      {kind === 'music' && (
        <Rows<Music>
          key={`music ${category}`}
          {...props}
          name={`music ${category}`}
          read={(page) =>
            session.call('getPersonMusic', { ...page, ...(category && { category: category as Music['category'] }) })
          }
          draw={(row, index, rows) => (
            <MusicRow
              key={row.musicid}
              row={row}
              isPlaying={props.music.isPlaying(row)}
              toggle={() => props.music.toggle(rows, index)}
            />
          )}
        />
      )}
      {kind === 'course' && (
        <Rows<Course>
          {...props}
          name="course"
          read={(page) => session.call('getPersonCourses', page)}
          draw={(row) => <CourseRow key={row.courseid} row={row} open={() => props.go({ page: 'course', id: row.courseid })} />}
        />
      )}
    </RelaxFrame>
  );
}

interface RowsProps<Row> extends Pick<ListProps, 'shelf'> {
  /** names the rows among what was read */
  name: string;
  read: (page: { page: number; pageSize: number }) => Promise<Listing<Row>>;
  draw: (row: Row, index: number, rows: readonly Row[]) => ReactNode;
}

/** The rows of a list with a button for further ones. What is on the screen stays when the network fails. */
function Rows<Row>({ shelf, name, read, draw }: RowsProps<Row>) {
  const { data, fault, load } = useLoaded(shelf, `list ${name}`, () => read({ page: 1, pageSize: PAGE_SIZE }), true);
  const [further, setFurther] = useState((shelf.get(`further ${name}`) as readonly Row[] | undefined) ?? []);
  const [moreFault, setMoreFault] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  if (!data) return <Opening fault={fault} retry={() => void load()} />;
  const rows = [...data.rows, ...further];
  const more = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setMoreFault('');
    try {
      const next = [...further, ...(await read({ page: rows.length / PAGE_SIZE + 1, pageSize: PAGE_SIZE })).rows];
      shelf.set(`further ${name}`, next);
      setFurther(next);
    } catch (error) {
      setMoreFault(errorMessage(error));
    }
    setIsBusy(false);
  };
  return (
    <>
      {rows.length === 0 && <p>这里暂时还没有内容。</p>}
      <ul className="relax-list">{rows.map((row, index) => draw(row, index, rows))}</ul>
      <Fault>{moreFault}</Fault>
      {rows.length < data.total && rows.length % PAGE_SIZE === 0 && (
        <button type="button" aria-disabled={isBusy} onClick={() => void more()}>
          {isBusy ? '正在打开…' : '再看一些'}
        </button>
      )}
    </>
  );
}
