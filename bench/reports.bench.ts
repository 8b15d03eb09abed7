// Measures 500 reports of four pages as PDF files in a ZIP: the CPU time and the memory of the process with its PDF thread. The time of
// the database is not part of it. `npm run bench reports [count]`
import { readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import { buildReport } from '#domain/report/report.ts';
import { fillForm, phq9, reportFactsOf } from '#domain/report/report.fixture.ts';
import { printReports } from '#server/pdf/render.ts';

const count = Number(process.argv[2] ?? 500);
/** supplement-people-statistics.md, section 6: CPU seconds and megabytes for 500 reports of four pages. */
const budgets = { seconds: 40, megabytes: 350 };
const previous = [
  { examcode: 'e1', submittime: '2025-03-01 09:00:00', valid: true, scores: { total: 6 }, levels: { total: 1 as const } },
];

/** A report of four pages: two questionnaires, a trend and the single answers. */
function reportOf(index: number) {
  const reportcode = `R${String(index).padStart(10, '0')}`;
  const answers = Array.from({ length: 7 }, (_, item) => String((index + item) % 3));
  const facts = reportFactsOf([{ ...phq9(8 + (index % 12)), previous }, fillForm('GAD7', answers)], {
    reportcode,
    person: { name: `林小雨${index}`, gender: '02', age: 14 },
  });
  return { reportcode, content: buildReport(facts).staff };
}

/** The largest memory that this process has used, in megabytes. */
const peakMegabytes = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

const zip = new ZipFile();
let bytes = 0;
const sink = new PassThrough().on('data', (chunk: Buffer) => (bytes += chunk.length));
zip.outputStream.pipe(sink);
const before = process.cpuUsage();
const startTime = performance.now();
let pages = 0;
for (let index = 1; index <= count; index++) {
  const { reportcode, content } = reportOf(index);
  const printed = await printReports({
    sheets: [
      {
        content,
        reportcode,
        version: 1,
        accent: '#43a777',
        institution: '育才中学',
        reader: '陈老师 U_CHEN',
        printtime: new Date(),
        verify: { url: `https://xinli.example.cn/c/v/${reportcode}-1-7K3M9QXW4T`, code: `${reportcode}-1-7K3M9QXW4T` },
      },
    ],
  });
  pages += printed.pages;
  zip.addBuffer(Buffer.from(printed.bytes), `初二 3班/${reportcode}.pdf`, { compress: false });
}
zip.end();
await finished(sink.resume());
const seconds = (performance.now() - startTime) / 1000;
const { user, system } = process.cpuUsage(before);
const cpu = (user + system) / 1_000_000;
const megabytes = peakMegabytes();
const isOver = (value: number, budget: number) => (value > budget ? '  over' : '');
console.log(`\n${count} reports, ${(pages / count).toFixed(1)} pages each, ${(bytes / count / 1024).toFixed(0)} KB each`);
console.log(
  `CPU     ${cpu.toFixed(1)} s   budget ${budgets.seconds}${isOver(cpu, budgets.seconds)}   (${((cpu * 1000) / count).toFixed(0)} ms each)`,
);
console.log(`memory  ${megabytes.toFixed(0)} MB   budget ${budgets.megabytes}${isOver(megabytes, budgets.megabytes)}`);
console.log(`time    ${seconds.toFixed(1)} s`);
console.log(JSON.stringify({ count, pages, bytes, cpu, megabytes, seconds }));
