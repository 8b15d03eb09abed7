import { preparePage } from '#domain/content/articleHtml.ts';
import { ArticleCategory } from '#domain/content/content.ts';
import type { ShelfProps } from '#respondent/relax/OverviewPage.tsx';
import { Opening, RelaxFrame } from '#respondent/relax/RelaxFrame.tsx';
import { useLoaded } from '#respondent/relax/useLoaded.ts';
import '#blocks/content/articleBody.css';

/** An article. Its text comes from the server, which sanitised it. */
export function ArticlePage({ articleid, session, shelf, go: _, ...frame }: ShelfProps & { articleid: number }) {
  const { data, fault, load } = useLoaded(
    shelf,
    `article ${articleid}`,
    () => session.call('getPersonArticle', { articleid }),
    true,
  );
  if (!data)
    return (
      <RelaxFrame heading="文章" {...frame}>
        <Opening fault={fault} retry={() => void load()} />
      </RelaxFrame>
    );
  const { title, category, author, publishtime, content, source } = data;
  return (
    <RelaxFrame heading={title} {...frame}>
      <p className="quiet">{[ArticleCategory.label(category), author, publishtime.slice(0, 10)].filter(Boolean).join(' · ')}</p>
      <article className="article-body" dangerouslySetInnerHTML={{ __html: preparePage(content) }} />
      {source && <p className="quiet">来源：{source}</p>}
    </RelaxFrame>
  );
}
