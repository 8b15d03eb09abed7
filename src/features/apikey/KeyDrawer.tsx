import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SecretDrawer, ShownOnce } from '#ui/feedback/ShownOnce.tsx';
import { KEY_SCOPES, keyScopes, type KeyScope } from '#contract/apikey/openToKeys.ts';
import { NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getApiKeys, insertApiKey, KEY_DAYS } from '#features/apikey/apikey.contract.ts';

const PERIODS = KEY_DAYS.map((days) => ({ value: days, label: days === 365 ? '一年' : `${days} 天` }));

/** Makes a key of groups that are open to the institution, and shows it once. */
export function KeyDrawer({ open, onClose }: { open: readonly KeyScope[]; onClose: () => void }) {
  const [key, setKey] = useState<string>();
  const form = useActionForm(insertApiKey, {
    initial: { keyname: '', scopes: [], permin: 60, days: 90 },
    invalidates: [getApiKeys],
    successMessage: '密钥已新建',
    onDone: (made) => setKey(made.key),
  });
  if (key)
    return (
      <SecretDrawer title="新的密钥" onClose={onClose}>
        <ShownOnce label="密钥" noun="密钥" value={key} hint="，当面或用加密方式交给对方系统的管理员" />
        <Text size="sm" c="dimmed">
          对方怎么用，见“对接密钥”页的调用说明。
        </Text>
      </SecretDrawer>
    );
  return (
    <FormDrawer title="新建密钥" onClose={onClose} form={form} save="新建">
      <TextInput {...form.field('keyname')} placeholder="哪个系统用，例如 校园平台" maxLength={30} />
      <Checkbox.Group
        label="可以读取"
        required
        data-path="scopes"
        value={[...(form.values.scopes ?? [])]}
        onChange={(scopes) => form.set('scopes', scopes as KeyScope[])}
        error={form.error('scopes')}
      >
        <Stack gap="xs" mt={6}>
          {keyScopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={KEY_SCOPES[scope].title}
              description={open.includes(scope) ? KEY_SCOPES[scope].hint : '本机构没有开通'}
              disabled={!open.includes(scope)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <NumberField {...form.field('permin')} min={1} max={600} />
      <SelectField {...form.field('days')} options={PERIODS} clearable={false} />
    </FormDrawer>
  );
}
