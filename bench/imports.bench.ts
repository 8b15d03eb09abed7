// Measures the import of women (template B) over HTTP: the seconds of the check and of saving, relative to reading the file alone.
// Prints the figures with the budgets and one line of JSON. `npm run bench imports [rows]`
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { readWorkbook } from '#server/workbook/read.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import { freePort, prepareRespondents, startMain } from '#testing/load/respondents.ts';

const rows = Number(process.argv[2] ?? 5_000);
/** supplement-people-statistics.md, section 6: seconds for 5,000 rows. */
const budgets = { check: 5, save: 10 };
const filename = '孕产妇名单.xlsx';

const heads = [
  '姓名',
  '联系电话',
  '出生日期',
  '末次月经',
  '孕次',
  '产次',
  '建册号',
  '是否高危',
  '紧急联系人',
  '紧急联系电话',
  '备注',
];
const names = [...'赵钱孙李周吴郑王冯陈'];
const given = [...'芳静丽敏晓雨桂兰雪梅'];
const file = await buffer(
  writeWorksheet({
    name: '名单',
    heads,
    rows: Array.from({ length: rows }, (_, index) => [
      `${names[index % 10]}${given[Math.floor(index / 10) % 10]}${given[Math.floor(index / 100) % 10]}`,
      `138${String(index).padStart(8, '0')}`,
      `19${90 + (index % 10)}-03-02`,
      '2026-05-20',
      '1',
      '0',
      `RA${String(index).padStart(6, '0')}`,
      '否',
      '张强',
      `139${String(index).padStart(8, '0')}`,
      '',
    ]),
  }),
);

const { dataDir } = await prepareRespondents(1);
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());

/** Calls an action as 林医生; returns its data and the seconds. A refusal throws. */
async function call<Data>(name: string, body: FormData | string): Promise<{ data: Data; seconds: number }> {
  const start = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/${name}/1.0.0/action`, {
    method: 'POST',
    headers: { token: 'lin', ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}) },
    body,
  });
  const { errorCode, errorMsg, data } = (await answer.json()) as { errorCode: number; errorMsg: string; data: Data };
  if (errorCode !== 0) throw new Error(`${name}: ${errorCode} ${errorMsg}`);
  return { data, seconds: (performance.now() - start) / 1000 };
}

const form = () => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(file)]), filename);
  return body;
};
const readStart = performance.now();
await readWorkbook(file, filename);
const reference = (performance.now() - readStart) / 1000;
// The first call compiles code and opens connections.
await call('as.m.cuser.checkZNBCUserFromExcel', form());
const check = await call<{ importid: string }>('as.m.cuser.checkZNBCUserFromExcel', form());
const save = await call<{ created: number; failed: number }>(
  'as.m.assess.commitAssessTeamRoster',
  JSON.stringify({ importid: check.data.importid }),
);
server.process.kill('SIGTERM');
await once(server.process, 'exit');
rmSync(dataDir, { recursive: true, force: true });

const { created, failed } = save.data;
const isOver = (value: number, budget: number) => (value > budget ? '  over' : '');
console.log(`\n${rows} women, ${heads.length} columns: ${created} created, ${failed} refused`);
console.log(`check           ${check.seconds.toFixed(2)} s   budget ${budgets.check}${isOver(check.seconds, budgets.check)}`);
console.log(`save            ${save.seconds.toFixed(2)} s   budget ${budgets.save}${isOver(save.seconds, budgets.save)}`);
console.log(`reading alone   ${reference.toFixed(2)} s`);
console.log(JSON.stringify({ rows, check: check.seconds, save: save.seconds, reference, created, failed }));
