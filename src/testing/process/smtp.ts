import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A mail that the test's server has taken. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** the head and the body, the body decoded */
  text: string;
}

/**
 * Starts a small SMTP server (RFC 5321) on this machine. `refuse` makes it answer recipients with 450. It ends with the test.
 */
export async function startSmtpServer() {
  const mails: ReceivedMail[] = [];
  const state = { isRefusing: false };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isData = false;
    let pending = '';
    let mail: ReceivedMail = { from: '', to: [], text: '' };
    const answer = (line: string) => socket.write(`${line}\r\n`);
    const take = (line: string) => {
      if (isData) {
        if (line !== '.') return void (mail.text += `${line.replace(/^\.\./, '.')}\r\n`);
        isData = false;
        mails.push({ ...mail, text: decode(mail.text) });
        mail = { from: '', to: [], text: '' };
        return void answer('250 taken');
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'MAIL') mail.from = addressIn(line);
      if (verb === 'RCPT') {
        if (state.isRefusing) return void answer('450 try again later');
        mail.to.push(addressIn(line));
      }
      if (verb === 'DATA') isData = true;
      answer(verb === 'DATA' ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
    };
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      const lines = pending.split('\r\n');
      pending = lines.pop() ?? '';
      lines.forEach(take);
    });
    socket.on('error', () => undefined);
    answer('220 test');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, mails, state };
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

/** Decodes encoded words of the head, and a body in base64 or quoted-printable. */
function decode(mail: string): string {
  const [head = '', ...rest] = mail.split('\r\n\r\n');
  const unfolded = head.replace(/\?=\r\n\s+=\?/g, '?==?').replace(/\r\n\s+/g, ' ');
  const words = unfolded.replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : fromQuotedPrintable(word.replaceAll('_', ' ')),
  );
  const body = rest.join('\r\n\r\n');
  const isBase64 = /content-transfer-encoding: base64/i.test(head);
  return `${words}\n\n${isBase64 ? Buffer.from(body, 'base64').toString() : fromQuotedPrintable(body)}`;
}

const fromQuotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
