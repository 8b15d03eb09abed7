/** How Chromium is started wherever we drive one: Debian's, without a sandbox (root), and without asking the network for anything. */
export const launchOptions = {
  // Where the surroundings name no UTF-8, Chromium gives files with Chinese names none at all.
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  // A browser that starts for the first time on a busy machine takes its time.
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
