/** The part of nodemailer that mail.ts uses. */
declare module 'nodemailer' {
  interface Transport {
    sendMail(message: {
      from: string;
      to: string;
      subject: string;
      text: string;
      messageId?: string;
      headers?: Record<string, string>;
      disableFileAccess?: boolean;
      disableUrlAccess?: boolean;
    }): Promise<unknown>;
    close(): void;
  }
  export function createTransport(options: {
    host: string;
    port: number;
    secure: boolean;
    requireTLS: boolean;
    ignoreTLS: boolean;
    auth?: { user: string; pass: string };
    tls: { servername: string };
    connectionTimeout: number;
    greetingTimeout: number;
    socketTimeout: number;
  }): Transport;
}
