// The real server as a child process, for tests that do something to it or to the way there.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { must } from '#core/assert.ts';
import { serverFlags } from '../../scripts/pinned-node.mjs';
import type { Id } from '#core/ids.ts';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
export const PASSWORD = 'violet anchor under moss';

export interface ServerChild {
  readonly child: ChildProcess;
  readonly address: string;
  /** Where mail comes in; null: it does not. */
  readonly mailPort: number | null;
  /** Time from its start until it said that it is ready. */
  readonly readyMs: number;
  /** What it took of a processor until then: on a busy machine that is what the server itself needs. */
  readonly readyCpuMs: number;
  /** What it took of a processor so far; null where the system does not say. */
  cpuMs(): number | null;
  /** What it printed last. */
  lastOutput(): string;
  /** Ends it like a power cut and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Characters. */
const LONGEST_OUTPUT = 20_000;

/** Linux counts the time of processors in hundredths of a second. */
const TICK_MS = 10;

/** What a process has taken of processors so far; null where the system does not say. */
function cpuMsOf(pid: number): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  // The second field is a name in brackets, which may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Where the runner keeps compiled modules: a server that finds itself there is ready in half the time. None: no runner keeps any. */
const KEPT = process.env['NODE_COMPILE_CACHE'];

/** Whether servers start from modules that an earlier process compiled. */
export const startsCompiled = KEPT !== undefined;

/** For the environment of a server that is to read its own source, as every server of a person does. */
export const READ_ANEW = { NODE_DISABLE_COMPILE_CACHE: '1' } as const;

/** Rejects with what it printed when it ends before it is ready. `main`: another program than today's, in its own folder. */
export async function startServerChild(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  { main = MAIN }: { readonly main?: string } = {},
): Promise<ServerChild> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...serverFlags, main], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      ...(KEPT === undefined ? {} : { NODE_COMPILE_CACHE: KEPT }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let readyCpuMs: number | null = null;
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-LONGEST_OUTPUT);
      const found = /^Posthaste is ready at (\S+)$/m.exec(output)?.[1];
      if (found === undefined) return;
      readyCpuMs = cpuMsOf(must(child.pid, 'it runs'));
      resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`The server ended with ${code}: ${output}`)));
  });
  const readyMs = performance.now() - startedAt;
  const mailPort = /^Mail for \S+ is received on port (\d+)$/m.exec(output)?.[1];
  return {
    child,
    address,
    mailPort: mailPort === undefined ? null : Number(mailPort),
    readyMs,
    readyCpuMs: readyCpuMs ?? readyMs,
    cpuMs: () => cpuMsOf(must(child.pid, 'it runs')),
    lastOutput: () => output,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

export interface SignedUp {
  readonly cookie: string;
  readonly account: number;
  readonly scope: Id;
}

export async function signUp(address: string, email: string): Promise<SignedUp> {
  const response = await fetch(`${address}/app/api/sign_up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (response.status !== 200)
    throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`);
  const { account, personalScope } = (await response.json()) as { account: number; personalScope: Id };
  return { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '', account, scope: personalScope };
}
