import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { ContentAudience } from '#domain/content/content.ts';
import { populationWords } from '#blocks/content/ReaderFields.tsx';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { getArticleDetail, getArticlePageList, publishArticle, type ArticleRow } from '#features/article/article.contract.ts';

interface Props {
  article: Pick<ArticleRow, 'articleid' | 'title' | 'audience' | 'appids' | 'phase' | 'publishtime' | 'offlinetime'>;
  onClose: () => void;
}

const timesOf = ({ publishtime, offlinetime }: Props['article']) => ({
  publishtime: publishtime ?? undefined,
  offlinetime: offlinetime ?? undefined,
});

/** Publishes an article now or at a time, and perhaps until a time. A timed one begins with its times. */
export function PublishDialog({ article, onClose }: Props) {
  const isTimed = article.phase === 'scheduled';
  const [mode, setMode] = useState(isTimed ? 'later' : 'now');
  const [fault, setFault] = useState<string>();
  const form = useActionForm(publishArticle, {
    initial: { articleid: article.articleid, step: 'publish', ...(isTimed ? timesOf(article) : {}) },
    invalidates: [getArticlePageList, getArticleDetail],
    successMessage: mode === 'now' ? '发布成功' : '已定时',
    future: ['publishtime', 'offlinetime'],
    onDone: onClose,
  });
  const leave = useLeave(form.dirty, onClose);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mode === 'later' && !form.values.publishtime) return setFault('请选择发布时间');
    form.submit(event);
  };
  const publishtime = form.field('publishtime');
  return (
    <Modal opened onClose={leave} title={isTimed ? `改“${article.title}”的发布时间` : `发布“${article.title}”`} size="md">
      <form ref={form.place} onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">
            {ContentAudience.label(article.audience)}可见，{populationWords(article.appids)}
          </Text>
          <Radio.Group
            label="发布时间"
            value={mode}
            onChange={(next) => {
              setMode(next);
              setFault(undefined);
              if (next === 'now') form.set('publishtime', undefined);
            }}
          >
            <Group gap="8px 20px" mt={8}>
              <Radio value="now" label="立即发布" data-autofocus />
              <Radio value="later" label="定时发布" />
            </Group>
          </Radio.Group>
          {mode === 'later' && (
            <MomentField
              {...publishtime}
              label="定时"
              required
              error={fault ?? publishtime.error}
              onChange={(value: unknown) => {
                setFault(undefined);
                form.set('publishtime', value);
              }}
            />
          )}
          <MomentField {...form.field('offlinetime')} description="到时间后自动下线；不填则一直显示" />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              取消
            </Button>
            <Button type="submit" loading={form.busy}>
              {mode === 'now' ? '立即发布' : '定时发布'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
