import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { ImportOutcome, type LastStep } from '#blocks/import/ImportOutcome.tsx';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import {
  exportUserImportErrors,
  renewUserPasswords,
  undoUserImport,
  type FirstPasswords,
  type StaffImportResult,
} from '#features/org/import/staffImport.contract.ts';
import type { ValidDays } from '#features/org/batch/oneTime.contract.ts';
import { OneTimePasswordList, downloadOneTimePasswords } from '#features/org/batch/OneTimePasswordList.tsx';
import { ValidDaysField } from '#features/org/batch/ValidDaysField.tsx';

interface Props extends LastStep<StaffImportResult> {
  /** Called with true while the screen shows passwords that nobody has downloaded: the dialog must not close by accident. */
  onUnsaved: (hasUnsavedSecrets: boolean) => void;
  /** The validity of new passwords. */
  validdays: ValidDays;
  onValiddays: (days: ValidDays) => void;
}

/** The last step: shows the first passwords once and offers the undo for 24 hours. */
export function StaffImportDone({ result, undone, onUnsaved, onUndone, onClose, onMore, validdays, onValiddays }: Props) {
  const { importid, success, failed, undountil } = result;
  const [secrets, setSecrets] = useState<FirstPasswords | undefined>(result.created.length > 0 ? result : undefined);
  const [isDownloaded, setIsDownloaded] = useState(false);
  const isUnsaved = secrets !== undefined && !isDownloaded && !undone;
  useUnsaved(isUnsaved);
  useEffect(() => {
    onUnsaved(isUnsaved);
    return () => onUnsaved(false);
  }, [onUnsaved, isUnsaved]);

  const undo = useActionMutation(undoUserImport, { successMessage: '已撤销本次导入', onDone: onUndone });
  const renew = useActionMutation(renewUserPasswords, {
    onDone: (fresh) => {
      setSecrets(fresh);
      setIsDownloaded(false);
    },
  });
  const download = () => {
    if (!secrets) return;
    downloadOneTimePasswords(secrets);
    setIsDownloaded(true);
  };
  const leave = async (then: () => void) => {
    if (
      !isUnsaved ||
      (await confirm({ text: '初始密码还没有下载，离开后无法再次查看。已经记录好了吗？', yes: '已记录', no: '返回' }))
    )
      then();
  };

  return (
    <ImportOutcome
      result={result}
      undone={undone}
      words={{
        done: `已新增 ${success} 个用户`,
        until: `${undountil} 之前可以撤销；有人登录过或账号被修改后不能撤销`,
        undone: '新增的账号已全部移除，登录账号可以重新使用',
      }}
      numbers={[
        ['共', result.total],
        ['新增', success],
        ['未导入', failed],
      ]}
      errors={exportUserImportErrors}
      undo={{
        question: `撤销后，本次新增的 ${success} 个账号将全部移除，初始密码失效。是否撤销？`,
        onConfirm: () => undo.mutateAsync({ importid }),
      }}
      buttons={
        <>
          {!undone && !secrets && (
            <ConfirmButton
              variant="default"
              size="sm"
              question="为本次导入中还没有登录过的用户重新生成初始密码？原来的初始密码立即失效。"
              onConfirm={() => renew.mutateAsync({ importid, validdays })}
            >
              重新生成初始密码
            </ConfirmButton>
          )}
          <Button variant="default" onClick={() => void leave(onMore)}>
            继续导入
          </Button>
          {!undone && secrets && (
            <Button variant={isDownloaded ? 'default' : 'filled'} onClick={download}>
              {isDownloaded ? '再次下载' : '下载初始密码'}
            </Button>
          )}
          <Button variant={isUnsaved ? 'default' : 'filled'} onClick={() => void leave(onClose)}>
            完成
          </Button>
        </>
      }
    >
      {!undone && secrets && <OneTimePasswordList {...secrets} />}
      {!undone && !secrets && (
        <>
          <Text size="sm" c="dimmed">
            初始密码已在导入时显示过，系统不保存。没有留存或已过期的，可以为还没有登录过的用户重新生成，原来的初始密码随之失效。
          </Text>
          <ValidDaysField value={validdays} onChange={onValiddays} />
        </>
      )}
    </ImportOutcome>
  );
}
