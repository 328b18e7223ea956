// The desktop app on Linux beside Chromium's `--app=` window: the same server, account and 1,000 tasks, one virtual screen, in turns. Everything is
// seen from outside: when a window and rows are on the screen, and what the system says of memory.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBrowser } from '../../scripts/browser.ts';
import { packDesktop } from '../../scripts/desktop-package.ts';
import { Desktop, hasAll } from '../../test/process/desktop-screen.ts';
import { PASSWORD, type ServerChild, signUp, startServerChild } from '../../test/process/server-child.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { median } from '../statistics.ts';
import { taskTitle } from '../tasks.ts';
import { memoryOf } from './memory.ts';

const EMAIL = 'ida@example.org';
const TASKS = 1_000;
const AT_ONCE = 20;
const STARTS = 5;
const REST_MS = 60_000;
/** What came after the first screen is stored by then. */
const SETTLED_MS = 10_000;
const WATCH = join(import.meta.dirname, 'watch.js');

interface Subject {
  readonly name: string;
  /** Lines of a shell that start it, and have it end. */
  readonly line: string;
  readonly leave: string;
}

interface Started {
  readonly windowMs: number;
  readonly rowsMs: number;
}

async function fill({ address }: ServerChild): Promise<void> {
  const { cookie } = await signUp(address, EMAIL);
  const post = async (path: string, headers: Readonly<Record<string, string>>, body: unknown) => {
    const answer = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { readonly token: string };
  };
  await post('/app/api/confirm', { cookie }, { password: PASSWORD });
  const { token } = await post('/app/api/tokens', { cookie }, { name: 'bench', access: 'write' });
  for (let task = 0; task < TASKS; task += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        post('/api/tasks', { authorization: `Bearer ${token}` }, { title: taskTitle(task + at) }),
      ),
    );
}

/** Ends it as it stores everything, and waits until it is gone. */
const end = (screen: Desktop, { leave }: Subject): Promise<string> => screen.run(`${leave}; wait $app`);

/** Brings the account with all its tasks onto this machine. */
async function signIn(screen: Desktop, subject: Subject): Promise<void> {
  await screen.run(`${subject.line} & app=$!`);
  await screen.window('Posthaste');
  await delay(SETTLED_MS);
  await screen.palette('Sign in');
  await screen.type(EMAIL);
  await screen.run('xdotool key Tab');
  await screen.type(PASSWORD);
  await screen.run('xdotool key Return');
  await delay(2 * SETTLED_MS);
  await end(screen, subject);
}

/** Starts it, and resolves with how long its window and its rows took. */
async function start(screen: Desktop, { line }: Subject): Promise<Started> {
  const seen = join(screen.home, 'seen');
  await screen.run(
    `gjs ${WATCH} >${seen} 2>/dev/null & watching=$!; until grep -q watching ${seen}; do sleep 0.05; done`,
  );
  const from = Number(await screen.run(`date +%s%3N; ${line} & app=$!`));
  const said = await screen.run(`wait $watching; cat ${seen}`);
  const at = (what: string) => Number(new RegExp(`^${what} (\\d+)$`, 'm').exec(said)?.[1]) - from;
  return { windowMs: at('window'), rowsMs: at('rows') };
}

/** The key of the system to the window of quick entry on the screen, in milliseconds. */
async function quickEntry(screen: Desktop): Promise<number> {
  const took = await screen.run(
    `before=$(date +%s%3N); xdotool key ctrl+alt+space; until xdotool search --onlyvisible --name '^New task' >/dev/null; do :; done; echo $(($(date +%s%3N) - before))`,
  );
  await screen.window('^New task');
  await delay(SETTLED_MS / 5);
  await screen.run('xdotool key Escape; sleep 1');
  return Number(took);
}

interface Measured {
  readonly subject: Subject;
  readonly windows: readonly number[];
  readonly rows: readonly number[];
  readonly mb: number;
  readonly processes: number;
}

