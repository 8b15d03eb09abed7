import type { NoticeGroup } from '#domain/notice/noticeGroup.ts';

/** A message that leaves the console. It names the institution, the group and a number, and no person. */
export interface ChannelMessage {
  /** the number of the message; a repeated attempt has the same one */
  id: string;
  insname: string;
  group: NoticeGroup;
  groupname: string;
  count: number;
  /** the whole message as one sentence */
  text: string;
  /** the page of the console with these messages */
  link: string;
  time: Date;
}

/** What an adapter needs besides its settings. */
export interface ChannelContext {
  /** the operator allows addresses of this machine and of private networks */
  isPrivateAllowed: boolean;
}

/** A way out of the console. `send` throws a SendError with the reason when the message was not taken. */
export interface ChannelAdapter<Settings> {
  send: (settings: Settings, message: ChannelMessage, context: ChannelContext) => Promise<void>;
}
