import type { Scope } from '#server/db/scope.ts';

/** A short message or a call to a member of staff. Its text names nobody. */
export interface StaffMessage {
  musercode: string;
  userid: string;
  kind: 'sms' | 'call';
  warningcode: string;
  text: string;
  time: Date;
}

/**
 * A way to send short messages and calls. `send` throws when the gateway does not take the message; the server then puts it on the
 * call list. An installation without a gateway has only the call list.
 */
export interface MessageAdapter {
  send: (scope: Scope, message: StaffMessage) => Promise<void>;
}