async function measure(screen: Desktop, subjects: readonly Subject[]): Promise<readonly Measured[]> {
  const started = new Map<Subject, Started[]>(subjects.map((subject) => [subject, []]));
  for (const subject of subjects) {
    say(`${subject.name}: signs in`);
    await signIn(screen, subject);
  }
  for (let turn = 0; turn < STARTS; turn += 1)
    for (const subject of subjects) {
      const one = await start(screen, subject);
      say(`${subject.name}: ${show(one.windowMs, 'ms')}, ${show(one.rowsMs, 'ms')}`);
      started.get(subject)?.push(one);
      await delay(SETTLED_MS / 5);
      await end(screen, subject);
    }
  const measured: Measured[] = [];
  for (const subject of subjects) {
    await start(screen, subject);
    await delay(REST_MS);
    const memory = memoryOf(await screen.run('echo $app'));
    const all = started.get(subject) ?? [];
    const windows = all.map(({ windowMs }) => windowMs);
    measured.push({ subject, ...memory, windows, rows: all.map(({ rowsMs }) => rowsMs) });
    await end(screen, subject);
  }
  return measured;
}

function report(measured: readonly Measured[], quick: readonly number[], packageMb: number): void {
  const [ours, theirs] = measured;
  if (!ours || !theirs) return;
  const { calibrationMs, load } = conditions();
  print(
    `## Desktop app beside Chromium's window, ${TASKS.toLocaleString('en')} tasks, ${STARTS} starts in turns; calibration ${show(calibrationMs, 'ms')}, load ${show(load)}`,
  );
  const line = (name: string, of: (from: Measured) => number, unit: string) => [
    name,
    show(of(ours), unit),
    show(of(theirs), unit),
    show(of(ours) / of(theirs)),
  ];
  print(
    table(
      ['', ours.subject.name, theirs.subject.name, 'ratio'],
      [
        line('start → window, median', ({ windows }) => median(windows), 'ms'),
        line('start → window, slowest', ({ windows }) => Math.max(...windows), 'ms'),
        line('start → rows on the screen, median', ({ rows }) => median(rows), 'ms'),
        line('start → rows on the screen, slowest', ({ rows }) => Math.max(...rows), 'ms'),
        line('memory of all processes after a minute (PSS)', ({ mb }) => mb, 'MB'),
        line('processes', ({ processes }) => processes, ''),
      ],
    ),
  );
  const [first = Number.NaN, ...later] = quick;
  print(
    `Key of quick entry → its window: ${show(first, 'ms')} at first, then ${show(median(later), 'ms')} (median of ${later.length}). The package has ${show(packageMb, 'MB')}.`,
  );
}

/** Measures and prints. It has no figures to reach: none were promised for a machine that is shared. */
export async function runDesktopSuite(): Promise<readonly Gate[]> {
  const browser = findBrowser();
  if (!hasAll || browser.type === 'missing') {
    print('The desktop app isn’t measured: GJS, WebKitGTK, a virtual screen or Chromium is missing.');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-bench-desktop-'));
  const packed = await packDesktop();
  const unpacked = spawnSync('dpkg-deb', ['-x', packed, join(folder, 'installed')]);
  if (unpacked.status !== 0) throw new Error('The package can’t be unpacked.');
  const server = await startServerChild(join(folder, 'data'));
  const screen = new Desktop(join(folder, 'installed'));
  try {
    await fill(server);
    await screen.unlockKeychain();
    const own = join(screen.home, '.local/share/posthaste');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'settings.json'), JSON.stringify({ server: server.address }));
    const flags = `--test-type --no-first-run --no-default-browser-check --no-sandbox --password-store=basic --window-position=0,0 --window-size=1180,800 --user-data-dir=${folder}/profile`;
    const ours = { name: 'desktop app', line: 'posthaste-desktop >/dev/null 2>&1', leave: 'kill -TERM $app' };
    const theirs = {
      name: 'Chromium --app',
      line: `${browser.path} ${flags} --app=${server.address}/app/ >/dev/null 2>&1`,
      // A browser that is ended by a signal forgets who signed in.
      leave: 'xdotool key ctrl+shift+w',
    };
    const measured = await measure(screen, [ours, theirs]);
    await start(screen, ours);
    const quick: number[] = [];
    for (let time = 0; time <= STARTS; time += 1) quick.push(await quickEntry(screen));
    const { size } = statSync(packed);
    report(measured, quick, size / 2 ** 20);
    return [];
  } finally {
    await screen.end();
    await server.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
