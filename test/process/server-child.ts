// The real server as a child process, for tests that do something to it or to the way there.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';

const MAIN = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
export const PASSWORD = 'violet anchor under moss';

export interface ServerChild {
  readonly child: ChildProcess;
  readonly address: string;
  /** Where mail comes in; null: it does not. */
  readonly mailPort: number | null;
  /**
   * Time from its start until it said that it is ready, without what it waited for a processor that others had: a busy
   * machine is no slow server.
   */
  readonly readyMs: number;
  /** Ends it like a power cut and resolves when it is gone. */
  kill(): Promise<void>;
}

/** How long a process has waited for a processor so far; 0 where the system does not count that. */
function waitedMs(pid: number): number {
  const counted = `/proc/${pid}/schedstat`;
  if (!existsSync(counted)) return 0;
  const [, nanoseconds] = readFileSync(counted, 'utf8').split(' ');
  return Number(nanoseconds) / 1_000_000;
}

/** Rejects with what it printed when it ends before it is ready. */
export async function startServerChild(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerChild> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let readyMs: number | undefined;
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /^Posthaste is ready at (\S+)$/m.exec(output)?.[1];
      if (found === undefined) return;
      readyMs ??= performance.now() - startedAt - waitedMs(must(child.pid, 'it runs'));
      resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => reject(new Error(`The server ended with ${code}: ${output}`)));
  });
  const mailPort = /^Mail for \S+ is received on port (\d+)$/m.exec(output)?.[1];
  return {
    child,
    address,
    mailPort: mailPort === undefined ? null : Number(mailPort),
    readyMs: must(readyMs, 'it is ready'),
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
