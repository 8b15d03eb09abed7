import { ActionIcon } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getPins, setPin } from '#features/pin/pin.contract.ts';
import type { PinTarget } from '#blocks/pin/pinOf.ts';

/** 固定 of a case, a person, a task or a team: it stays on the workbench and in the search until the user ends it. */
export function PinButton({ kind, refcode }: PinTarget) {
  const { data } = useActionQuery(getPins, {}, { quiet: true });
  const isPinned = data?.pins.some((pin) => pin.kind === kind && pin.refcode === refcode) ?? false;
  const set = useActionMutation(setPin, {
    invalidates: [getPins],
    successMessage: isPinned ? '已取消固定' : '已固定，在工作台和搜索中随时打开',
  });
  if (!data || !can(setPin)) return null;
  const title = isPinned ? '取消固定' : '固定到工作台';
  return (
    <ActionIcon
      variant="subtle"
      color={isPinned ? 'brand' : 'gray'}
      size="sm"
      aria-label={title}
      aria-pressed={isPinned}
      title={title}
      loading={set.isPending}
      onClick={() => set.mutate({ kind, refcode, ispinned: !isPinned })}
    >
      {isPinned ? <IconPinFilled size={18} /> : <IconPin size={18} />}
    </ActionIcon>
  );
}
