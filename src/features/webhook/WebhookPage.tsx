import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import {
  deleteWebhook,
  DISABLED_WHY,
  getWebhooks,
  MOST_WEBHOOKS,
  renewWebhookSecret,
  updateWebhook,
  WEBHOOK_EVENTS,
  type WebhookRow,
} from '#features/webhook/webhook.contract.ts';
import { DeliveryLog } from '#features/webhook/DeliveryLog.tsx';
import { READS, useSendTest } from '#features/webhook/sendTest.ts';
import { WebhookSecret, WebhookDrawer } from '#features/webhook/WebhookDrawer.tsx';
import classes from './webhook.module.css';

/** 事件推送: the addresses of the institution that get its events, and what they got. */
export default function WebhookPage() {
  const read = useActionQuery(getWebhooks, {});
  const [editing, setEditing] = useState<WebhookRow | 'new'>();
  const [secret, setSecret] = useState<string>();
  return (
    <PageStack>
      <Section
        title="推送地址"
        right={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            新增地址
          </Button>
        }
      >
        <Text size="sm" c="dimmed" mb="md">
          答卷提交、预警产生或结案时，把编号推送到本单位的系统。推送带签名，不含姓名、分数、联系方式和文字。
        </Text>
        <Loaded read={read} skeleton={<Skeletons.Lines count={3} />}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <EmptyState title="还没有推送地址" hint={`请向系统开发人员要一个 https 地址；最多 ${MOST_WEBHOOKS} 个`} />
            ) : (
              <ul className={classes['addresses']}>
                {webhooks.map((row) => (
                  <li key={row.webhookid}>
                    <Address row={row} onEdit={() => setEditing(row)} onSecret={setSecret} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <DeliveryLog />
      {editing && <WebhookDrawer row={editing} invalidates={READS} onClose={() => setEditing(undefined)} onSecret={setSecret} />}
      {secret && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </PageStack>
  );
}

/** How an address stands, in words. */
const stateOf = ({ enabled, disabledwhy, failingsince }: WebhookRow) =>
  enabled === 0
    ? ({ tone: 'gray', words: DISABLED_WHY[disabledwhy] || '已停用' } as const)
    : failingsince
      ? ({ tone: 'amber', words: '正在重试' } as const)
      : ({ tone: 'green', words: '启用' } as const);

function Address({ row, onEdit, onSecret }: { row: WebhookRow; onEdit: () => void; onSecret: (secret: string) => void }) {
  const { webhookid, url, events, enabled, version } = row;
  const change = useActionMutation(updateWebhook, { invalidates: READS, successMessage: enabled ? '已停用' : '已启用' });
  const remove = useActionMutation(deleteWebhook, { invalidates: READS, successMessage: '删除成功' });
  const renew = useActionMutation(renewWebhookSecret, {
    invalidates: READS,
    successMessage: '密钥已更换',
    onDone: (made) => onSecret(made.secret),
  });
  const sendTest = useSendTest();
  const { tone, words } = stateOf(row);
  const facts = [
    row.successtime ? `最近送达 ${row.successtime.slice(0, 16)}` : '还没有送达过',
    ...(row.failingsince && enabled ? [`${row.failingsince.slice(0, 16)} 起没有送达`] : []),
    ...(row.waiting > 0 ? [`${row.waiting} 条等待发送`] : []),
    ...(row.oldsecretuntil ? [`旧密钥用到 ${row.oldsecretuntil.slice(0, 16)}`] : []),
  ];
  return (
    <div className={classes['address']}>
      <div className={classes['words']}>
        <Group gap="xs">
          <Text fw={600} className={classes['url'] ?? ''}>
            {url}
          </Text>
          <Badge tone={tone}>{words}</Badge>
        </Group>
        <Text size="sm">{events.map((event) => WEBHOOK_EVENTS[event]).join('、')}</Text>
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </div>
      <Group gap={4} role="group" aria-label={`操作 ${url}`}>
        <Button variant="subtle" size="compact-sm" loading={sendTest.isPending} onClick={() => sendTest.mutate({ webhookid })}>
          发送测试事件
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onEdit}>
          修改
        </Button>
        <ConfirmButton
          question="更换后，新旧密钥同时签名 24 小时，之后只用新密钥。是否更换？"
          onConfirm={() => renew.mutateAsync({ webhookid })}
        >
          更换密钥
        </ConfirmButton>
        {enabled ? (
          <ConfirmButton
            question="停用后，等待发送的不再发送，停用期间的事件也不补发。是否停用？"
            onConfirm={() => change.mutateAsync({ webhookid, version, enabled: 0 })}
          >
            停用
          </ConfirmButton>
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={change.isPending}
            onClick={() => change.mutate({ webhookid, version, enabled: 1 })}
          >
            启用
          </Button>
        )}
        <ConfirmButton name={url} onConfirm={() => remove.mutateAsync({ webhookid })} />
      </Group>
    </div>
  );
}
