import { Agent, request as post } from 'node:http';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { postgresProcessesOf } from '#server/postgres/processes.ts';

/** Clock ticks per second of /proc on Linux. */
const TICKS = 100;

/** Returns the CPU time of a process and of its ended children in milliseconds; 0 for a process that has ended. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 1000) / TICKS;
  } catch {
    return 0;
  }
}

/** Returns the CPU time of the database of a data folder so far in milliseconds. */
export const databaseCpu = (dataDir: string): number =>
  postgresProcessesOf(realpathSync(join(dataDir, 'postgres'))).reduce((sum, pid) => sum + cpuOf(pid), 0);
/** Returns the CPU time of a server and of its database so far in milliseconds. */
export const cpuNow = (serverPid: number, dataDir: string) => ({ server: cpuOf(serverPid), database: databaseCpu(dataDir) });

export interface Reply {
  errorCode: number;
  errorMsg: string;
  data: unknown;
}

/** Returns a function that calls an action of the server and reads the complete answer, like a browser, and one that closes. */
export function connectTo(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const call = (name: string, token: string, body: unknown): Promise<Reply> => {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), token };
      const path = `/api/${name}/1.0.0/action`;
      const request = post({ port, host: '127.0.0.1', method: 'POST', path, agent, headers }, (answer) => {
        let received = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (received += part))
          .on('end', () => resolve(JSON.parse(received) as Reply));
      });
      request.on('error', reject).end(text);
    });
  };
  return { call, close: () => agent.destroy() };
}
