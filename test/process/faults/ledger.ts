// What every writer of a fault run did, in a file of its own that outlives its process: an entry before a change is made, and
// more of them as it is kept, answered or refused. The checker reads nothing else of the writers.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** A change that is about to be made. `n` grows within one writer; values are never used twice. */
export type Change =
  | { readonly k: 'create'; readonly n: number; readonly id: string; readonly title: string }
  | {
      readonly k: 'write';
      readonly n: number;
      readonly id: string;
      readonly field: 'title' | 'due';
      readonly value: string;
      /** What its author saw there. */
      readonly saw: string | null;
    }
  | { readonly k: 'note'; readonly n: number; readonly id: string; readonly word: string }
  | { readonly k: 'complete'; readonly n: number; readonly id: string; readonly occ: number | null }
  | { readonly k: 'delete'; readonly n: number; readonly id: string }
  | { readonly k: 'place'; readonly n: number; readonly id: string };

export type Entry =
  | Change
  /** The operation that the change travels as. */
  | { readonly k: 'sent'; readonly n: number; readonly u: string }
  /** It was not made: predicted to be refused, or answered so. */
  | { readonly k: 'void'; readonly n: number }
  /** Everything from `from` to `n` is on the writer's disk, or was answered. */
  | { readonly k: 'kept'; readonly from: number; readonly n: number }
  /** An older backup took its place before any device had it: it may be gone, and may be there. */
  | { readonly k: 'excused'; readonly n: number }
  | { readonly k: 'verdict'; readonly u: string; readonly verdict: string }
  | { readonly k: 'status'; readonly status: number; readonly path: string };

/** Every line says when it was written, by the machine's clock. */
export type Dated = Entry & { readonly at: number };

/** Written at once: what a killed process had written before is there. */
export class LedgerWriter {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: Entry): void {
    appendFileSync(this.#path, `${JSON.stringify({ ...entry, at: Date.now() })}\n`);
  }
}

/** A line that a killed process did not finish is none. */
export function readLedger(path: string): readonly Dated[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Dated];
    } catch {
      return [];
    }
  });
}
