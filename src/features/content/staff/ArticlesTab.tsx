import { CloseButton, TextInput } from '@mantine/core';
import { IconPinned, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { ArticleCategory } from '#domain/content/content.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link } from '#ui/router/router.tsx';
import { getShelfArticles } from '#features/content/content.contract.ts';
import type { ShelfArticle } from '#features/content/shelf.contract.ts';
import { Categories, filterOf, ShelfList } from '#features/content/staff/ShelfList.tsx';
import classes from './shelf.module.css';

/** 文章: cards of the articles, by category and title. */
export function ArticlesTab() {
  const list = useList(getShelfArticles);
  const category = filterOf(list, 'category');
  const keyword = filterOf(list, 'keyword');
  return (
    <>
      <div className={classes['head']}>
        <Categories
          of={ArticleCategory}
          chosen={category}
          choose={(next) => list.setFilters({ ...list.filters, category: next })}
        />
        <Search key={keyword} keyword={keyword} search={(next) => list.setFilters({ ...list.filters, keyword: next })} />
      </div>
      <ShelfList
        list={list}
        empty="文章"
        hint="发布后会出现在这里"
        reset={category || keyword ? () => list.setFilters({}) : undefined}
      >
        <ul className={classes['grid']} aria-label="文章">
          {list.rows.map((article) => (
            <ArticleCard key={article.articleid} article={article} />
          ))}
        </ul>
      </ShelfList>
    </>
  );
}

function Search({ keyword, search }: { keyword: string; search: (keyword: string) => void }) {
  const [text, setText] = useState(keyword);
  return (
    <form
      role="search"
      aria-label="查找文章"
      className={classes['search']}
      onSubmit={(event) => {
        event.preventDefault();
        search(text.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label="标题"
        placeholder="按标题查找"
        maxLength={80}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          text && (
            <CloseButton
              size="sm"
              aria-label="清空标题"
              onClick={() => {
                setText('');
                if (keyword) search('');
              }}
            />
          )
        }
      />
    </form>
  );
}

const ArticleCard = ({ article }: { article: ShelfArticle }) => (
  <li className={classes['card']}>
    <Cover kind="article" title={article.title} src={article.coverurl} />
    <div className={classes['text']}>
      <h2 className={classes['title']} title={article.title}>
        <Link to={`/content/article?articleid=${article.articleid}`}>{article.title}</Link>
      </h2>
      {article.summary && <p className={classes['summary']}>{article.summary}</p>}
      <div className={classes['facts']}>
        <span className={classes['mark']}>{ArticleCategory.label(article.category)}</span>
        {article.istop === 1 && (
          <span className={classes['mark']} data-quiet>
            <IconPinned size={13} aria-hidden />
            置顶
          </span>
        )}
        <RelativeTime at={article.publishtime} />
      </div>
    </div>
  </li>
);
