import { SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { useState } from 'react';
import { ArticleCategory } from '#domain/content/content.ts';
import { ArticleBody } from '#blocks/content/ArticleBody.tsx';
import { Cover } from '#blocks/content/Cover.tsx';
import classes from './phone.module.css';

/** What a reader of an article sees of it. */
export interface ShownArticle {
  title: string;
  coverurl: string;
  category: string;
  author: string;
  source: string;
  /** undefined before it is published */
  publishtime: string | null;
  content: string;
}

/** An article in the frame of a phone, light or dark, as its readers see it. */
export function PhonePreview({ article }: { article: ShownArticle }) {
  const scheme = useComputedColorScheme('light');
  const [chosen, setChosen] = useState<string>();
  const shade = chosen ?? scheme;
  const facts = [
    ArticleCategory.label(article.category),
    article.author,
    article.publishtime ? article.publishtime.slice(0, 16) : '发布后显示时间',
  ];
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        mb="sm"
        maw={240}
        mx="auto"
        aria-label="手机的外观"
        value={shade}
        onChange={setChosen}
        data={[
          { value: 'light', label: '浅色' },
          { value: 'dark', label: '深色' },
        ]}
      />
      <div className={classes['frame']} data-shade={shade}>
        <div className={classes['screen']} tabIndex={0} role="region" aria-label="手机预览">
          {article.coverurl && <Cover kind="article" title={article.title} src={article.coverurl} />}
          <article className={classes['article']}>
            <h1>{article.title || '（还没有标题）'}</h1>
            <p className={classes['facts']}>{facts.filter(Boolean).join(' · ')}</p>
            {article.content ? <ArticleBody html={article.content} /> : <p className={classes['empty']}>（还没有正文）</p>}
            {article.source && <p className={classes['source']}>来源：{article.source}</p>}
          </article>
        </div>
      </div>
    </>
  );
}
