// The stages of `npm test` and `npm run check`, and the count of their results.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cache, ensureBuilt, root, runNode } from './bootstrap.mjs';
import { ensureBrowser } from './browser.mjs';
import { ensureOffice } from './office.mjs';

/** @typedef {{ passed: number, failed: number, names?: string[] }} Count `names`: the failed tests, each with its file */

const countOne = (hasPassed) => (hasPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

export const types = { name: '类型 / types', run: async () => countOne((await runNode('tsc', ['--noEmit', '-p', '.'])) === 0) };
export const lint = {
  name: '规则 / lint',
  run: async () => countOne((await runNode('eslint', ['.', '--max-warnings=0'])) === 0),
};
export const format = {
  name: '格式 / format',
  run: async () => countOne((await runNode('prettier', ['--check', '--log-level=warn', '.'])) === 0),
};
export const unit = { name: '单元测试 / unit tests', run: () => vitest(['--project', 'unit']) };
export const unitAndDatabase = {
  name: '单元与数据库测试 / unit and database tests',
  run: () => ensureOffice().then(() => vitest([])),
};

export const build = {
  name: '构建 / build',
  run: async () => {
    await ensureBuilt();
    return countOne(true);
  },
};

export const browser = {
  name: '浏览器测试 / browser tests',
  run: async () => {
    const folder = join(root, 'e2e');
    if (!existsSync(folder) || !readdirSync(folder).some((name) => name.endsWith('.spec.ts'))) return { passed: 0, failed: 0 };
    const CHROMIUM_PATH = await ensureBrowser();
    const report = freshReport('playwright.json');
    const code = await runNode('playwright', ['test', '--reporter=list,json'], {
      CHROMIUM_PATH,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    const result = read(report);
    if (!result) return countOf(code, 0, 0);
    const { expected, flaky, unexpected, skipped } = result.stats;
    return countOf(code, expected + flaky, unexpected + skipped, result.suites.flatMap(failedSpecs));
  },
};

/** Runs the stages one after the other, and continues when one fails. The last printed line is the sum. */
export async function runStages(stages) {
  const total = { passed: 0, failed: 0 };
  const broken = [];
  for (const { name, run } of stages) {
    console.log(`\n── ${name}`);
    const startTime = performance.now();
    const count = await run().catch((error) => {
      console.error(error.message);
      return countOne(false);
    });
    const seconds = ((performance.now() - startTime) / 1000).toFixed(1);
    console.log(`   ${count.passed} passed, ${count.failed} failed (${seconds} s)`);
    total.passed += count.passed;
    total.failed += count.failed;
    if (count.failed > 0) broken.push(name, ...(count.names ?? []).map((test) => `  ${test}`));
  }
  // The names stand here again, because a log is long and its end is read first.
  if (broken.length > 0) console.log(`\n未通过 / failed:\n${broken.join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

async function vitest(args) {
  const report = freshReport('vitest.json');
  const code = await runNode('vitest', ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  const result = read(report);
  if (!result) return countOf(code, 0, 0);
  // A file that could not be loaded has no test to count.
  const unloaded = result.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  // A skipped test counts as a failure, because it proves nothing.
  return countOf(
    code,
    result.numPassedTests,
    result.numFailedTests + result.numPendingTests + result.numTodoTests + unloaded.length,
    result.testResults.flatMap((file) => [
      ...(unloaded.includes(file) ? [relative(root, file.name)] : []),
      ...file.assertionResults
        .filter((test) => test.status !== 'passed')
        .map((test) => `${relative(root, file.name)} › ${test.fullName}`),
    ]),
  );
}

/** Returns the tests of a suite of Playwright, and of the suites in it, that failed or were skipped. */
function failedSpecs(suite) {
  const here = suite.specs.filter(({ ok, tests }) => !ok || tests.some(({ status }) => status === 'skipped'));
  return [...here.map(({ file, title }) => `e2e/${file} › ${title}`), ...(suite.suites ?? []).flatMap(failedSpecs)];
}

/** Returns the count of a stage. A stage with an exit code has at least one failure, even when its report has none. */
function countOf(code, passed, failed, names = []) {
  return { passed, failed: code !== 0 ? Math.max(failed, 1) : failed, names };
}

function freshReport(name) {
  const path = join(cache, name);
  rmSync(path, { force: true });
  return path;
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
