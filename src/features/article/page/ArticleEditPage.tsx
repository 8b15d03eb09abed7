import { useRef, useState } from 'react';
import type { RequestOf, ResponseOf } from '#contract/action.ts';
import { call } from '#ui/api/call.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate, useSearchParams } from '#ui/router/router.tsx';
import { ArticleCategory, ContentAudience } from '#domain/content/content.ts';
import { getArticleDetail, getArticlePageList, insertArticle, updateArticle } from '#features/article/article.contract.ts';
import { ArticleForm } from '#features/article/page/ArticleForm.tsx';
import { PublishDialog } from '#features/article/page/PublishDialog.tsx';

type Detail = ResponseOf<typeof getArticleDetail>;

/** 编辑推文: one article, or a new one. */
export default function ArticleEditPage() {
  const [params] = useSearchParams();
  const articleid = Math.trunc(Number(params.get('articleid'))) || 0;
  const read = useActionQuery(getArticleDetail, articleid > 0 ? { articleid } : undefined, { quiet: true });
  if (articleid <= 0) return <NewArticle />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(article) => <OwnArticle key={article.articleid} article={article} />}
    </Loaded>
  );
}

const empty = {
  title: '',
  summary: '',
  content: '',
  category: ArticleCategory.science,
  audience: ContentAudience.persons,
  appids: [],
  levels: [],
  author: '',
  source: '',
  istop: 0,
} satisfies RequestOf<typeof insertArticle>;

/** After the first save the page goes on with the saved article. */
function NewArticle() {
  const navigate = useNavigate();
  const leadsOn = useRef(false);
  const form = useActionForm(insertArticle, {
    initial: empty,
    invalidates: [getArticlePageList],
    onDone: ({ articleid, removed }) => {
      if (removed.length > 0) notify.info(`为了安全，去掉了正文里不支持的内容：${removed.join('、')}`);
      navigate(`?articleid=${articleid}${leadsOn.current ? '&step=publish' : ''}`, { replace: true });
    },
  });
  return (
    <ArticleForm
      form={form}
      saved={empty}
      removed={[]}
      onPublish={() => undefined}
      onSubmit={(next) => (leadsOn.current = next)}
    />
  );
}

/** The values of the form. The cover is sent only when it changes. */
const valuesOf = (article: Detail) => ({
  articleid: article.articleid,
  version: article.version,
  title: article.title,
  summary: article.summary,
  content: article.content,
  category: article.category,
  audience: article.audience,
  appids: article.appids,
  levels: article.levels,
  author: article.author,
  source: article.source,
  istop: article.istop,
});

function OwnArticle({ article }: { article: Detail }) {
  const [params, setParams] = useSearchParams();
  const leadsOn = useRef(false);
  const [isPublishing, setIsPublishing] = useState(params.get('step') === 'publish');
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const saved = valuesOf(article);
  const form = useActionForm(updateArticle, {
    initial: saved,
    invalidates: [getArticlePageList, getArticleDetail],
    reread: async () => valuesOf(await call(getArticleDetail, { articleid: article.articleid })),
    onDone: (answer) => {
      setRemoved(answer.removed ?? []);
      if (leadsOn.current) setIsPublishing(true);
    },
  });
  return (
    <>
      <ArticleForm
        form={form as never}
        article={article}
        saved={saved}
        removed={removed}
        onPublish={() => setIsPublishing(true)}
        onSubmit={(next) => (leadsOn.current = next)}
      />
      {isPublishing && (
        <PublishDialog
          article={article}
          onClose={() => {
            setIsPublishing(false);
            if (params.has('step')) setParams({ articleid: String(article.articleid) }, { replace: true });
          }}
        />
      )}
    </>
  );
}
