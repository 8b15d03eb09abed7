import { Alert } from '@mantine/core';
import type { PasteNote } from '#blocks/richtext/paste.ts';
import classes from './editor.module.css';

/** Says calmly what pasting left out, and how to bring it in. */
export function PasteNotice({ note, onClose }: { note: PasteNote | undefined; onClose: () => void }) {
  return (
    <div role="status">
      {note && (
        <Alert color="orange" p="xs" mb="xs" withCloseButton closeButtonLabel="知道了" onClose={onClose}>
          {note.foreign.length > 0 && (
            <>
              <div>没有带入 {note.foreign.length} 张其他网站的图片。需要时请先存到本机，再插入正文：</div>
              <ul className={classes['addresses']}>
                {note.foreign.slice(0, 5).map((address, index) => (
                  <li key={index}>{address}</li>
                ))}
                {note.foreign.length > 5 && <li>等 {note.foreign.length} 张</li>}
              </ul>
            </>
          )}
          {note.local > 0 && <div>文字已粘贴。Word 里的 {note.local} 张图片没有随文字带过来，请逐张复制，再粘贴到正文。</div>}
          {note.files.length > 0 && <div>正文里只能放图片，没有插入：{note.files.join('、')}</div>}
        </Alert>
      )}
    </div>
  );
}
