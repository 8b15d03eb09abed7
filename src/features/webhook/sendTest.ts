import { useActionMutation } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { getWebhookDeliveryPageList, getWebhooks, sendTestEvent } from '#features/webhook/webhook.contract.ts';

/** What a change of an address or a delivery makes old. */
export const READS = [getWebhooks, getWebhookDeliveryPageList];

/** Sends a test event to an address and says how it went. */
export const useSendTest = () =>
  useActionMutation(sendTestEvent, {
    invalidates: READS,
    onDone: ({ answer, lasterror }) =>
      lasterror ? notify.error(`测试没有送达：${lasterror}`) : notify.done(`测试已送达，对方返回 ${answer ?? ''}`),
  });
