import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as upload from '#features/file/upload/upload.contract.ts';
import { film, tusClient } from '#testing/files/tus.ts';
import { asPlatformOwner, freePort, prepareRespondents, startMain, tryCall, withDatabase } from '#testing/load/respondents.ts';

const MB = 1024 * 1024;

test('an upload goes on where it was after its server was killed in the middle of a part and started again', async () => {
  const { dataDir } = await prepareRespondents(1);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await withDatabase(dataDir, (target) =>
    asPlatformOwner(target, (client) =>
      client.query(
        `insert into sysuserpermission (userid, musercode, code, effect)
         select userid, musercode, '00030', 'grant' from sysuser where userid = 'U_MA'`,
      ),
    ),
  );
  const port = await freePort();
  const ma = tusClient(`http://127.0.0.1:${port}`, 'ma');
  const content = film(3 * MB);
  let server = startMain(dataDir, port);
  expect([await server.ready, server.output()]).toEqual([true, expect.any(String)]);
  const path = await ma.begin({ size: content.length });
  const uploadid = path.split('/').at(-1) ?? '';
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [
    `PATCH ${path} HTTP/1.1`,
    'host: a',
    'token: ma',
    'tus-resumable: 1.0.0',
    'content-type: application/offset+octet-stream',
    'upload-offset: 0',
    `content-length: ${content.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(content.subarray(0, 2 * MB));
  const arrived = () => stat(join(dataDir, 'parts', uploadid)).then(({ size }) => size);
  await expect.poll(arrived, { timeout: 120_000 }).toBe(2 * MB);
  server.process.kill('SIGKILL');
  await once(server.process, 'exit');
  socket.destroy();

  server = startMain(dataDir, port);
  expect(await server.ready).toBe(true);
  expect((await ma.head(path)).headers.get('upload-offset')).toBe(String(2 * MB));
  expect((await ma.patch(path, 2 * MB, content.subarray(2 * MB))).status).toBe(204);
  expect(await tryCall(port, 'ma', upload.finishUpload.name, { uploadid })).toMatchObject({
    errorCode: 0,
    data: { filename: '呼吸放松.mp4', size: content.length },
  });
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
});
