// People in one shared list who see each other: how long a place takes from one socket to another, what fifty people who all
// move cost the server, what each socket is sent, and what reaches the disk meanwhile. Their devices say it by the app's own rule.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Id } from '#core/ids.ts';
import { Telling } from '#client/presence/telling.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import type { Here, There } from '#wire/presence.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf } from '../statistics.ts';
import type { BenchAccount } from './account.ts';
import { openConnection } from './http-connection.ts';
import { shareList } from './people.ts';
import { type ServerProcess, startProgram } from './server-process.ts';

const PEOPLE = 50;
const PER_SECOND = 10;
const WANTED = { p95Ms: 100, coreShare: 0.05, kilobytes: 15 };
const SECOND_MS = 1_000;
const SETTLE_MS = 6_000;
const IDLE_MS = 3_000;

const newId = () => crypto.randomUUID() as Id;

interface Member {
  readonly account: BenchAccount;
  readonly socket: WebSocket;
  bytes: number;
  /** Places that its device has said. */
  said: number;
  readonly telling: Telling;
  /** Called with each message about people. */
  onThere: (there: There) => void;
}

async function connect(url: string, account: BenchAccount): Promise<Member> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, {
    headers: { cookie: account.cookie },
    origin: url,
  });
  const telling = new Telling({
    now: () => performance.now(),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
    say(place) {
      member.said += 1;
      socket.send(JSON.stringify({ type: 'here', page: account.number, ...place } satisfies Here));
    },
  });
  const member: Member = { account, socket, bytes: 0, said: 0, telling, onThere: () => undefined };
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as There | { readonly type: 'poke' };
    if (message.type !== 'there') return;
    member.bytes += data.length;
    telling.pace(message);
    member.onThere(message);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return member;
}

const move = ({ telling }: Member, scope: Id, focus: Id): void =>
  telling.put({ scope, sel: [], focus, n: 0 });

async function measureDelays(from: Member, to: Member, scope: Id, count: number): Promise<readonly number[]> {
  const delays: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const focus = newId();
    const arrived = new Promise<void>((resolve) => {
      to.onThere = ({ who }) => {
        if (who.some((place) => place.focus === focus)) resolve();
      };
    });
    const startedAt = performance.now();
    move(from, scope, focus);
    await arrived;
    delays.push(performance.now() - startedAt);
    await pause(100 + Math.random() * 50);
  }
  to.onThere = () => undefined;
  return delays;
}

/** Counts the commits of the server's database that another connection notices, looking often. */
function countCommits(folder: string): () => number {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
  const version = database.prepare('PRAGMA data_version');
  let last = version.get()?.['data_version'];
  let count = 0;
  const look = () => {
    const now = version.get()?.['data_version'];
    if (now !== last) count += 1;
    last = now;
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    look();
    database.close();
    return count;
  };
}

async function everybodyMoves(members: readonly Member[], scope: Id, seconds: number): Promise<void> {
  const end = performance.now() + seconds * SECOND_MS;
  const gap = SECOND_MS / PER_SECOND / members.length;
  for (let at = 0; performance.now() < end; at += 1) {
    const member = members[at % members.length];
    if (member) move(member, scope, newId());
    const wait = (at + 1) * gap - (seconds * SECOND_MS - (end - performance.now()));
    if (wait > 1) await pause(wait);
  }
}

/** Of a core, that the server takes while something is done. */
async function shareOf(server: ServerProcess, work: () => Promise<void>): Promise<number> {
  const [cpuBefore, startedAt] = [server.cpuMs(), performance.now()];
  await work();
  return (server.cpuMs() - cpuBefore) / (performance.now() - startedAt);
}

async function measure(server: ServerProcess, folder: string, quick: boolean): Promise<Gate[]> {
  const door = await openConnection(server.url);
  const { accounts, scope } = await shareList(door, folder, PEOPLE);
  door.close();
  const members = await Promise.all(accounts.map((account) => connect(server.url, account)));
  const [ann, ben] = members;
  if (!ann || !ben) throw new Error('Two people at least.');
  for (const member of members) move(member, scope, newId());
  // What the sign-ups left to write is written by then; a minute after its start the server keeps house and makes a backup.
  await pause(SETTLE_MS);
  const seconds = quick ? 5 : 30;
  const idleShare = await shareOf(server, () => pause(IDLE_MS));
  for (const member of members) member.bytes = member.said = 0;
  const commits = countCommits(folder);
  const coreShare = await shareOf(server, () => everybodyMoves(members, scope, seconds));
  const written = commits();
  const kilobytes = Math.max(...members.map(({ bytes }) => bytes)) / seconds / 1_000;
  const said = members.reduce((sum, member) => sum + member.said, 0) / members.length / seconds;
  const { p50, p95, p99, count } = distributionOf(await measureDelays(ann, ben, scope, quick ? 40 : 200));
  for (const { socket, telling } of members) {
    telling.forget();
    socket.terminate();
  }
  print(
    `## People in a shared list: a place from one socket to another, and ${PEOPLE} people who move ${PER_SECOND} times a second`,
  );
  const head = ['p50 ms', 'p95 ms', 'p99 ms', 'places', 'of a core %', 'and while nobody moves'];
  const row = [p50, p95, p99, count, coreShare * 100, idleShare * 100];
  const more = ['said a second by each', 'KB/s of a socket', 'commits'];
  print(table([...head, ...more], [[...row, said, kilobytes, written]]));
  const gate = { kind: 'at most' } as const;
  return [
    { ...gate, name: 'place of another person: p95', reached: p95, bound: WANTED.p95Ms, unit: 'ms' },
    {
      ...gate,
      name: 'fifty people: of a core',
      reached: coreShare * 100,
      bound: WANTED.coreShare * 100,
      unit: '%',
    },
    {
      ...gate,
      name: 'fifty people: to each socket',
      reached: kilobytes,
      bound: WANTED.kilobytes,
      unit: 'KB/s',
    },
    { ...gate, name: 'places of people: commits of the database', reached: written, bound: 0, unit: '' },
  ];
}

/** Between sockets of a real server; what the browser adds is a frame on either side. */
export async function runPresenceSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say(`presence: ${PEOPLE} people in one list`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-presence-'));
  const server = await startProgram('src/server/main.ts', folder);
  try {
    return await measure(server, folder, quick);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
