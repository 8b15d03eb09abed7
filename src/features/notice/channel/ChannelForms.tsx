import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { NumberField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Link } from '#ui/router/router.tsx';
import {
  getChannelMessagePageList,
  getChannels,
  mailSecurities,
  sendTestMessage,
  updateMailChannel,
  updateWebhookChannel,
  type Channel,
} from '#features/notice/channel/channel.contract.ts';
import classes from '../notice.module.css';

type Channels = ResponseOf<typeof getChannels>;
const READS = [getChannels, getChannelMessagePageList];
interface Props {
  channels: Channels;
  onSaved: () => void;
}

/** The mail server of the institution. */
export function MailForm({ channels: { mail, staff, staffwithmail }, onSaved }: Props) {
  const { issecretsaved, ...initial } = mail;
  const form = useActionForm(updateMailChannel, {
    initial: { ...initial, enabled: issecretsaved ? mail.enabled : 1 },
    invalidates: READS,
    onDone: onSaved,
  });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate className={classes['form']}>
      <p className={classes['lead']}>
        {`有新消息时，给填了邮箱的同事发邮件（${staff} 人中 ${staffwithmail} 人已填）。邮件只写机构、类别、条数和链接，不写姓名、分数和级别。`}
      </p>
      <Stack gap="md">
        <ConflictNotice form={form} />
        <SwitchField {...form.field('enabled')} label="" words="启用邮件" />
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput {...form.field('host')} required placeholder="smtp.example.com" miw={220} />
          <NumberField {...form.field('port')} required min={1} max={65_535} />
        </Group>
        <SelectField {...form.field('security')} required options={mailSecurities} clearable={false} />
        <TextInput {...form.field('fromaddress')} required inputMode="email" placeholder="notice@example.com" />
        <TextInput {...form.field('username')} autoComplete="off" placeholder="多数邮箱与发件邮箱相同" />
        <PasswordInput
          {...form.field('password')}
          autoComplete="new-password"
          placeholder={issecretsaved ? '已保存，需要更换时填写' : '邮箱的 SMTP 授权码'}
        />
        <TextInput
          {...form.field('mailbox')}
          inputMode="email"
          description="接收机构账号的消息，可不填"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Buttons channel="mail" isSaved={issecretsaved} form={form} />
      </Stack>
    </form>
  );
}

/** The webhook of the institution. */
export function WebhookForm({ channels: { webhook }, onSaved }: Props) {
  const { issecretsaved, ...initial } = webhook;
  const form = useActionForm(updateWebhookChannel, {
    initial: { ...initial, enabled: issecretsaved ? webhook.enabled : 1 },
    invalidates: READS,
    onDone: onSaved,
  });
  const createKey = () =>
    form.set(
      'secret',
      [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    );
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate className={classes['form']}>
      <p className={classes['lead']}>
        有新消息时，向本单位系统的地址推送一次带签名的通知（Webhook），可再转到企业微信、钉钉等群。内容与邮件相同，不含个人信息。
        给程序用的事件（答卷提交、预警产生和结案）请用<Link to="/webhooks">事件推送</Link>。
      </p>
      <Stack gap="md">
        <ConflictNotice form={form} />
        <SwitchField {...form.field('enabled')} label="" words="启用系统推送" />
        <TextInput {...form.field('url')} required inputMode="url" placeholder="https://example.com/notice" />
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <PasswordInput
            {...form.field('secret')}
            autoComplete="new-password"
            placeholder={issecretsaved ? '已保存，需要更换时填写' : '至少 16 个字符，收发双方相同'}
            style={{ flex: 1 }}
          />
          <Button variant="default" onClick={createKey}>
            随机生成
          </Button>
        </Group>
        {typeof form.values.secret === 'string' && form.values.secret !== '' && (
          <Text size="xs" c="dimmed">
            请把密钥交给接收方保存；保存后不再显示。
          </Text>
        )}
        <Buttons channel="webhook" isSaved={issecretsaved} form={form} />
      </Stack>
    </form>
  );
}

/** 保存, and 发送测试 for the saved settings. */
function Buttons({ channel, isSaved, form }: { channel: Channel; isSaved: boolean; form: { busy: boolean; dirty: boolean } }) {
  const sendTest = useActionMutation(sendTestMessage, {
    invalidates: [],
    onDone: ({ target }) => notify.done(`测试消息已发往 ${target}`),
  });
  return (
    <Group gap="sm">
      <Button type="submit" loading={form.busy} disabled={isSaved && !form.dirty}>
        保存
      </Button>
      <Button
        variant="default"
        disabled={!isSaved || form.dirty}
        loading={sendTest.isPending}
        onClick={() => sendTest.mutate({ channel })}
      >
        发送测试
      </Button>
      {(!isSaved || form.dirty) && (
        <Text size="xs" c="dimmed">
          保存后可以发送测试
        </Text>
      )}
    </Group>
  );
}
