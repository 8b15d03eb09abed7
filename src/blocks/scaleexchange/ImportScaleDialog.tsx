import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Scale } from '#domain/scoring/scale.ts';
import { call } from '#ui/api/call.ts';
import { upload } from '#ui/api/transfer.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { getFormDetail, getFormPageList } from '#features/form/form.contract.ts';
import { insertForm } from '#features/scaleeditor/scaleeditor.contract.ts';
import { importFormText, type ReadForm } from '#features/scaleexchange/scaleexchange.contract.ts';
import { ImportResult } from '#blocks/scaleexchange/ImportResult.tsx';
import { ImportSource, type Source } from '#blocks/scaleexchange/ImportSource.tsx';

interface Props {
  onClose: () => void;
  /** Runs after a form was added or texts were stored; with the code of the form. */
  onDone?: (formcode: string) => void;
  /** Takes the definition instead of adding a form: the open draft of the editor. */
  draft?: { title: string; onLoad: (scale: Scale) => void } | undefined;
  /** Uploads the licensed texts of this form without wording. */
  wordingOf?: { formcode: string; title: string } | undefined;
}

/** 导入量表: a file or pasted text, what was understood of it, then a new form, the draft, or licensed texts. */
export function ImportScaleDialog({ onClose, onDone, draft, wordingOf }: Props) {
  const client = useQueryClient();
  const [source, setSource] = useState<Source>({ kind: 'file', text: '' });
  const [read, setRead] = useState<ReadForm>();
  const [isBusy, setIsBusy] = useState(false);
  const [doneCode, setDoneCode] = useState<string>();
  const leave = useLeave(doneCode === undefined && (read !== undefined || source.text !== ''), onClose);
  // The page may leave only after the guard of unsaved content is off.
  const finishOutside = useEffectEvent((formcode: string) => onDone?.(formcode));
  useEffect(() => {
    if (doneCode !== undefined) finishOutside(doneCode);
  }, [doneCode]);

  const run = async (work: () => Promise<void>) => {
    setIsBusy(true);
    try {
      await work();
    } catch (fault) {
      notifyError(fault);
    } finally {
      setIsBusy(false);
    }
  };
  const finish = async (formcode: string, words: string) => {
    await invalidateActions(client, [getFormPageList, getFormDetail]);
    notify.done(words);
    setDoneCode(formcode);
  };
  const check = (file?: File) =>
    run(async () => {
      const fields = wordingOf ? { formcode: wordingOf.formcode } : {};
      const answer = await (file ? upload(importFormText, file, fields) : call(importFormText, { ...fields, text: source.text }));
      if (wordingOf && answer.stored > 0) return finish(wordingOf.formcode, `已保存 ${answer.stored} 题的文字`);
      setRead(answer);
    });
  const take = (title: string) =>
    run(async () => {
      if (!read?.definition) return;
      const definition = { ...read.definition, title };
      if (draft) {
        draft.onLoad(definition);
        notify.done('已替换草稿；可以撤销');
        return onClose();
      }
      const { formcode } = await call(insertForm, { formname: title, definition });
      return finish(formcode, '已新建量表草稿，发布前请检查得分和等级');
    });

  const title = wordingOf ? `上传题目文字：${wordingOf.title}` : draft ? `导入到草稿：${draft.title}` : '导入量表';
  return (
    <Modal opened onClose={leave} title={title} size={read ? 960 : 680}>
      {read ? (
        <ImportResult
          read={read}
          isBusy={isBusy}
          hasDraft={draft !== undefined}
          isWording={wordingOf !== undefined}
          onBack={() => setRead(undefined)}
          onTake={(name) => void take(name)}
        />
      ) : (
        <ImportSource
          source={source}
          setSource={setSource}
          isBusy={isBusy}
          isWording={wordingOf !== undefined}
          onCancel={leave}
          onCheck={(file) => void check(file)}
        />
      )}
    </Modal>
  );
}
