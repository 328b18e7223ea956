// Keeps a folder in step: one round, or rounds as files change and time passes. Without a network it waits and catches up.
import { mkdirSync, watch, type FSWatcher } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '#core/counted.ts';
import { readFile } from '#client/twin/file.ts';
import { runRound, type RoundReport } from '#client/twin/round.ts';
import type { Call } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { plainLine } from '../printing.ts';
import { ApiTwinServer } from './api-server.ts';
import { DiskFolder } from './folder.ts';
import { DiskMemory, lockTwin } from './memory.ts';

/** Between two looks at the server. With two listings each it stays far below the limit of 200 an hour. */
const POLL_MS = 45_000;
/** Editors write a file in several steps. */
const REST_MS = 300;
/** Between two rounds, however often somebody saves: 10 listings a minute are allowed. */
const GAP_MS = 7_000;
const LONGEST_WAIT_MS = 60_000;
/** Rounds one after the other until nothing changes. */
const MOST_ROUNDS = 4;

export interface Keeping {
  readonly root: string;
  readonly mayDelete: boolean;
  readonly mayAdopt: boolean;
  /** Between two looks at the server. */
  readonly pollMs?: number;
}

export interface Sum {
  readonly sent: number;
  readonly written: number;
  readonly held: number;
  readonly said: readonly string[];
}

/** A folder and its account. */
export class Twin {
  readonly #call: Call;
  readonly #wish: Keeping;
  readonly #folder: DiskFolder;
  readonly #memory: DiskMemory;
  readonly #server: ApiTwinServer;
  readonly #zone: string;
  readonly unlock: () => void;
  /** Sentences of the last round, which are not said again as long as they hold. */
  #said = new Set<string>();
  #hasRead = false;
  #count = 0;

  /** Takes the folder. Throws a Failure if it is taken, or its memory damaged. */
  constructor(call: Call, wish: Keeping) {
    this.#call = call;
    this.#wish = wish;
    mkdirSync(wish.root, { recursive: true });
    this.unlock = lockTwin(wish.root, call.world.now());
    try {
      this.#folder = new DiskFolder(wish.root);
      this.#memory = new DiskMemory(wish.root);
      this.#zone = this.#memory.identity?.zone ?? call.world.zone;
      this.#server = new ApiTwinServer(call.session, this.#zone);
    } catch (error) {
      this.unlock();
      throw error;
    }
  }

  hasChanged = () => this.#folder.hasChanged();

