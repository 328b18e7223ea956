// Builds the desktop app and starts it: `npm run desktop -- [--server address] [link …]`; `--deb` packs it, `--release` signs packages (desktop-release.ts), `--electron` puts together what electron-builder packs. Starting it needs GJS and WebKitGTK 4.1, which docs/desktop.md names.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildDesktop } from './desktop-build.ts';
import { buildElectron } from './desktop-electron.ts';
import { packDesktop } from './desktop-package.ts';
import { release } from './desktop-release.ts';
import { ROOT } from './files.ts';

const [, , ...given] = process.argv;

if (given.includes('--release') || given.includes('--new-key')) {
  try {
    console.log(release(given));
    process.exit(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
if (given.includes('--electron')) {
  console.log(await buildElectron());
  process.exit(0);
}
if (given.includes('--deb')) {
  console.log(await packDesktop());
  process.exit(0);
}
if (spawnSync('gjs', ['--version'], { stdio: 'ignore' }).status !== 0) {
  console.error(
    'GJS is not installed. On Debian and Ubuntu: sudo apt install gjs gir1.2-webkit2-4.1 gir1.2-secret-1',
  );
  process.exit(1);
}
if (await buildDesktop()) console.log('Built the desktop app.');
const child = spawn('gjs', ['-m', join(ROOT, 'dist/desktop/main.js'), ...given], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
