// Talks to the desktop app that runs on this machine: one line of JSON for one line, over a socket that only its person can open.
import { statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { type DesktopAnswer, desktopAnswerSchema, type DesktopCall, desktopSocket } from '#wire/desktop.ts';
import type { World } from './world.ts';

/** Others can neither read nor write it. */
const OTHERS = 0o077;
const LONGEST = 4_000_000;

/** Where the app has its socket. */
export function socketOf(environment: World['environment']): string {
  const runtime = environment['XDG_RUNTIME_DIR'];
  if (runtime) return join(runtime, desktopSocket);
  const home = environment['HOME'] || homedir();
  const own = platform() === 'darwin' ? 'Library/Application Support/Posthaste' : '.cache';
  return join(home, own, desktopSocket);
}

/** Whether it is a socket of this person's, which nobody else can use. */
function isOurs(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isSocket() && stat.uid === process.getuid?.() && (stat.mode & OTHERS) === 0;
  } catch {
    // No app runs.
    return false;
  }
}

/** The answer to one line; null: nobody listens. Empty: nothing came in time. */
export function askLine(path: string, line: string, patienceMs: number): Promise<string | null> {
  if (!isOurs(path)) return Promise.resolve(null);
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection(path, () => socket.write(`${line}\n`));
    const end = (answer: string | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(''), patienceMs);
    socket.setEncoding('utf8');
    socket.on('error', () => end(null));
    socket.on('close', () => end(null));
    socket.on('data', (part: string) => {
      text += part;
      const at = text.indexOf('\n');
      if (at >= 0) end(text.slice(0, at));
      else if (text.length > LONGEST) end(null);
    });
  });
}

const SILENT: DesktopAnswer = { type: 'refused', problem: 'The app doesn’t answer.' };

/** What the app says to a call; null: none runs, or none of that server is open in it. */
export async function askApp(
  world: World,
  call: DesktopCall,
  patienceMs: number,
): Promise<DesktopAnswer | null> {
  const line = await world.askApp(JSON.stringify(call), patienceMs);
  if (line === null) return null;
  if (line === '') return SILENT;
  try {
    const answer = desktopAnswerSchema.safeParse(JSON.parse(line));
    return answer.success && answer.data.type !== 'elsewhere' ? answer.data : null;
  } catch {
    // Something else listens there.
    return null;
  }
}
