import { IconBooks, IconChevronRight } from '@tabler/icons-react';
import { ArticleCategory } from '#domain/content/content.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Link } from '#ui/router/router.tsx';
import { getShelfArticles } from '#features/content/content.contract.ts';
import classes from './workbench.module.css';

/** Articles of the card. */
const SHOWN = 3;

/** 资讯与课程: the way to the shelf, with its first articles. It is no work, so it stands last and shows no number. */
export function ShelfCard() {
  const { data } = useActionQuery(getShelfArticles, { page: 1, pageSize: SHOWN }, { quiet: true });
  return (
    <section className={classes['block']} data-key="shelf" aria-labelledby="block-shelf">
      <Link to="/content" className={classes['title'] ?? ''}>
        <IconBooks size={20} stroke={1.6} aria-hidden />
        <h2 id="block-shelf">资讯与课程</h2>
        <span className={classes['note']}>文章、音乐和课程</span>
        <IconChevronRight size={16} aria-hidden className={classes['go']} />
      </Link>
      {data && data.rows.length > 0 && (
        <ul>
          {data.rows.map(({ articleid, title, category, publishtime }) => (
            <li key={articleid}>
              <Link to={`/content/article?articleid=${articleid}`} className={classes['row'] ?? ''}>
                <span className={classes['headline']} title={title}>
                  {title}
                </span>
                <span className={classes['time']}>
                  {ArticleCategory.label(category)} · <RelativeTime at={publishtime} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
