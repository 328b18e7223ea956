// The rows of a list that somebody looks at by a public link, kept in memory and brought up to date from the store: what changed
// since, never what the bus says. Not here: what of it is shown to whom (visible.ts).
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row, type TaskRow } from '#sync/rows/row.ts';
import type { GenerationRecord, Store } from '../data/store.ts';
import { currentOf } from '../sync/later-generation.ts';
import { shownTasks } from './visible.ts';

const PAGE_ROWS = 5_000;
/** Steps that are remembered for pages that come back. */
const MOST_STEPS = 200;

/** What a window needs. */
export interface WindowPorts {
  readonly store: Pick<Store, 'changes' | 'scope'>;
  /** Oldest first, the current one last. */
  readonly generations: readonly GenerationRecord[];
}

/** What became different with one look at the store. */
interface Step {
  /** The state before and after it. */
  readonly from: string;
  readonly to: string;
  readonly changed: ReadonlySet<Id>;
  readonly gone: ReadonlySet<Id>;
}

/** Tasks that are new or different since a state, and those that are shown no more. */
export interface WindowNews {
  readonly changed: readonly Id[];
  readonly gone: readonly Id[];
}

const SEEN_TYPES: ReadonlySet<string> = new Set(['task', 'list', 'label']);

const labelsAmong = (rows: Iterable<Row | undefined>) =>
  new Set([...rows].flatMap((row) => (row?.type === 'label' ? [`label:${row.id}`] : [])));

/** One list, as it is now. */
export class ListWindow {
  readonly scope: Id;
  readonly list: Id;
  readonly #ports: WindowPorts;
  #rows = new Map<Id, Row>();
  #shown: ReadonlyMap<Id, TaskRow> = new Map();
  #version = 0;
  #generation = '';
  #steps: Step[] = [];
  #looking: Promise<boolean> | null = null;
  #next: Promise<boolean> | null = null;

  constructor(of: { readonly scope: Id; readonly list: Id }, ports: WindowPorts) {
    this.scope = of.scope;
    this.list = of.list;
    this.#ports = ports;
  }

  /** Names the state: what a page says that comes back. */
  get at(): string {
    return `${this.#generation}.${this.#version}`;
  }

  get shown(): ReadonlyMap<Id, TaskRow> {
    return this.#shown;
  }

  row(id: Id): Row | undefined {
    return this.#rows.get(id);
  }

  /** The name of the list. */
  get name(): string {
    return fieldOf(this.#rows.get(this.list), 'name') ?? '';
  }

  /** Whether the list is there, and not in the trash. */
  get isThere(): boolean {
    const root = this.#rows.get(this.list);
    return root !== undefined && (fieldOf(root, 'del') ?? null) === null;
  }

  /** Looks at the store. What was committed before the call is in it when it resolves; true: something shown is different. */
  look(): Promise<boolean> {
    if (this.#looking === null) return (this.#looking = this.#begin());
    // A look that is under way may have read before that.
    this.#next ??= this.#looking.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<boolean> {
    this.#next = null;
    const looking = this.#read().finally(() => {
      if (this.#looking === looking) this.#looking = null;
    });
    this.#looking = looking;
    return looking;
  }

  /** What is different since a state; null: that is not known anymore. */
  since(at: string): WindowNews | null {
    if (at === this.at) return { changed: [], gone: [] };
    const first = this.#steps.findIndex(({ from }) => from === at);
    if (first < 0) return null;
    const changed = new Set<Id>();
    const gone = new Set<Id>();
    for (const step of this.#steps.slice(first)) {
      for (const id of step.changed) changed.add(id);
      for (const id of step.gone) gone.add(id);
    }
    return {
      changed: [...changed].filter((id) => this.#shown.has(id)),
      gone: [...gone].filter((id) => !this.#shown.has(id)),
    };
  }

  async #read(): Promise<boolean> {
    const { store, generations } = this.#ports;
    const head = await store.scope(this.scope);
    const generation = currentOf(generations).nonce.slice(-12);
    const isAnew = head === null || head.version < this.#version || head.horizon > this.#version;
    if (isAnew || generation !== this.#generation) this.#reset(generation);
    const from = this.at;
    const touched = new Map<Id, Row | undefined>();
    while (head !== null && this.#version < head.version) {
      const page = await store.changes(this.scope, this.#version, PAGE_ROWS);
      for (const row of page.rows) {
        if (!SEEN_TYPES.has(row.type)) continue;
        if (!touched.has(row.id)) touched.set(row.id, this.#rows.get(row.id));
        this.#rows.set(row.id, row);
      }
      for (const id of [...page.gone, ...page.moved.map((moved) => moved.id)]) {
        if (!touched.has(id)) touched.set(id, this.#rows.get(id));
        this.#rows.delete(id);
      }
      this.#version = page.more ? page.to : Math.max(page.to, head.version);
    }
    return this.#note(from, touched);
  }

  #reset(generation: string): void {
    this.#rows = new Map();
    this.#shown = new Map();
    this.#steps = [];
    this.#version = 0;
    this.#generation = generation;
  }

  #note(from: string, touched: ReadonlyMap<Id, Row | undefined>): boolean {
    if (from === this.at) return false;
    const before = this.#shown;
    this.#shown = shownTasks(this.#rows, this.list);
    const labels = labelsAmong([...touched.keys()].map((id) => this.#rows.get(id)));
    for (const label of labelsAmong(touched.values())) labels.add(label);
    const isLabelled = (row: TaskRow) => Object.keys(row.fields).some((name) => labels.has(name));
    const changed = new Set<Id>();
    for (const [id, row] of this.#shown)
      if (before.get(id) !== row || (labels.size > 0 && isLabelled(row))) changed.add(id);
    const gone = new Set([...before.keys()].filter((id) => !this.#shown.has(id)));
    this.#steps.push({ from, to: this.at, changed, gone });
    if (this.#steps.length > MOST_STEPS) this.#steps.shift();
    return changed.size + gone.size > 0 || touched.has(this.list);
  }
}

/** Windows kept after nobody looks anymore: the next who does needs not read the whole list. */
const KEPT_WINDOWS = 20;

/** The windows of this process. */
export class ListWindows {
  readonly #ports: WindowPorts;
  readonly #known = new Map<Id, ListWindow>();
  readonly #held = new Map<Id, number>();

  constructor(ports: WindowPorts) {
    this.#ports = ports;
  }

  /** The window of a list, not looked through yet. */
  of(scope: Id, list: Id): ListWindow {
    const known = this.#known.get(scope);
    const window = known?.list === list ? known : new ListWindow({ scope, list }, this.#ports);
    this.#known.delete(scope);
    this.#known.set(scope, window);
    for (const old of this.#known.keys()) {
      if (this.#known.size <= KEPT_WINDOWS) break;
      if (old !== scope && !this.#held.has(old)) this.#known.delete(old);
    }
    return window;
  }

  /** Keeps the window of a scope until the result is called. */
  hold(scope: Id): () => void {
    this.#held.set(scope, (this.#held.get(scope) ?? 0) + 1);
    return () => {
      const count = (this.#held.get(scope) ?? 1) - 1;
      if (count > 0) this.#held.set(scope, count);
      else this.#held.delete(scope);
    };
  }
}
