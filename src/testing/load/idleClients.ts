import { connect } from 'node:net';

/*
 * A process that holds idle connections, for tests: `node idleClients.ts <port> <count>`. Half of them ask once and keep the connection,
 * a quarter send half a request, a quarter send nothing. It prints `open` when all are open. For each line of its input it prints how
 * many the server has closed since. It ends with its input.
 */
const [port = 0, count = 0] = process.argv.slice(2).map(Number);
const HALF_REQUEST = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n';
let closedCount = 0;

const open = (index: number) =>
  new Promise<void>((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (index % 4 < 2) socket.write(`${HALF_REQUEST}\r\n`);
      else if (index % 4 === 2) socket.write(HALF_REQUEST);
      done();
    });
    socket.resume();
    socket.on('error', () => done());
    socket.on('close', () => (closedCount += 1));
  });

// In groups: the queue of connections that wait for the server is short.
for (let start = 0; start < count; start += 200)
  await Promise.all(Array.from({ length: Math.min(200, count - start) }, (_, n) => open(start + n)));
process.stdout.write('open\n');
process.stdin.on('data', () => process.stdout.write(`${closedCount}\n`));
process.stdin.on('end', () => process.exit(0));
