import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/**
 * A line to the server that a test can cut, like a pulled cable. It counts the bytes that the browser sends.
 * @param target the address of the server
 */
export async function openLine(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let limit = Infinity;
  let isCut = false;
  let sent = 0;
  let onCut = () => {};

  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    onCut();
  };
  const server = createServer((browser) => {
    if (isCut) return void browser.destroy();
    const upstream = connect(Number(port), hostname);
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sent += chunk.length;
        done(null, chunk);
        if (sent >= limit && !isCut) cut();
      },
    });
    for (const socket of [browser, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        browser.destroy();
        upstream.destroy();
      });
    }
    browser.pipe(counter).pipe(upstream);
    upstream.pipe(browser);
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  return {
    /** the address of the line for a browser */
    base: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    /** the bytes that the browser has sent until now */
    sent: () => sent,
    /** Cuts the line after so many further bytes, and resolves then. */
    cutAfter: (bytes: number) =>
      new Promise<void>((resolve) => {
        onCut = resolve;
        limit = sent + bytes;
      }),
    /** Mends the line. */
    mend: () => {
      limit = Infinity;
      isCut = false;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
