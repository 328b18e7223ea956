// The door to searching: the index of texts and the search line come with what is loaded after the first screen. Before
// that nothing is searched for, and nothing needs to be followed.
import { must } from '#core/assert.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { Finding } from './finding.ts';
import type { Later } from './later.ts';
import type { Lazy } from './lazy.ts';
import type { Program } from './program.ts';
import type { SearchView } from './view.ts';

interface Parts {
  readonly index: TaskIndex;
  readonly finding: Finding;
}

const NONE: readonly string[] = [];

export class Searching {
  readonly #program: Program;
  readonly #later: Lazy<Later>;
  readonly #after: (delayMs: number, work: () => void) => void;
  #parts: Parts | null = null;

  constructor(program: Program, later: Lazy<Later>, after: (delayMs: number, work: () => void) => void) {
    this.#program = program;
    this.#later = later;
    this.#after = after;
  }

  /** Null while it has not been loaded. */
  get now(): Parts | null {
    const { now } = this.#later;
    if (this.#parts === null && now !== null) {
      this.#parts = {
        index: new now.TaskIndex(this.#program.replica),
        finding: new now.Finding(this.#program),
      };
      this.#parts.finding.readWhenIdle(this.#after);
    }
    return this.#parts;
  }

  /** For what is loaded with it, or after it. */
  get here(): Parts {
    return must(this.now, 'searching has been loaded');
  }

  async load(): Promise<void> {
    await this.#later.load();
  }

  get view(): SearchView | null {
    return this.now?.finding.view ?? null;
  }

  /** What rows show as found. */
  get words(): readonly string[] {
    return this.#parts?.finding.words ?? NONE;
  }

  /** Rows changed. */
  apply(changes: readonly RowChange[]): void {
    this.#parts?.index.apply(changes);
  }

  /** They changed on screen too. */
  follow(changes: readonly RowChange[]): void {
    this.#parts?.finding.follow(changes);
  }
}
