import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { SecretDrawer, ShownOnce } from '#ui/feedback/ShownOnce.tsx';
import type { Action } from '#contract/action.ts';
import type { Field } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import {
  insertWebhook,
  updateWebhook,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WebhookRow,
} from '#features/webhook/webhook.contract.ts';

interface Props {
  invalidates: readonly Action[];
  onClose: () => void;
  /** shows the secret of a new address */
  onSecret: (secret: string) => void;
}

/** The form of a new address, or of one that exists. */
export const WebhookDrawer = ({ row, ...more }: Props & { row: WebhookRow | 'new' }) =>
  row === 'new' ? <NewWebhook {...more} /> : <EditWebhook row={row} {...more} />;

function NewWebhook({ invalidates, onClose, onSecret }: Props) {
  const form = useActionForm(insertWebhook, {
    initial: { url: '', events: ['sheet.submitted', 'case.opened', 'case.closed'] },
    invalidates: [...invalidates],
    onDone: ({ secret }) => {
      onClose();
      onSecret(secret);
    },
    successMessage: '新增成功',
  });
  return (
    <FormDrawer title="新增推送地址" onClose={onClose} form={form}>
      <TextInput
        {...form.field('url')}
        inputMode="url"
        placeholder="https://example.com/events"
        description="由本单位的系统开发人员提供；不能是内网地址"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
      />
      <Events field={form.field('events')} value={form.values.events ?? []} set={(events) => form.set('events', events)} />
      <Text size="sm" c="dimmed">
        保存后显示签名密钥，只显示一次。
      </Text>
    </FormDrawer>
  );
}

function EditWebhook({ row: { webhookid, version, url, events }, invalidates, onClose }: Props & { row: WebhookRow }) {
  const form = useActionForm(updateWebhook, {
    initial: { webhookid, version, url, events },
    invalidates: [...invalidates],
    onDone: onClose,
  });
  return (
    <FormDrawer title="修改推送地址" onClose={onClose} form={form}>
      <TextInput {...form.field('url')} required inputMode="url" />
      <Events field={form.field('events')} value={form.values.events ?? []} set={(next) => form.set('events', next)} />
    </FormDrawer>
  );
}

function Events({ field, value, set }: { field: Field; value: WebhookEvent[]; set: (events: WebhookEvent[]) => void }) {
  return (
    <Checkbox.Group
      label={field.label}
      error={field.error}
      required
      value={value}
      onChange={(next) => set(next as WebhookEvent[])}
    >
      <Stack gap="xs" mt={4}>
        {Object.entries(WEBHOOK_EVENTS).map(([event, title], index) => (
          <Checkbox
            key={event}
            value={event}
            label={title}
            description={event}
            {...(index === 0 && { 'data-path': field['data-path'] })}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** The secret of an address, shown once. */
export const WebhookSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretDrawer title="签名密钥" onClose={onClose}>
    <Text>对方用这个密钥核对每次推送的签名，格式见 Standard Webhooks 规范。</Text>
    <ShownOnce label="签名密钥" noun="密钥" value={secret} hint="，并用安全的方式交给开发人员" />
  </SecretDrawer>
);
