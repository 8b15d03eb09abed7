import { isIP } from 'node:net';
import type { ChannelAdapter } from '#server/messages/channelAdapter.ts';
import { findAddress, SEND_TIMEOUT, SendError, toSendError } from '#server/messages/outgoing.ts';

/** How a mail server is reached: encrypted from the start, encrypted after STARTTLS, or not at all. */
export type MailSecurity = 'tls' | 'starttls' | 'none';

/** A mail server, its account, and the recipient of one mail. */
export interface MailSettings {
  host: string;
  port: number;
  security: MailSecurity;
  /** '' for a server that asks for no account */
  username: string;
  password: string;
  fromaddress: string;
  to: string;
}

/**
 * Sends a message by SMTP. A mail without encryption leaves only where the operator allows private networks. nodemailer is loaded
 * with the first mail: most installations send none.
 */
export const mailAdapter: ChannelAdapter<MailSettings> = {
  send: async (settings, message, { isPrivateAllowed }) => {
    const { host, port, security, username, password, fromaddress, to } = settings;
    if (security === 'none' && !isPrivateAllowed) throw new SendError('邮件须加密发送，请选择 SSL/TLS 或 STARTTLS');
    const { createTransport } = await import('nodemailer');
    try {
      const transport = createTransport({
        host: await findAddress(host, isPrivateAllowed),
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(username && { auth: { user: username, pass: password } }),
        tls: { servername: isIP(host) ? '' : host },
        connectionTimeout: SEND_TIMEOUT,
        greetingTimeout: SEND_TIMEOUT,
        socketTimeout: SEND_TIMEOUT,
      });
      await transport
        .sendMail({
          from: fromaddress,
          to,
          subject: `${message.insname}：${message.count} 条新的${message.groupname}消息`,
          text: `${message.text}\n\n${message.link}\n\n这封邮件由系统自动发出，不含个人信息，请勿直接回复。`,
          messageId: `<${message.id}.notice@${fromaddress.split('@')[1] ?? 'localhost'}>`,
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        .finally(() => transport.close());
    } catch (error) {
      throw toSendError(error);
    }
  },
};
