import { Section } from '#ui/display/Section.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import { ArticleCategory } from '#domain/content/content.ts';
import { ArticleBody } from '#blocks/content/ArticleBody.tsx';
import { Cover } from '#blocks/content/Cover.tsx';
import { getShelfArticle } from '#features/content/content.contract.ts';
import { BackToShelf, idFrom, NO_CONTENT, NotOpened, useOpened } from '#features/content/staff/ShelfFrame.tsx';
import classes from './shelf.module.css';

const back = <BackToShelf to="/content">返回文章列表</BackToShelf>;

/** One article to read. */
export default function ArticlePage() {
  const [params] = useSearchParams();
  const read = useOpened(getShelfArticle, { articleid: idFrom(params.get('articleid')) ?? NO_CONTENT });
  const article = read.data;
  if (!article) return <NotOpened read={read} what="这篇文章" back={back} />;
  return (
    <Section>
      <article className={classes['article']} aria-labelledby="article-title">
        {back}
        <h2 id="article-title" className={classes['headline']}>
          {article.title}
        </h2>
        <div className={classes['facts']}>
          <span className={classes['mark']}>{ArticleCategory.label(article.category)}</span>
          {article.author && <span>{article.author}</span>}
          <time>{stamp(article.publishtime)}</time>
        </div>
        {article.coverurl && (
          <div className={classes['lead']}>
            <Cover kind="article" title={article.title} src={article.coverurl} />
          </div>
        )}
        <ArticleBody html={article.content} />
        {article.source && <p className={classes['origin']}>来源：{article.source}</p>}
      </article>
    </Section>
  );
}
