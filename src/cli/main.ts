// `posthaste`: the process around run.ts. Started by scripts/posthaste.mjs.
import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { createIdSource } from '#core/ids.ts';
import { runCommandLine } from './run.ts';
import { askLine, socketOf } from './running-app.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 15_000;
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Mac OS X', win32: 'Windows' };
const AGENT = `posthaste-cli/${version} (${SYSTEMS[process.platform] ?? process.platform})`;

/** The first line of standard input; on a terminal it prompts and does not echo. */
async function readSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (isTerminal) process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write('\n');
  }
}

/** A line of standard input, which the terminal shows as it is typed. */
async function readLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise((resolve) => {
      lines.once('close', () => resolve(''));
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => void randomFillSync(bytes),
});

const world: World = {
  version,
  environment: process.env,
  folder: process.cwd(),
  isTerminal: process.stdout.isTTY && !process.env['NO_COLOR'],
  now: () => Date.now(),
  zone: Temporal.Now.timeZoneId(),
  locale: Intl.DateTimeFormat().resolvedOptions().locale,
  newId,
  print: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
  readInput: () => buffer(process.stdin),
  readSecret,
  canAsk: process.stdin.isTTY && process.stderr.isTTY,
  readLine,
  send: (url, { headers, ...request }) =>
    fetch(url, {
      ...request,
      headers: { ...headers, 'user-agent': AGENT },
      signal: AbortSignal.timeout(PATIENCE_MS),
      // Redirects are errors: a token goes to the server that was named and nowhere else.
      redirect: 'error',
    }),
  askApp: (line, patienceMs) => askLine(socketOf(process.env), line, patienceMs),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  launch: (program, words) =>
    new Promise((resolve) => {
      const child = spawn(program, words, { stdio: 'inherit' });
      child.on('error', () => resolve(127));
      child.on('close', (code) => resolve(code ?? 1));
    }),
};

process.umask(0o077);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output, such as `head`, has seen enough.
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await runCommandLine(process.argv.slice(2), world);
