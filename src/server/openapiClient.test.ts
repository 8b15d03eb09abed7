import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { hashPassword } from '#server/security/password.ts';
import { aStudent } from '#testing/factories.ts';
import { sharedHttp } from '#testing/http.ts';

const shared = sharedHttp();
const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const pwd = 'A1B2C3D4E5F60718293A4B5C6D7E8F90';

/** A program of somebody who has only the description: every type in it comes from the generated file. */
const client = `
import type { paths } from './api.ts';

type Path = keyof paths;
type RequestOf<P extends Path> = paths[P]['post']['requestBody']['content'] extends { 'application/json': infer B } ? B : never;
type AnswerOf<P extends Path> = paths[P]['post']['responses'][200]['content'] extends { 'application/json': infer A } ? A : never;
const [base = '', username = '', pwd = ''] = process.argv.slice(2);

async function call<P extends Path>(path: P, request: RequestOf<P>, token = ''): Promise<AnswerOf<P>> {
  const headers = { 'content-type': 'application/json', token };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(request) });
  return (await response.json()) as AnswerOf<P>;
}

const login = await call('/api/as.m.user.login/1.0.0/action', { username, pwd });
if (login.errorCode !== 0) throw new Error(login.errorMsg);
const user = await call('/api/as.m.user.getUserInfo/1.0.0/action', {}, login.data.token);
if (user.errorCode !== 0) throw new Error(user.errorMsg);
const page = await call('/api/as.m.cuser.getCUserPageList/1.0.0/action', { page: 1, pageSize: 10 }, login.data.token);
if (page.errorCode !== 0) throw new Error(page.errorMsg);
const name: string = user.data.insname;
const total: number = page.data.total;
const persons: string[] = page.data.rows.map((row) => row.username);
const refusal = await call('/api/as.m.user.getUserInfo/1.0.0/action', {});
console.log(JSON.stringify({ name, total, persons, refusal: refusal.errorCode === 0 ? '' : refusal.errorMsg }));
`;

/** The complaints of TypeScript about a program. */
function findTypeErrors(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file: source }) => !source?.fileName.includes('node_modules'))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('a client that openapi-typescript generates from openapi.json signs in, reads the account and lists persons', async () => {
  const { base, services, sqlAsOwner } = shared();
  await aStudent(shared(), { username: '林小雨' });
  await sqlAsOwner("update auth.account set pwdhash = $1 where accountid = 'U_CHEN'", [
    await hashPassword(pwd, services.cipher.pepper),
  ]);
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'client.ts'), client);
  await run(join(root, 'node_modules/.bin/openapi-typescript'), [`${base}/openapi.json`, '-o', join(folder, 'api.ts')]);
  expect(findTypeErrors(join(folder, 'client.ts'))).toEqual([]);

  const { stdout } = await run(process.execPath, [join(folder, 'client.ts'), base, 'chen', pwd]);
  expect(JSON.parse(stdout)).toEqual({
    name: '云栖市晨光中学',
    total: 1,
    persons: ['林小雨'],
    refusal: '用户身份失效，请重新登录',
  });
});
