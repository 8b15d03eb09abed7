import { Button, Stack, TextInput } from '@mantine/core';
import { summarise } from '#domain/content/articleHtml.ts';
import { ArticleCategory } from '#domain/content/content.ts';
import { ReaderFields } from '#blocks/content/ReaderFields.tsx';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { EnumRadio, LongTextField, SwitchField } from '#ui/form/fields.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { insertArticle } from '#features/article/article.contract.ts';

interface Props {
  form: ActionForm<typeof insertArticle>;
  /** the saved cover; '' for none */
  coverurl: string;
  /** the text as it is now, for the summary */
  readContent: () => string;
  onCover: (url: string | undefined) => void;
}

/** Everything of an article beside its title and its text. */
export function SettingFields({ form, coverurl, readContent, onCover }: Props) {
  return (
    <Stack gap="md">
      <EnumRadio {...form.field('category')} of={ArticleCategory} />
      <ReaderFields form={form as never} />
      <PictureField
        label="封面"
        use="article"
        savedUrl={coverurl}
        value={form.values.coverfileid}
        error={form.error('coverfileid')}
        data-path="coverfileid"
        onPick={(fileid, url) => {
          form.set('coverfileid', fileid);
          onCover(url);
        }}
        hint="建议 16:9，不选则用素色封面"
      />
      <div>
        <LongTextField {...form.field('summary')} maxLength={200} />
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => form.set('summary', summarise(readContent()))}>
          取正文开头
        </Button>
      </div>
      <TextInput {...form.field('author')} maxLength={40} />
      <TextInput {...form.field('source')} maxLength={100} description="转载时写明出处" />
      <SwitchField {...form.field('istop')} words="排在列表最前" />
    </Stack>
  );
}
