// Keeps the limiter's memory across crashes and restarts: every counted call is a line in a file, written before the call
// is answered. Each file covers a span of time and is deleted once no window reaches into it, so nothing is ever rewritten.
// A loss of power may lose the last lines, which the system had not written yet.
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#sync/replica/ports.ts';

export const LIMITS_FOLDER = 'limits';
const HOUR_MS = 3_600_000;
const NAME = /^(\d{1,6})h-(\d{1,9})\.log$/;

/** Calls of one key under one rate, as wall times. */
export interface Counted {
  readonly rate: string;
  readonly key: string;
  /** Ascending. */
  readonly times: readonly number[];
}

/** The persistent record of counted calls. */
export interface LimitJournal {
  /** `windowMs`: the longest window of the rate. */
  counted(rate: string, key: string, windowMs: number): void;
  /** Takes back the newest call of the key. */
  givenBack(rate: string, key: string, windowMs: number): void;
  /** Calls counted before this process, as far as windows may reach. */
  read(): readonly Counted[];
  close(): void;
}

interface OpenFile {
  readonly index: number;
  readonly handle: number;
}

/** The hours that one file covers: at least the longest window, so that only the file before it still matters. */
const hoursOf = (windowMs: number) => Math.max(1, Math.ceil(windowMs / HOUR_MS));

/** - */
/** Whether a key was written to its end; a start must not fail on one cut short by a crash. */
function isWhole(key: string): boolean {
  try {
    return decodeURIComponent(key) !== '';
  } catch {
    // Cut in the middle of an escaped character.
    return false;
  }
}

class FolderJournal implements LimitJournal {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #open = new Map<number, OpenFile>();
  readonly #onFailure: (error: unknown) => void;
  #isFailing = false;

  constructor(folder: string, clock: Clock, onFailure: (error: unknown) => void) {
    this.#folder = folder;
    this.#clock = clock;
    this.#onFailure = onFailure;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  counted(rate: string, key: string, windowMs: number): void {
    this.#write(windowMs, `${rate} ${Math.round(this.#clock.now())} ${encodeURIComponent(key)}\n`);
  }

  givenBack(rate: string, key: string, windowMs: number): void {
    this.#write(windowMs, `${rate} - ${encodeURIComponent(key)}\n`);
  }

  read(): readonly Counted[] {
    const found = new Map<
      string,
      { readonly rate: string; readonly key: string; readonly times: number[] }
    >();
    for (const { path } of this.#reachable())
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        const [rate = '', at = '', key = '', ...rest] = line.split(' ');
        // A line cut short by a crash: its call was never answered.
        if (rest.length > 0 || !isWhole(key) || !/^(?:-|\d{1,16})$/.test(at)) continue;
        const name = `${rate} ${key}`;
        const times = found.get(name)?.times ?? [];
        if (at === '-') times.pop();
        else times.push(Number(at));
        found.set(name, { rate, key: decodeURIComponent(key), times });
      }
    return [...found.values()].map((each) => ({ ...each, times: each.times.toSorted((a, b) => a - b) }));
  }

  close(): void {
    for (const { handle } of this.#open.values()) closeSync(handle);
    this.#open.clear();
  }

  #write(windowMs: number, line: string): void {
    try {
      writeSync(this.#fileOf(hoursOf(windowMs)), line);
      this.#isFailing = false;
    } catch (error) {
      // Limits continue in memory; a full disk must not refuse permitted calls. Reported once, not for every call.
      if (!this.#isFailing) this.#onFailure(error);
      this.#isFailing = true;
    }
  }

  #indexOf(hours: number): number {
    return Math.floor(this.#clock.now() / (hours * HOUR_MS));
  }

  #fileOf(hours: number): number {
    const index = this.#indexOf(hours);
    const known = this.#open.get(hours);
    if (known?.index === index) return known.handle;
    if (known) closeSync(known.handle);
    this.#open.delete(hours);
    const handle = openSync(join(this.#folder, `${hours}h-${index}.log`), 'a', 0o600);
    this.#open.set(hours, { index, handle });
    // A line end first: the remains of a crash stay on their own line.
    writeSync(handle, '\n');
    this.#reachable();
    return handle;
  }

  /** Files that windows may reach into, oldest first; the others are deleted. */
  #reachable(): readonly { readonly path: string; readonly index: number }[] {
    const files = readdirSync(this.#folder).flatMap((name) => {
      const [, hours = '', index = ''] = NAME.exec(name) ?? [];
      return hours === ''
        ? []
        : [{ path: join(this.#folder, name), hours: Number(hours), index: Number(index) }];
    });
    const isReachable = ({ hours, index }: { hours: number; index: number }) =>
      index >= this.#indexOf(hours) - 1;
    for (const file of files) if (!isReachable(file)) rmSync(file.path, { force: true });
    return files.filter(isReachable).toSorted((a, b) => a.index - b.index);
  }
}

/** `onFailure` receives write errors. */
export function openLimitJournal(
  dataDir: string,
  { clock, onFailure }: { readonly clock: Clock; readonly onFailure: (error: unknown) => void },
): LimitJournal {
  return new FolderJournal(join(dataDir, LIMITS_FOLDER), clock, onFailure);
}