  /** Reads the server, and runs rounds until nothing is left to do. */
  async inStep(): Promise<Sum> {
    const { reading } = this.#server;
    if (!this.#hasRead) await reading.all();
    else {
      await reading.changes();
      this.#count += 1;
      if (this.#count % 2 === 0) await reading.check();
    }
    await this.#begin();
    this.#hasRead = true;
    const sum = { sent: 0, written: 0, held: 0, said: new Set<string>() };
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- Each builds on the one before.
      const report = await this.#round();
      sum.sent += report.sent;
      sum.written += report.written;
      sum.held = report.held;
      for (const sentence of report.said) sum.said.add(sentence);
      if (report.sent === 0 && report.written === 0) break;
    }
    for (const sentence of sum.said)
      if (!this.#said.has(sentence)) this.#call.world.warn(plainLine(sentence));
    this.#said = sum.said;
    return { ...sum, said: [...sum.said] };
  }

  #round(): Promise<RoundReport> {
    const { world } = this.#call;
    return runRound({
      folder: this.#folder,
      server: this.#server,
      memory: this.#memory,
      reading: { now: world.now(), zone: this.#zone },
      newId: () => world.newId(),
      mayDelete: this.#wish.mayDelete,
    });
  }

  /** The first time: the folder is empty, or its files are to become lists. Later: it belongs to this account. */
  async #begin(): Promise<void> {
    const { inbox } = this.#server.reading;
    const known = this.#memory.identity;
    if (known !== null) {
      if (known.account !== inbox)
        throw new Failure('refused', `${this.#wish.root} is the twin of another account.`);
      return;
    }
    if (!this.#wish.mayAdopt) {
      const found = await this.#folder.read();
      const reading = { now: 0, zone: this.#zone, labels: new Set<string>() };
      const others = found.filter(({ text }) => {
        const file = readFile(text ?? '', reading, () => null);
        return file.list === null && file.blocks.length > 0;
      });
      const [first] = others;
      if (first)
        throw wrongUse(
          `${this.#wish.root} has ${counted(others.length, 'file')} with tasks, such as ${first.path}. Choose an empty folder, or make lists of them with --adopt.`,
        );
    }
    this.#memory.begin(inbox, this.#zone);
  }
}

/** Resolves when a file changes, after `ms`, or when it is to end. */
class Waking {
  #wake: () => void = () => undefined;
  #isAwake = false;
  hasEnded = false;
  readonly #watcher: FSWatcher | null;
  readonly #end = () => {
    this.hasEnded = true;
    this.#call();
  };

  constructor(root: string, unwatched: () => void) {
    process.once('SIGINT', this.#end);
    process.once('SIGTERM', this.#end);
    let watcher: FSWatcher | null = null;
    try {
      watcher = watch(root, { recursive: true }, (_, name) => {
        if (name === null || !name.startsWith('.posthaste')) this.#call();
      });
      watcher.on('error', () => undefined);
    } catch {
      unwatched();
    }
    this.#watcher = watcher;
  }

  #call(): void {
    this.#isAwake = true;
    this.#wake();
  }

  async until(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    if (this.#isAwake) resolve();
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    this.#isAwake = false;
  }

  close(): void {
    this.#watcher?.close();
    process.off('SIGINT', this.#end);
    process.off('SIGTERM', this.#end);
  }
}

/** What came of it, in one sentence. */
export function saySum({ sent, written, held }: Sum): string {
  const parts = [
    ...(sent === 0 ? [] : [`${counted(sent, 'change')} sent`]),
    ...(written === 0 ? [] : [`${counted(written, 'file')} written`]),
    ...(held === 0 ? [] : [`${counted(held, 'list')} left alone`]),
  ];
  return parts.length === 0 ? 'In step.' : `In step: ${parts.join(', ')}.`;
}

/** Keeps in step until the process is told to end, and then finishes the round. */
export async function keepInStep(call: Call, wish: Keeping): Promise<void> {
  const twin = new Twin(call, wish);
  const { pollMs = POLL_MS } = wish;
  const waking = new Waking(wish.root, () =>
    call.world.warn(`Changes of files can't be watched here. They are looked for every ${pollMs / 1_000} s.`),
  );
  try {
    let lastAt = 0;
    let failures = 0;
    let isFirst = true;
    while (!waking.hasEnded) {
      let wait = pollMs;
      lastAt = performance.now();
      try {
        const sum = await twin.inStep(); // oxlint-disable-line no-await-in-loop
        if (isFirst || failures > 0 || sum.sent + sum.written > 0)
          call.show({ success: true, ...sum }, saySum(sum));
        isFirst = false;
        failures = 0;
      } catch (error) {
        if (!(error instanceof Failure) || (error.kind !== 'offline' && error.kind !== 'limit')) throw error;
        if (failures === 0) call.world.warn(`${error.message} It goes on when the server answers.`);
        failures += 1;
        wait = Math.min(LONGEST_WAIT_MS, 2_000 * 2 ** Math.min(failures, 6));
      }
      await nextRound(twin, waking, { wait, lastAt, isAway: failures > 0 }); // oxlint-disable-line no-await-in-loop
    }
  } finally {
    waking.close();
    twin.unlock();
  }
}

/** Waits until a file has changed and rests, or until it is time. */
async function nextRound(
  twin: Twin,
  waking: Waking,
  { wait, lastAt, isAway }: { readonly wait: number; readonly lastAt: number; readonly isAway: boolean },
): Promise<void> {
  const end = performance.now() + wait;
  while (!waking.hasEnded) {
    const left = end - performance.now();
    if (left <= 0) return;
    await waking.until(left); // oxlint-disable-line no-await-in-loop
    if (waking.hasEnded) return;
    // What the twin itself wrote wakes it, too.
    if (isAway || !twin.hasChanged()) continue;
    const gap = Math.max(REST_MS, GAP_MS - (performance.now() - lastAt));
    await pause(gap); // oxlint-disable-line no-await-in-loop
    return;
  }
}
