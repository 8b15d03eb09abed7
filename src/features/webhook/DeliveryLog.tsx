import { Button } from '@mantine/core';
import { useActionMutation } from '#ui/api/useAction.ts';
import { Badge, type Tone } from '#ui/display/badges.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { SelectFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { READS, useSendTest } from '#features/webhook/sendTest.ts';
import {
  DeliveryState,
  getWebhookDeliveryPageList,
  resendWebhookDelivery,
  SENT_EVENTS,
} from '#features/webhook/webhook.contract.ts';

const TONES: Readonly<Record<keyof typeof DeliveryState, Tone>> = {
  waiting: 'gray',
  retrying: 'amber',
  sent: 'green',
  failed: 'red',
};
const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const column = columnsOf(getWebhookDeliveryPageList);
const columns = [
  column('eventtime', '发生时间', (at) => at.slice(0, 16), { width: 150 }),
  column('event', '事件', (code) => SENT_EVENTS[code] ?? code, { width: 100 }),
  column('url', '发往', { width: 220 }),
  column('state', '状态', (code) => <Badge tone={TONES[code]}>{DeliveryState[code]}</Badge>, { width: 100 }),
  column('attempts', '尝试', (times) => `${times} 次`, { width: 70, align: 'right' }),
  column('answer', '对方返回', (status) => (status === null ? '—' : String(status)), { width: 90, align: 'right' }),
  column('lasterror', '最近错误', (text) => text || '—'),
  column('nexttime', '下次尝试', (at) => (at ? at.slice(0, 16) : '—'), { width: 150 }),
  column('eventid', '推送编号', { width: 280, hidden: true }),
];

/** 推送记录: the deliveries of the last 30 days. */
export function DeliveryLog() {
  const list = useList(getWebhookDeliveryPageList);
  const resend = useActionMutation(resendWebhookDelivery, {
    invalidates: READS,
    successMessage: '已重新排队',
  });
  const sendTest = useSendTest();
  return (
    <ListPage
      list={list}
      lead="推送记录（30 天）"
      filters={
        <>
          <SelectFilter name="state" label="状态" options={optionsOf(DeliveryState)} />
          <SelectFilter name="event" label="事件" options={optionsOf(SENT_EVENTS)} />
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="deliveryid"
        label="推送记录"
        empty={<EmptyState title="没有推送记录" hint="有事件发生后，推送情况会出现在这里" />}
        actions={(row) =>
          row.event === 'ping' ? (
            // A test is for the moment, so it goes out as a new one at once.
            <Button
              size="compact-sm"
              variant="subtle"
              loading={sendTest.isPending && sendTest.variables.webhookid === row.webhookid}
              onClick={() => sendTest.mutate({ webhookid: row.webhookid })}
            >
              重新测试
            </Button>
          ) : (
            row.nexttime === null && (
              <Button
                size="compact-sm"
                variant="subtle"
                loading={resend.isPending && resend.variables.deliveryid === row.deliveryid}
                onClick={() => resend.mutate({ deliveryid: row.deliveryid })}
              >
                重新发送
              </Button>
            )
          )
        }
      />
    </ListPage>
  );
}
