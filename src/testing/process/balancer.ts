import { Agent, createServer, request as send, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Milliseconds between two questions to /readyz of a server. */
const HEALTH_MS = 100;

/** A balancer in front of servers on this machine. */
export interface Balancer {
  port: number;
  /** how many answers each server has given through the balancer, by its port */
  answers: Map<number, number>;
}

/**
 * Starts a plain balancer, like nginx with `upstream … keepalive`: in turn, only to servers whose /readyz says yes, over connections that
 * stay open. It sends a request to the next server when a connection is refused, because nothing has been sent then. It never sends
 * anything twice: a server that dies in the middle gives the client a 502. It ends with the test.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const healthy = new Set<number>();
  const answers = new Map(ports.map((port) => [port, 0]));
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  let turn = 0;

  const checkAll = () =>
    Promise.all(
      ports.map(async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
          () => undefined,
        );
        await answer?.body?.cancel();
        if (answer?.ok) healthy.add(port);
        else healthy.delete(port);
      }),
    );
  let isOver = false;
  const checking = (async () => {
    while (!isOver) {
      await checkAll();
      await new Promise((done) => setTimeout(done, HEALTH_MS));
    }
  })();

  /** The servers in the order in which a request tries them. */
  function orderOf(): number[] {
    const usable = ports.filter((port) => healthy.has(port));
    turn += 1;
    return usable.map((_, index) => usable[(turn + index) % usable.length] as number);
  }

  function pass(request: IncomingMessage, response: ServerResponse, [port, ...others]: readonly number[]) {
    if (port === undefined) return void response.writeHead(502).end();
    const { method, url, headers } = request;
    const forwarded = { ...headers, 'x-forwarded-for': headers['x-forwarded-for'] ?? request.socket.remoteAddress ?? '' };
    const upstream = send({ host: '127.0.0.1', port, agent, method, path: url, headers: forwarded });
    let hasBegun = false;
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && !hasBegun) {
        healthy.delete(port);
        pass(request, response, others);
      } else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    upstream.on('response', (answer) => {
      answers.set(port, (answers.get(port) ?? 0) + 1);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    response.on('close', () => response.writableFinished || upstream.destroy());
    onceConnected(upstream, () => {
      hasBegun = true;
      request.pipe(upstream);
    });
  }

  const server = createServer((request, response) => pass(request, response, orderOf()));
  await checkAll();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    isOver = true;
    server.closeAllConnections();
    server.close();
    agent.destroy();
    await checking;
  });
  return { port: (server.address() as AddressInfo).port, answers };
}

/** Calls `work` when the connection of a request stands, so that a refused one has taken no byte of the body. */
function onceConnected(upstream: ClientRequest, work: () => void) {
  upstream.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', work);
    else work();
  });
}
