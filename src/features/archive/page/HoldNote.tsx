import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { endLegalHold, insertLegalHold } from '#features/retention/retention.contract.ts';

/** 保全 on the person's page: who holds the records and why, the end of the hold, or the button that begins one. */
export function HoldNote({ cuserid }: { cuserid: string }) {
  const read = useActionQuery(getAnonymization, can(getAnonymization) ? { cuserid } : undefined, { quiet: true });
  const [isOpen, setIsOpen] = useState(false);
  if (!read.data || !can(insertLegalHold)) return null;
  const { hold } = read.data;
  const button = (
    <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
      {hold ? '解除保全' : '保全资料'}
    </Button>
  );
  return (
    <>
      {hold ? (
        <Alert color="orange" role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              {hold.beginname} 于 {hold.begintime.slice(0, 16)} 保全了资料：解除前不会清除，也不能匿名化。原因：{hold.reason}
            </Text>
            {button}
          </Group>
        </Alert>
      ) : (
        <div>{button}</div>
      )}
      {isOpen &&
        (hold ? (
          <EndDrawer cuserid={cuserid} onClose={() => setIsOpen(false)} />
        ) : (
          <BeginDrawer cuserid={cuserid} onClose={() => setIsOpen(false)} />
        ))}
    </>
  );
}

interface DrawerProps {
  cuserid: string;
  onClose: () => void;
}

function BeginDrawer({ cuserid, onClose }: DrawerProps) {
  const form = useActionForm(insertLegalHold, {
    initial: { cuserid, reason: '' },
    invalidates: [getAnonymization],
    onDone: onClose,
    successMessage: '已保全',
  });
  return (
    <FormDrawer title="保全资料" onClose={onClose} form={form} save="保全">
      <Text size="sm">诉讼、投诉或调查需要时使用。解除前，期限届满、匿名化和撤回同意都不会删除此人的资料。</Text>
      <LongTextField {...form.field('reason')} maxLength={200} />
    </FormDrawer>
  );
}

function EndDrawer({ cuserid, onClose }: DrawerProps) {
  const form = useActionForm(endLegalHold, {
    initial: { cuserid, reason: '' },
    invalidates: [getAnonymization],
    onDone: onClose,
    successMessage: '已解除保全',
  });
  return (
    <FormDrawer title="解除保全" onClose={onClose} form={form} save="解除">
      <Text size="sm">解除后，已到期的资料会在夜间清除。</Text>
      <LongTextField {...form.field('reason')} maxLength={200} />
    </FormDrawer>
  );
}
