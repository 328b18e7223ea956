// What other processes wrote, for the connections of this one: each scope is read once, 25 ms after the first word of it, together
// with the others that changed meanwhile, however many connections want to hear. Not here: who hears what (hub.ts).
import type { Id } from '#core/ids.ts';
import type { ScopeChanges } from '#wire/sync.ts';

const GATHER_MS = 25;
/** Scopes that are read together. */
const READ_AT_ONCE = 50;
const LOOK_AT_ONCE = 500;

export interface OtherWritesPorts {
  /** What is new in scopes since these versions, whoever asks. One that does not exist is left out. */
  readonly news: (
    asked: readonly { readonly scope: Id; readonly version: number }[],
  ) => Promise<readonly ScopeChanges[]>;
  /** Present versions; a scope that does not exist is left out. */
  readonly versions: (scopes: readonly Id[]) => Promise<ReadonlyMap<Id, number>>;
  /** Returns the cancellation. */
  readonly after: (delayMs: number, work: () => void) => () => void;
  readonly onError: (error: unknown) => void;
}

export interface Told {
  /** The lowest version that a connection was told of a scope, of those that were told less than this; null: none. */
  lowest(scope: Id, below: number): number | null;
  /** Called for each scope that was read. Null: there is something to fetch, up to this version. */
  found(scope: Id, to: number, changes: ScopeChanges | null): void;
}

/** Whether a device that was told everything before can take it in as it is. */
const isPlain = ({ more, resync, rollback, bootstrap }: ScopeChanges) =>
  !more && resync !== true && rollback === undefined && bootstrap !== true;

/** Reads for those who are `told`. */
export class OtherWrites {
  readonly #ports: OtherWritesPorts;
  readonly #told: Told;
  readonly #waiting = new Map<Id, number>();
  #cancel: (() => void) | null = null;
  #isReading = false;
  #isClosed = false;

  constructor(ports: OtherWritesPorts, told: Told) {
    this.#ports = ports;
    this.#told = told;
  }

  /** A scope has reached a version, by a write whose rows are not here. */
  note(scope: Id, to: number): void {
    this.#waiting.set(scope, Math.max(to, this.#waiting.get(scope) ?? 0));
    this.#readLater();
  }

  /** Finds which of these scopes have changed, whoever said so or did not. */
  async look(scopes: readonly Id[]): Promise<void> {
    for (let at = 0; at < scopes.length && !this.#isClosed; at += LOOK_AT_ONCE) {
      const versions = await this.#ports.versions(scopes.slice(at, at + LOOK_AT_ONCE));
      for (const [scope, version] of versions)
        if (this.#told.lowest(scope, version) !== null) this.note(scope, version);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  #readLater(): void {
    if (this.#isReading || this.#isClosed) return;
    this.#cancel ??= this.#ports.after(GATHER_MS, () => {
      this.#cancel = null;
      this.#isReading = true;
      void this.#readAll().finally(() => {
        this.#isReading = false;
        if (this.#waiting.size > 0) this.#readLater();
      });
    });
  }

  async #readAll(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (let at = 0; at < waiting.length; at += READ_AT_ONCE)
      await this.#read(waiting.slice(at, at + READ_AT_ONCE));
  }

  async #read(written: readonly (readonly [scope: Id, to: number])[]): Promise<void> {
    const asked = written.flatMap(([scope, to]) => {
      const version = this.#told.lowest(scope, to);
      return version === null ? [] : [{ scope, version }];
    });
    let news: readonly ScopeChanges[] = [];
    try {
      if (asked.length > 0) news = await this.#ports.news(asked);
    } catch (error) {
      // Then everybody asks for itself.
      this.#ports.onError(error);
    }
    if (this.#isClosed) return;
    const byScope = new Map(news.map((changes) => [changes.scope, changes]));
    for (const [scope, to] of written) {
      const changes = byScope.get(scope);
      if (changes !== undefined && changes.to >= to && isPlain(changes))
        this.#told.found(scope, changes.to, changes);
      else this.#told.found(scope, to, null);
    }
  }
}
