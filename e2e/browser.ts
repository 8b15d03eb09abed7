/** The start options of Chromium: Debian's build, without a sandbox (for root) and without background network calls. */
export const launchOptions = {
  // Without a UTF-8 locale Chromium drops the names of files with Chinese names.
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  // The first start of the browser is slow on a busy machine.
  timeout: 180_000,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
