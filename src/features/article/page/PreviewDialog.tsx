import { Modal } from '@mantine/core';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getArticleDetail } from '#features/article/article.contract.ts';
import { PhonePreview, type ShownArticle } from '#features/article/page/PhonePreview.tsx';

/** Shows what the editor holds now. */
export const PreviewDialog = ({ article, onClose }: { article: ShownArticle; onClose: () => void }) => (
  <Modal opened onClose={onClose} title="手机预览" size={470}>
    <PhonePreview article={article} />
  </Modal>
);

/** Shows an article of the list as it is saved. */
export function SavedPreviewDialog({ articleid, onClose }: { articleid: number; onClose: () => void }) {
  const read = useActionQuery(getArticleDetail, { articleid }, { quiet: true });
  return (
    <Modal opened onClose={onClose} title="手机预览" size={470}>
      <Loaded read={read} skeleton={<Skeletons.Lines count={8} />}>
        {(article) => <PhonePreview article={article} />}
      </Loaded>
    </Modal>
  );
}
