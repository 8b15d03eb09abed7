import { SHORT_TEXT } from '#domain/warning/notices.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Scope } from '#server/db/scope.ts';
import { attempt } from '#server/db/attempt.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { MessageAdapter } from '#server/messages/messageAdapter.ts';
import type { Message } from '#features/warning/alerts/notify.queries.ts';
import { addCall } from '#features/warning/duty/calllist.queries.ts';

/** The default adapter: staff read the call list, call by hand and acknowledge. */
const callListAdapter: MessageAdapter = { send: addCall };

/**
 * Delivers the short messages and calls of the outbox, each at least once. Returns their number. A message that a gateway refuses
 * goes to the call list. Several servers may run it at once.
 */
export async function deliverMessages({ pools, messages: adapter }: Pick<Services, 'pools' | 'messages'>): Promise<number> {
  return runAsSystem(pools, platformCode, async (scope) => {
    const rows = await scope.db
      .selectFrom('outbox')
      .select(['id', 'musercode', 'refcode', 'payload', 'createtime'])
      .where('kind', '=', 'warning')
      .where('donetime', 'is', null)
      .orderBy('id')
      .limit(200)
      .forUpdate()
      .skipLocked()
      .execute();
    let sentCount = 0;
    for (const row of rows) {
      const { messages = [] } = row.payload as { messages?: Message[] };
      for (const { userid, channel } of messages) {
        const message = {
          musercode: row.musercode,
          userid,
          kind: channel,
          warningcode: row.refcode,
          text: SHORT_TEXT,
          time: row.createtime,
        };
        await sendOrList(scope, adapter, message);
        sentCount += 1;
      }
      await scope.db
        .updateTable('outbox')
        .set((eb) => ({ donetime: new Date(), attempts: eb('attempts', '+', 1) }))
        .where('id', '=', row.id)
        .execute();
    }
    return sentCount;
  });
}

async function sendOrList(scope: Scope, adapter: MessageAdapter | undefined, message: Parameters<MessageAdapter['send']>[1]) {
  // A gateway that fails in the database must not take the other messages with it.
  const isSent = adapter !== undefined && (await attempt(scope, () => adapter.send(scope, message))).ok;
  if (!isSent) await callListAdapter.send(scope, message);
}
