import { Alert, Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { confirm } from '#ui/feedback/confirm.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { InstitutionTree } from '#features/muser/tree/InstitutionTree.tsx';
import { updateMUserCategory, type MUserRow } from '#features/muser/muser.contract.ts';

/** Moves an institution with all institutions below it under a parent that the user chooses in the tree. */
export function MoveDialog({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const [target, setTarget] = useState<{ musercode: string; insname: string }>();
  const move = useActionMutation(updateMUserCategory, { onDone: onClose, successMessage: '调整成功' });
  const leave = useLeave(target !== undefined, onClose, '还没有移动，确定离开吗？');
  const submit = async () => {
    if (!target) return;
    const children = row.childcount ? `及其 ${row.childcount} 个下级机构` : '';
    const text = `将“${row.insname}”${children}移到“${target.insname}”之下？原上级将不再看到它的受测者、任务与预警。`;
    if (await confirm({ text, yes: '移动' }))
      await move
        .mutateAsync({ musercode: row.musercode, version: row.version, parentmusercode: target.musercode })
        .catch(() => undefined);
  };
  return (
    <Modal opened onClose={leave} title={`调整上级：${row.insname}`} size={520}>
      <Text size="sm" mb="xs">
        当前上级：{row.parentname || '—'}
      </Text>
      <Alert color="yellow" mb="sm">
        所有下级机构、受测者、团体、任务和预警随之移动，登录不受影响。
      </Alert>
      <div style={{ maxHeight: '46vh', overflow: 'auto', border: '1px solid var(--line)', borderRadius: 8, padding: 8 }}>
        <InstitutionTree
          label="选择新的上级"
          value={target?.musercode ?? ''}
          except={row.musercode}
          onPick={(musercode, insname) => setTarget({ musercode, insname })}
        />
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          取消
        </Button>
        <Button
          disabled={!target || target.musercode === row.parentmusercode}
          loading={move.isPending}
          onClick={() => void submit()}
        >
          移到这里
        </Button>
      </Group>
    </Modal>
  );
}
