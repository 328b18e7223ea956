// Finds the Chromium that browser tests drive, and installs one where that needs no question. Never starts it.
import { canInstall, inPath, install, isExecutable } from './system-packages.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const KNOWN_PATHS = [
  '/usr/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Chromium without a window: the same engine, of the same version, that costs a sixth less to drive. */
const SHELL = 'chromium-headless-shell';

const locate = () => inPath(NAMES) ?? KNOWN_PATHS.find(isExecutable);

function installBrowser(): string | undefined {
  console.log('Installing Chromium for the browser tests ...');
  return install('chromium', 'fonts-dejavu-core');
}

/**
 * The Chromium without a window that belongs to the one that was found, or nothing: then that one does everything. It is installed
 * where that needs no question.
 */
export function findShell(): string | undefined {
  // Whoever chose a browser wants that one.
  if (process.env['CHROMIUM']) return undefined;
  const present = inPath([SHELL]);
  if (present !== undefined || !canInstall()) return present;
  install(SHELL);
  return inPath([SHELL]);
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
  const failure = canInstall() ? installBrowser() : undefined;
  const installed = locate();
  if (installed) return { type: 'found', path: installed };
  const advice = 'Install Chromium or Chrome, or set CHROMIUM to its path.';
  return {
    type: 'missing',
    reason: `The browser tests need Chromium. ${advice}${failure ? `\n${failure}` : ''}`,
  };
}
