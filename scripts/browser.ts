// Finds the Chromium that browser tests drive, and installs one where that needs no question. Never starts it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not ours to run: the caller only wants to know which.
    return false;
  }
}

function locate(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...KNOWN_PATHS].find(isExecutable);
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
}

function install(): string | undefined {
  console.log('Installing Chromium for the browser tests ...');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']];
  for (const step of steps) {
    const result = spawnSync('apt-get', ['-qq', ...step], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (result.status !== 0) return `apt-get ${step.join(' ')} failed:\n${result.stderr}`;
  }
  return undefined;
}

export type Browser =
  | { readonly type: 'found'; readonly path: string }
  | { readonly type: 'missing'; readonly reason: string };

/** The Chromium to use: CHROMIUM if set, else one in the PATH or a usual place, else a freshly installed one. */
export function findBrowser(): Browser {
  const chosen = process.env['CHROMIUM'];
  if (chosen) {
    if (isExecutable(chosen)) return { type: 'found', path: chosen };
    return {
      type: 'missing',
      reason: `CHROMIUM is set to ${chosen}, which is not a program that can be run.`,
    };
  }
  const present = locate();
  if (present) return { type: 'found', path: present };
  const failure = canInstall() ? install() : undefined;
  const installed = locate();
  if (installed) return { type: 'found', path: installed };
  const advice = 'Install Chromium or Chrome, or set CHROMIUM to its path.';
  return {
    type: 'missing',
    reason: `The browser tests need Chromium. ${advice}${failure ? `\n${failure}` : ''}`,
  };
}
