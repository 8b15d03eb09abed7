import { Button } from '@mantine/core';
import { useState } from 'react';
import { NOTICE_GROUP_TITLES } from '#domain/notice/noticeGroup.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useUser } from '#ui/api/session.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import {
  CHANNELS,
  getChannelMessagePageList,
  getChannels,
  MessageState,
  retryChannelMessage,
} from '#features/notice/channel/channel.contract.ts';
import { MailForm, WebhookForm } from '#features/notice/channel/ChannelForms.tsx';

const TONES: Readonly<Record<keyof typeof MessageState, Tone>> = {
  waiting: 'gray',
  retrying: 'amber',
  sent: 'green',
  failed: 'red',
};
const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const column = columnsOf(getChannelMessagePageList);
const columns = [
  column('createtime', '时间', (at) => at.slice(0, 16), { width: 150 }),
  column('insname', '机构', { width: 180 }),
  column('channel', '通道', (code) => CHANNELS[code], { width: 90 }),
  column('target', '发往', { width: 150 }),
  column.of('group', '内容', (row) => `${NOTICE_GROUP_TITLES[row.group]} ${row.count} 条`, { width: 100 }),
  column('state', '状态', (code) => <Badge tone={TONES[code]}>{MessageState[code]}</Badge>, { width: 100 }),
  column('attempts', '尝试', (times) => `${times} 次`, { width: 70, align: 'right' }),
  column('lasterror', '最近错误', (text) => text || '—'),
  column('nexttime', '下次尝试', (at) => (at ? at.slice(0, 16) : '—'), { width: 150 }),
];

/** 通知通道: mail and webhook of the institution, and what they sent. Operators first see what failed in the institutions below. */
export default function ChannelPage() {
  const { insname, musertype } = useUser();
  const isOperator = musertype === '001' || musertype === '002';
  const read = useActionQuery(getChannels, {});
  // A form starts anew after its own saving only: another person's change must not take what was typed.
  const [mailSaves, setMailSaves] = useState(0);
  const [webhookSaves, setWebhookSaves] = useState(0);
  return (
    <PageStack>
      {isOperator && <SendLog hasInstitutionsBelow />}
      <Loaded read={read} skeleton={<Skeletons.Form />}>
        {(channels) => (
          <>
            <Section title={`邮件 · ${insname}`}>
              <MailForm key={mailSaves} channels={channels} onSaved={() => setMailSaves(mailSaves + 1)} />
            </Section>
            <Section title={`Webhook · ${insname}`}>
              <WebhookForm key={webhookSaves} channels={channels} onSaved={() => setWebhookSaves(webhookSaves + 1)} />
            </Section>
          </>
        )}
      </Loaded>
      {!isOperator && <SendLog hasInstitutionsBelow={false} />}
    </PageStack>
  );
}

function SendLog({ hasInstitutionsBelow }: { hasInstitutionsBelow: boolean }) {
  const list = useList(getChannelMessagePageList);
  const retry = useActionMutation(retryChannelMessage, {
    invalidates: [getChannelMessagePageList],
    successMessage: '已重新排队',
  });
  return (
    <ListPage
      list={list}
      lead="发送记录"
      filters={
        <>
          <SelectFilter name="state" label="状态" options={optionsOf(MessageState)} />
          <SelectFilter name="channel" label="通道" options={optionsOf(CHANNELS)} />
          {hasInstitutionsBelow && <TextFilter name="keyword" label="机构名称" />}
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="messageid"
        label="发送记录"
        empty={<EmptyState title="没有发送记录" hint="启用通道后，新消息的发送情况会出现在这里" />}
        actions={(row) =>
          row.state === 'failed' && (
            <Button
              size="compact-sm"
              variant="subtle"
              loading={retry.isPending && retry.variables.messageid === row.messageid}
              onClick={() => retry.mutate({ messageid: row.messageid })}
            >
              重新发送
            </Button>
          )
        }
      />
    </ListPage>
  );
}
