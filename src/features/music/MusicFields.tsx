import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { MusicCategory } from '#domain/content/content.ts';
import { ReaderFields } from '#blocks/content/ReaderFields.tsx';
import { MediaField } from '#blocks/file/MediaField.tsx';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { EnumRadio, LongTextField, NumberField, SwitchField } from '#ui/form/fields.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { insertMusic, MusicRow } from '#features/music/music.contract.ts';

interface Props {
  form: ActionForm<typeof insertMusic>;
  /** the piece that is edited */
  row?: MusicRow;
}

/** The fields of a new and of an existing piece of music. */
export function MusicFields({ form, row }: Props) {
  const { fileid, duration } = form.values;
  const [filenames, setFilenames] = useState<Readonly<Record<string, string>>>(row ? { [row.fileid]: row.filename } : {});
  return (
    <>
      <TextInput {...form.field('title')} data-autofocus />
      <MediaField
        {...form.field('fileid')}
        error={form.error('fileid') ?? form.error('duration')}
        use="music"
        value={fileid && duration ? { fileid, duration, filename: filenames[fileid] ?? '音频' } : undefined}
        onChange={(recording) => {
          if (recording) setFilenames((before) => ({ ...before, [recording.fileid]: recording.filename }));
          form.set('fileid', recording?.fileid);
          form.set('duration', recording?.duration);
        }}
      />
      <EnumRadio {...form.field('category')} of={MusicCategory} />
      <LongTextField {...form.field('licence')} placeholder="作者或版权方、授权方式和期限；听众播放时看得到" />
      <PictureField
        {...form.field('coverfileid')}
        use="music"
        savedUrl={row?.coverurl ?? ''}
        value={form.values.coverfileid}
        onPick={(next) => form.set('coverfileid', next)}
        hint="正方形最佳，可以不设"
      />
      <ReaderFields form={form as never} />
      <NumberField {...form.field('ordernum')} description="数字小的排在前面" min={0} max={9999} />
      <SwitchField {...form.field('status')} label="上架" words="上架后，本机构和下级机构可以播放" />
    </>
  );
}
