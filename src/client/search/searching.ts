// Lazy part of searching: the index of texts and the search line come with the rest. Before that there are no searches,
// and no changes to follow.
import { must } from '#core/assert.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { Finding } from './finding.ts';
import { lazy } from '../loading/lazy.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { SearchView } from '../app/view.ts';

/** Loaded with the commands that search. */
export const searchPart = lazy(async () => {
  const [finding, index] = await Promise.all([import('./finding.ts'), import('#sync/query/task-index.ts')]);
  return { ...finding, ...index };
});

interface Parts {
  readonly index: TaskIndex;
  readonly finding: Finding;
}

const NONE: readonly string[] = [];

class Searching implements PartHooks {
  readonly #program: Program;
  #parts: Parts | null = null;
  /** Called once all texts are read and the search language is loaded. */
  whenReady: () => void = () => undefined;

  constructor(program: Program) {
    this.#program = program;
    program.foundWords = () => this.#parts?.finding.words ?? NONE;
  }

  /** Null until loaded. */
  get now(): Parts | null {
    const { now } = searchPart;
    if (this.#parts === null && now !== null) {
      const index = new now.TaskIndex(this.#program.replica);
      this.#parts = { index, finding: new now.Finding(this.#program, index) };
      this.#parts.finding.readWhenIdle(() => this.whenReady());
    }
    return this.#parts;
  }

  /** For code that is loaded with it, or after it. */
  get here(): Parts {
    return must(this.now, 'searching has been loaded');
  }

  async load(): Promise<void> {
    await searchPart.load();
  }

  get view(): SearchView | null {
    return this.now?.finding.view ?? null;
  }

  apply(changes: readonly RowChange[]): void {
    this.#parts?.index.apply(changes);
  }

  applied(changes: readonly RowChange[]): void {
    this.#parts?.finding.follow(changes);
  }
}

/** Keeps the index of texts up to date and holds the search line. Empty until its lazy part is loaded. */
export const searching = definePart({ name: 'Search', create: (program) => new Searching(program) });

/** The search line and its results. Throws before the part is loaded. */
export const findingOf = (program: Program): Finding => program.part(searching).here.finding;

/** The index of all texts. Throws before the part is loaded. */
export const textIndexOf = (program: Program): TaskIndex => program.part(searching).here.index;
