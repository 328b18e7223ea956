// How long the screen took to answer keys, by the command they ran. Only the statistics: the platform measures when a
// key came and when its frame was shown. Formatting is elsewhere too.

/** One key, from its press to the frame that shows its effect. */
export interface Answered {
  /** Null: a key that ran no command, such as typed text. */
  readonly command: string | null;
  /** Milliseconds. */
  readonly took: number;
}

export interface CommandLatency {
  readonly command: string;
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** The statistics so far, in milliseconds, over all keys and per command. */
export interface LatencyReport {
  readonly last: Answered | null;
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  /** Slowest p95 first. */
  readonly commands: readonly CommandLatency[];
}

/** Name under which keys without a command are counted. */
const TYPING = 'typing';
/** Samples kept per command: enough for a p95 that still follows a change. */
const KEPT = 200;

/** Nearest rank in ascending values; 0 if there are none. */
function rank(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? 0;
}

/** Collects answered keys and reports their latencies. Bounded: it keeps only the newest samples of each command. */
export class LatencyLog {
  readonly #taken = new Map<string, number[]>();
  #count = 0;
  #last: Answered | null = null;

  add(answered: Answered): void {
    this.#count += 1;
    this.#last = answered;
    const command = answered.command ?? TYPING;
    const taken = this.#taken.get(command) ?? [];
    taken.push(answered.took);
    if (taken.length > KEPT) taken.shift();
    this.#taken.set(command, taken);
  }

  report(): LatencyReport {
    const all = [...this.#taken.values()].flat().toSorted((a, b) => a - b);
    const commands = [...this.#taken].map(([command, taken]) => {
      const ascending = taken.toSorted((a, b) => a - b);
      return {
        command,
        count: taken.length,
        p50: rank(ascending, 0.5),
        p95: rank(ascending, 0.95),
        max: rank(ascending, 1),
      };
    });
    return {
      last: this.#last,
      count: this.#count,
      p50: rank(all, 0.5),
      p95: rank(all, 0.95),
      commands: commands.toSorted((a, b) => b.p95 - a.p95),
    };
  }
}

const figure = (ms: number) => ms.toFixed(1).padStart(8);

/** The report as text to paste elsewhere: one line per command. `about` says where it was measured. */
export function latencyText(report: LatencyReport, about: readonly string[]): string {
  const wide = Math.max(7, ...report.commands.map(({ command }) => command.length));
  const row = (name: string, of: Omit<CommandLatency, 'command'>) =>
    `${name.padEnd(wide)}${String(of.count).padStart(7)}${figure(of.p50)}${figure(of.p95)}${figure(of.max)}`;
  const max = Math.max(0, ...report.commands.map((each) => each.max));
  return [
    'Posthaste: key to paint, in milliseconds',
    ...about,
    '',
    `${'command'.padEnd(wide)}${'keys'.padStart(7)}${'p50'.padStart(8)}${'p95'.padStart(8)}${'max'.padStart(8)}`,
    ...report.commands.map((each) => row(each.command, each)),
    row('all', { ...report, max }),
  ].join('\n');
}
