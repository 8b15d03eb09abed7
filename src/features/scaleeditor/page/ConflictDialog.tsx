import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import type { Scale } from '#domain/scoring/scale.ts';
import { call } from '#ui/api/call.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { getFormDetail } from '#features/form/form.contract.ts';
import type { SaveState } from '#features/scaleeditor/page/useSaving.ts';

interface Props {
  formcode: string;
  state: SaveState;
  onTheirs: (scale: Scale, rowversion: number) => void;
  onMine: (rowversion: number) => void;
}

/** Somebody else saved the draft: the reader takes the other version, or saves the own one over it. */
export function ConflictDialog({ formcode, state, onTheirs, onMine }: Props) {
  const [isLoading, setIsLoading] = useState(false);
  const choose = async (isMine: boolean) => {
    setIsLoading(true);
    try {
      const form = await call(getFormDetail, { formcode, version: 'draft' });
      if (isMine) onMine(form.rowversion);
      else onTheirs(form.definition, form.rowversion);
    } catch (error) {
      notifyError(error);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <Modal
      opened={state.kind === 'conflict'}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title="草稿已被他人修改"
    >
      <Text size="sm">{state.kind === 'conflict' ? state.message : ''}</Text>
      <Text size="sm" mt="xs">
        您的修改还在这里。可以载入对方保存的版本，也可以用您的版本覆盖它。
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" loading={isLoading} onClick={() => void choose(false)}>
          载入对方的版本
        </Button>
        <Button loading={isLoading} onClick={() => void choose(true)}>
          以我的为准
        </Button>
      </Group>
    </Modal>
  );
}
