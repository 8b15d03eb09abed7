import { insertWebhook } from '#features/webhook/webhook.contract.ts';
import type { TestServer } from '#testing/server.ts';

/** An address for events of 晨光中学 with a delivery that was given up. */
export async function aWebhookDelivery({ as, sqlAsOwner }: TestServer) {
  const { webhookid } = await as('ma')(insertWebhook, { url: 'https://hook.example/', events: ['case.opened'] });
  const [delivery] = await sqlAsOwner<{ deliveryid: string }>(
    `insert into webhookdelivery (musercode, webhookid, eventid, event, eventtime, facts)
     values ('M_CHENGUANG', $1, 'evt_1', 'case.opened', now(), '{}') returning deliveryid`,
    [webhookid],
  );
  return { webhookid, deliveryid: Number(delivery?.deliveryid) };
}

/** Two edits of an address by the administrator of 晨光中学, for the test of edits at the same time. */
export const editsOfWebhook = (webhookid: unknown) => ({
  as: 'ma' as const,
  row: { webhookid },
  firstEdit: { url: 'https://hooks.example.com/a' },
  mine: { url: 'https://hooks.example.com/b' },
  other: { events: ['case.closed'] },
});
