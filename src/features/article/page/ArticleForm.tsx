import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useCallback, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { notify } from '#ui/feedback/notify.ts';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate } from '#ui/router/router.tsx';
import type { ArticleRow, insertArticle } from '#features/article/article.contract.ts';
import { RichText, type RichTextHandle } from '#blocks/richtext/RichText.tsx';
import { TextConflict } from '#blocks/content/TextConflict.tsx';
import { canPublish, PhaseBadge } from '#features/article/page/phase.tsx';
import type { ShownArticle } from '#features/article/page/PhonePreview.tsx';
import { PreviewDialog } from '#features/article/page/PreviewDialog.tsx';
import { SettingFields } from '#features/article/page/SettingFields.tsx';
import { useLocalCopy } from '#ui/form/useLocalCopy.ts';
import classes from './page.module.css';

export const LIST_PATH = '/operations/dashboards';

interface Props {
  form: ActionForm<typeof insertArticle>;
  /** the saved article; undefined for a new one */
  article?: ArticleRow;
  /** the values as they are saved, for the copy in this browser */
  saved: Readonly<Record<string, unknown>>;
  /** what the server removed from the text at the last save */
  removed: readonly string[];
  /** Saves have succeeded when it is called; it asks when to publish. */
  onPublish: () => void;
  /** Says whether the save that begins now leads on to publishing. */
  onSubmit: (leadsOn: boolean) => void;
}

/** The editor of an article: title and text at the left, everything else at the right. */
export function ArticleForm({ form, article, saved, removed, onPublish, onSubmit }: Props) {
  const navigate = useNavigate();
  const handle = useRef<RichTextHandle>(undefined);
  const [cover, setCover] = useState<string>();
  const [preview, setPreview] = useState<ShownArticle>();
  const copy = useLocalCopy(form as never, `article.${article?.articleid ?? 'new'}`, saved);
  const readContent = useCallback(() => handle.current?.read() ?? '', []);

  const submit = (leadsOn: boolean) => {
    const { running, failed } = handle.current?.pictures() ?? { running: 0, failed: 0 };
    if (running > 0) return notify.warn(`还有 ${running} 张图片没有传完，传完后再保存`);
    if (failed > 0) return notify.warn(`有 ${failed} 张图片没有传上去，请重试或移除后再保存`);
    readContent();
    onSubmit(leadsOn);
    form.submit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    submit(false);
  };
  const publish = () => (form.dirty || !article ? submit(true) : onPublish());
  const { title = '', category = '', author = '', source = '', coverfileid } = form.values;
  const coverurl = coverfileid === undefined ? (article?.coverurl ?? '') : coverfileid === null ? '' : (cover ?? '');
  const head = { title, category, author, source, coverurl, publishtime: article?.publishtime ?? null };
  return (
    <form
      ref={form.place}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit(false);
      }}
    >
      <header className={classes['bar']}>
        <div className={classes['name']}>
          <h1 title={title}>{title || (article ? '未命名推文' : '新推文')}</h1>
          {article && <PhaseBadge phase={article.phase} />}
        </div>
        <Group gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {form.busy ? '保存中…' : form.dirty ? '有未保存的修改' : article ? '已保存' : ''}
          </Text>
          <Button variant="default" onClick={() => navigate(LIST_PATH)}>
            返回
          </Button>
          <Button variant="default" onClick={() => setPreview({ ...head, content: readContent() })}>
            预览
          </Button>
          <Button type="submit" variant={!article || canPublish(article.phase) ? 'default' : 'filled'} loading={form.busy}>
            保存
          </Button>
          {(!article || canPublish(article.phase)) && (
            <Button disabled={form.busy} onClick={publish}>
              发布
            </Button>
          )}
        </Group>
      </header>
      {copy.isRestored && (
        <Alert color="gray" p="xs" mb="sm" withCloseButton closeButtonLabel="知道了" onClose={copy.hideNotice}>
          已恢复上次没有保存的修改。{copy.isOutdated && '之后有人保存过这篇推文，保存时会逐项比较。'}
          <Button variant="subtle" size="compact-sm" ml={6} onClick={copy.discard}>
            {article ? '改用已保存的内容' : '重新开始'}
          </Button>
        </Alert>
      )}
      {removed.length > 0 && (
        <Alert color="gray" p="xs" mb="sm" role="status">
          已保存。为了安全，去掉了正文里不支持的内容：{removed.join('、')}。
        </Alert>
      )}
      {article?.phase === 'visible' && form.dirty && (
        <Text size="sm" c="dimmed" mb="sm">
          这篇推文已发布，保存后读者立即看到修改。
        </Text>
      )}
      <ConflictNotice form={form} />
      <div className={classes['columns']}>
        <section className={classes['card']} aria-label="标题与正文">
          <TextInput {...form.field('title')} size="md" maxLength={80} mb="md" placeholder="写一个读者想点开的标题" />
          <RichText
            label="正文"
            name="content"
            use="article"
            value={form.values.content ?? ''}
            onChange={(content) => form.set('content', content)}
            error={
              form.error('content') && (
                <TextConflict
                  label="正文"
                  error={form.error('content')}
                  preview={(content, close) => <PreviewDialog article={{ ...head, content }} onClose={close} />}
                />
              )
            }
            onReady={(ready) => (handle.current = ready)}
          />
        </section>
        <section className={classes['card']} aria-label="设置">
          <SettingFields form={form} coverurl={article?.coverurl ?? ''} readContent={readContent} onCover={setCover} />
        </section>
      </div>
      {preview && <PreviewDialog article={preview} onClose={() => setPreview(undefined)} />}
    </form>
  );
}
