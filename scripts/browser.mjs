// Finds or installs the Chromium for the browser tests.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Refusal, cache, findProgram, npm, root, withLock } from './bootstrap.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const home = join(cache, 'browser');
/** A script that starts the chosen browser with its fonts and libraries, so that callers need only its path. */
const wrapper = join(home, 'chromium');

/**
 * Returns the path of a Chromium that starts headless and draws Chinese. It also prints the path and sets CHROMIUM_PATH.
 * It tries in this order: CHROMIUM_PATH, a browser of the machine, the browser of an earlier run, the system's package manager
 * (as root, or with sudo without a password), an npm package.
 */
export async function ensureBrowser() {
  const path = await withLock('browser', find);
  console.log(`浏览器 / browser: ${path}`);
  process.env.CHROMIUM_PATH = path;
  return path;
}

async function find() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && (await drawsChinese(chosen)) === 'yes') return chosen;
  if (chosen)
    console.log(`CHROMIUM_PATH 不可用，另寻浏览器… / CHROMIUM_PATH does not work, looking for another browser: ${chosen}`);

  const present = await findOnMachine();
  if (present.usable) return present.usable;
  if (existsSync(wrapper) && (await drawsChinese(wrapper)) === 'yes') return wrapper;
  if (installBySystem()) {
    const { usable } = await findOnMachine();
    if (usable) return usable;
  }

  console.log('正在安装测试用浏览器… / installing a browser for the tests');
  const { lacksFont } = await findOnMachine();
  await installByNpm();
  // A browser that draws boxes needs only a Chinese font.
  if (lacksFont && (await drawsChinese(writeWrapper(lacksFont, false))) === 'yes') return wrapper;
  const unpacked = unpack();
  for (const libraries of [false, true]) {
    if (unpacked && (await drawsChinese(writeWrapper(unpacked, libraries))) === 'yes') return wrapper;
  }
  rmSync(wrapper, { force: true });
  throw new Refusal(
    '没有可用的 Chromium。请安装 chromium 和中文字体（如 fonts-noto-cjk），或用 CHROMIUM_PATH 指定浏览器。\n' +
      'No usable Chromium. Install chromium and a Chinese font (such as fonts-noto-cjk), or name a browser with CHROMIUM_PATH.',
  );
}

async function findOnMachine() {
  const result = { usable: undefined, lacksFont: undefined };
  for (const name of NAMES) {
    const path = findProgram(name);
    const answer = path === undefined ? 'no' : await drawsChinese(path);
    if (answer === 'yes') return { ...result, usable: path };
    if (answer === 'boxes') result.lacksFont ??= path;
  }
  return result;
}

function installBySystem() {
  if (process.platform !== 'linux' || !findProgram('apt-get')) return false;
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  if (asRoot.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;
  console.log('正在通过 apt 安装 Chromium 和中文字体… / installing Chromium and a Chinese font with apt');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk']].every((args) => {
    const [program, ...programArgs] = [...asRoot, 'apt-get', '-q', ...args];
    return spawnSync(program, programArgs, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 15 * 60_000 }).status === 0;
  });
}

async function installByNpm() {
  mkdirSync(home, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, 'scripts/browser', name), join(home, name));
  writeFileSync(join(home, '.npmrc'), 'omit-lockfile-registry-resolved=true\n');
  const code = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], home);
  if (code !== 0)
    throw new Refusal(
      '浏览器安装失败：请检查网络和 npm 源。\nInstalling the browser failed: check the network and the npm registry.',
    );
}

/** Unpacks the Chromium of the npm package and the libraries that a minimal system lacks. It is for Linux x64 only. */
function unpack() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const packed = join(home, 'node_modules/@sparticuz/chromium/bin');
  const program = join(home, 'chromium-program');
  writeFileSync(program, brotliDecompressSync(readFileSync(join(packed, 'chromium.br'))), { mode: 0o755 });
  // The mode above has no effect on a file that already exists.
  chmodSync(program, 0o755);
  for (const [archive, folder] of [
    ['al2023.tar.br', join(home, 'libraries')],
    ['swiftshader.tar.br', home],
  ]) {
    mkdirSync(folder, { recursive: true });
    const tar = join(home, archive.replace('.br', ''));
    writeFileSync(tar, brotliDecompressSync(readFileSync(join(packed, archive))));
    spawnSync('tar', ['-xf', tar, '-C', folder]);
    rmSync(tar);
  }
  return program;
}

function writeWrapper(program, libraries) {
  const fonts = join(home, 'fonts.conf');
  const sansSc = join(home, 'node_modules/@expo-google-fonts/noto-sans-sc');
  const folders = readdirSync(sansSc).filter((name) => /^(400|700)/.test(name));
  writeFileSync(
    fonts,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${folders.map((name) => `<dir>${escapeXml(join(sansSc, name))}</dir>`).join('\n')}
<cachedir>${escapeXml(join(home, 'font-cache'))}</cachedir>
<alias><family>sans-serif</family><default><family>Noto Sans SC</family></default></alias>
</fontconfig>
`,
  );
  const lines = ['#!/bin/sh', `export FONTCONFIG_FILE=${quote(fonts)}`];
  const library = ['libraries/lib', 'libraries']
    .map((name) => join(home, name))
    .find((path) => existsSync(join(path, 'libnss3.so')));
  if (libraries && library) lines.push(`export LD_LIBRARY_PATH=${quote(library)}`);
  writeFileSync(wrapper, `${[...lines, `exec ${quote(program)} "$@"`].join('\n')}\n`, { mode: 0o755 });
  return wrapper;
}

/**
 * Starts the browser as the tests do and draws two Chinese characters. Without a font both become the same empty box.
 * @returns {Promise<'yes' | 'boxes' | 'no'>}
 */
async function drawsChinese(executablePath) {
  // Import it here, because the package may be installed after this file is loaded.
  const { chromium } = await import('@playwright/test');
  let browser;
  try {
    browser = await chromium.launch({ executablePath, timeout: 120_000, args: ['--disable-dev-shm-usage'] });
    const page = await browser.newPage();
    return await page.evaluate(() => {
      const draw = (text) => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 64;
        const context = canvas.getContext('2d');
        context.font = '48px sans-serif';
        context.fillText(text, 4, 52);
        return canvas.toDataURL();
      };
      return draw('心') !== draw('理') && draw('心') !== draw('') ? 'yes' : 'boxes';
    });
  } catch {
    return 'no';
  } finally {
    await browser?.close();
  }
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function quote(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
