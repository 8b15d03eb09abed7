import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getMusicPageList, insertMusic, updateMusic, type MusicRow } from '#features/music/music.contract.ts';
import { MusicFields } from '#features/music/MusicFields.tsx';

/** Edits a new or an existing piece of music. */
export const MusicDrawer = ({ row, onClose }: { row: MusicRow | 'new'; onClose: () => void }) =>
  row === 'new' ? <NewMusic onClose={onClose} /> : <OwnMusic row={row} onClose={onClose} />;

function NewMusic({ onClose }: { onClose: () => void }) {
  const form = useActionForm(insertMusic, {
    initial: { audience: '01', appids: [], levels: [], ordernum: 0, status: 0 },
    invalidates: [getMusicPageList],
    onDone: onClose,
  });
  return (
    <FormDrawer title="新增音乐" onClose={onClose} form={form} width={560}>
      <MusicFields form={form} />
    </FormDrawer>
  );
}

function OwnMusic({ row, onClose }: { row: MusicRow; onClose: () => void }) {
  const { musicid, version, title, fileid, duration, category, audience, appids, levels, licence, status, ordernum } = row;
  const form = useActionForm(updateMusic, {
    initial: { musicid, version, title, fileid, duration, category, audience, appids, levels, licence, status, ordernum },
    invalidates: [getMusicPageList],
    onDone: onClose,
  });
  return (
    <FormDrawer title="修改音乐" onClose={onClose} form={form} width={560}>
      <MusicFields form={form as never} row={row} />
    </FormDrawer>
  );
}
