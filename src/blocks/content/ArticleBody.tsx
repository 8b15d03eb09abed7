import { memo } from 'react';
import { preparePage } from '#domain/content/articleHtml.ts';
import './articleBody.css';

/** The text of an article. `html` comes from the server, which sanitised it, or from the schema of the editor. */
export const ArticleBody = memo(function ArticleBody({ html }: { html: string }) {
  return <div className="article-body" dangerouslySetInnerHTML={{ __html: preparePage(html) }} />;
});
