// A tab that ends at a chosen request to IndexedDB: what was not committed is undone, and nothing that it asks for afterwards
// is ever answered. Works by standing before the methods of the (fake) IndexedDB, for one database at a time.

const METHODS = ['get', 'getAll', 'getAllKeys', 'count', 'put', 'add', 'delete', 'clear'] as const;

const ENDS = ['complete', 'abort'];

type Method = (this: unknown, ...given: unknown[]) => unknown;

const nothing = (): undefined => undefined;

/** An object of this kind with these members instead of its own. */
function stub<T extends object>(prototype: T, members: object): T {
  return Object.assign(
    Object.create(
      prototype,
      Object.fromEntries(
        Object.keys(members).map((name) => [name, { value: null, writable: true, configurable: true }]),
      ),
    ) as T,
    members,
  );
}

const deaf = { addEventListener: nothing, removeEventListener: nothing };

/** A request that is never answered. */
const unanswered = (): IDBRequest => stub(IDBRequest.prototype, deaf);

const deadStore = (db: IDBDatabase): IDBObjectStore =>
  stub(IDBObjectStore.prototype, { transaction: { db } });

/** A transaction of a tab that is gone. */
function deadTransaction(db: IDBDatabase): IDBTransaction {
  const objectStore = (): IDBObjectStore => deadStore(db);
  const members = { ...deaf, abort: nothing, db, error: null, objectStoreNames: ['any'], objectStore };
  return stub(IDBTransaction.prototype, members);
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (error) {
    // One that is being committed cannot be stopped any more.
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
  }
}

export class CrashPoint {
  /** Requests, transactions and commits so far. */
  steps = 0;
  isGone = false;
  /** Resolves when the tab ends. */
  readonly gone: Promise<void>;
  private readonly database: string;
  private readonly at: number;
  private readonly open = new Set<IDBTransaction>();
  private readonly restores: (() => void)[] = [];
  private tell: () => void = nothing;

  /** Ends the tab at its step `at`, counted from 1; Infinity: never. */
  constructor(database: string, at: number) {
    this.database = database;
    this.at = at;
    this.gone = new Promise((resolve) => {
      this.tell = resolve;
    });
    for (const name of METHODS) this.standBeforeRequest(name);
    this.standBeforeTransaction();
    this.standBeforeCommit();
    this.standBeforeStores();
  }

  /** Another tab is opened: it may do everything again. */
  restore(): void {
    for (const restore of this.restores.splice(0)) restore();
  }

  private replace(prototype: object, name: string, make: (original: Method) => Method): void {
    const methods = prototype as Record<string, Method>;
    const original = methods[name] as Method;
    methods[name] = make(original);
    this.restores.push(() => {
      methods[name] = original;
    });
  }

  private standBeforeRequest(name: string): void {
    const strikes = (db: IDBDatabase): boolean => this.strikes(db);
    const deafen = <T extends EventTarget>(target: T): T => this.deafen(target);
    this.replace(
      IDBObjectStore.prototype,
      name,
      (original) =>
        function request(this: unknown, ...given) {
          const isOver = strikes((this as IDBObjectStore).transaction.db);
          return isOver ? unanswered() : deafen(original.apply(this, given) as IDBRequest);
        },
    );
  }

  private standBeforeTransaction(): void {
    const strikes = (db: IDBDatabase): boolean => this.strikes(db);
    const deafen = <T extends EventTarget>(target: T): T => this.deafen(target);
    const { open } = this;
    this.replace(
      IDBDatabase.prototype,
      'transaction',
      (original) =>
        function transaction(this: unknown, ...given) {
          // What changes the stores is the database's own.
          if (given[1] === 'versionchange') return original.apply(this, given);
          if (strikes(this as IDBDatabase)) return deadTransaction(this as IDBDatabase);
          const made = original.apply(this, given) as IDBTransaction;
          open.add(made);
          for (const end of ENDS) made.addEventListener(end, () => open.delete(made));
          return deafen(made);
        },
    );
  }

  private standBeforeCommit(): void {
    const strikes = (db: IDBDatabase): boolean => this.strikes(db);
    this.replace(
      IDBTransaction.prototype,
      'commit',
      (original) =>
        function commit(this: unknown, ...given) {
          return strikes((this as IDBTransaction).db) ? undefined : original.apply(this, given);
        },
    );
  }

  /** Asking for a store is no request, but an undone transaction would say that it is over. */
  private standBeforeStores(): void {
    const isOver = (db: IDBDatabase): boolean => this.isGone && db.name === this.database;
    this.replace(
      IDBTransaction.prototype,
      'objectStore',
      (original) =>
        function objectStore(this: unknown, ...given) {
          const { db } = this as IDBTransaction;
          return isOver(db) ? deadStore(db) : original.apply(this, given);
        },
    );
  }

  /** Whoever listens at once, which is the app, hears nothing after the end; the database itself listens later. */
  private deafen<T extends EventTarget>(target: T): T {
    const add = target.addEventListener.bind(target);
    target.addEventListener = (type: string, listener: (event: Event) => void) =>
      add(type, (event) => {
        if (!this.isGone) listener(event);
      });
    queueMicrotask(() => Reflect.deleteProperty(target, 'addEventListener'));
    return target;
  }

  /** Counts a step. True: the tab is gone. */
  private strikes(db: IDBDatabase): boolean {
    if (db.name !== this.database) return false;
    if (this.isGone) return true;
    this.steps += 1;
    if (this.steps !== this.at) return false;
    this.isGone = true;
    for (const transaction of this.open) abort(transaction);
    this.tell();
    return true;
  }
}
