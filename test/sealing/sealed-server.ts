// A server of one account in memory, as far as sealing goes: it applies operations by the production `apply`, holds them to the state of the
// scope, and never has a key. What it was sent is kept, to be searched for content.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { LiveListener, Transport, TransportAnswer } from '#sync/replica/ports.ts';
import { apply, type ApplyState } from '#sync/rows/apply.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { isKnown, registerStamp, registersOf, withRegister, type Row } from '#sync/rows/row.ts';
import { SiblingIndex } from '#sync/rows/sibling-index.ts';
import { leftIn, reencoded } from '#sync/sealing/reencoding.ts';
import type { SealingFailure, SealingServer } from '#sync/sealing/ports.ts';
import type { SentOperation } from '#sync/sealing/sealed-operation.ts';
import { numberIn } from '#sync/sealing/directory.ts';
import {
  needsReseal,
  neverSealed,
  positionOf,
  stepped,
  type ScopeSealing,
} from '#sync/sealing/scope-state.ts';
import type { Sealing, SealingStep } from '#wire/sealing.ts';
import type { ScopeChanges, SyncRequest, SyncResponse } from '#wire/sync.ts';

const refused = (type: SealingFailure['type']) => failed<SealingFailure>({ type, message: type });

export class SealedServer {
  readonly scope: Id;
  readonly account: number;
  readonly rows = new Map<Id, Row>();
  state: ScopeSealing = neverSealed;
  directory: Sealing['directory'] = null;
  wraps: Record<string, string> = {};
  version = 0;
  /** Which history its versions belong to. */
  generation = 'g';
  /** Everything that arrived, as JSON. */
  readonly heard: string[] = [];
  /** What it says instead of its own state. */
  lie: ScopeSealing | null = null;
  isConfirmed = true;
  /** Contents of attachments that still wait, as it says. */
  filesLeft = 0;
  /** Says that it keeps wraps, and doesn't. */
  losesWraps = false;
  /** A step that it makes without an answer, once. */
  losesAnswerTo: SealingStep['step'] | null = null;
  /** How many requests about sealing still get an answer. */
  answers = Infinity;
  #wrapsVersion = 0;
  readonly #siblings = new SiblingIndex();
  readonly #devices = new Map<
    string,
    { readonly number: number; last: number; readonly results: Map<number, string> }
  >();
  readonly #listeners = new Set<LiveListener>();

  constructor(scope: Id, account: number) {
    this.scope = scope;
    this.account = account;
  }

  /** The network of one device. */
  transport(): Transport {
    return {
      sync: (request) => Promise.resolve(this.#sync(JSON.parse(JSON.stringify(request)) as SyncRequest)),
      snapshot: () => Promise.resolve(failed({ type: 'offline' })),
      listen: (on) => {
        this.#listeners.add(on);
        return () => this.#listeners.delete(on);
      },
    };
  }

  /** Tells open devices of everything after a version, as the live channel does. */
  tell(from: number): void {
    const change = this.#changes({ cursors: { [this.scope]: { generation: 'g', version: from } } });
    for (const on of this.#listeners) on.delta(change);
  }

  /** Values of a register, as they are kept. */
  values(register: string): readonly unknown[] {
    return [...this.rows.values()]
      .map((row) => registersOf(row)[register])
      .filter((value) => value !== undefined);
  }

  get left(): number {
    return [...this.rows.values()].reduce((sum, row) => sum + leftIn(this.state, row), 0);
  }

  readonly routes: SealingServer = {
    read: () => this.#answer(() => ok(this.#all())),
    step: ({ from, step, directory, wraps = {}, wrapsVersion }) =>
      this.#answer(() => {
        const isAsked = step !== 'finish' && step !== 'catch-up';
        if (isAsked && !this.isConfirmed) return refused('unconfirmed');
        if (wrapsVersion !== undefined && wrapsVersion !== this.#wrapsVersion) return refused('moved');
        const next =
          step === 'catch-up'
            ? this.#caughtUp(directory.body)
            : step === 'lists'
              ? ok((JSON.parse(directory.body) as { state: ScopeSealing }).state)
              : stepped(this.state, from, { step, left: this.left } as Parameters<typeof stepped>[2]);
        if (!next.ok) return refused(next.problem.type === 'not-now' ? 'refused' : next.problem.type);
        if (numberIn(directory) <= numberIn(this.directory)) return refused('moved');
        this.state = next.value;
        this.directory = directory;
        if (Object.keys(wraps).length > 0) this.#changeWraps(wraps);
        if (this.losesAnswerTo === step) {
          this.losesAnswerTo = null;
          return refused('offline');
        }
        return ok(this.#all());
      }),
    changeWraps: ({ wraps, wrapsVersion, directory }) =>
      this.#answer(() => {
        if (!this.isConfirmed) return refused('unconfirmed');
        if (wrapsVersion !== this.#wrapsVersion) return refused('moved');
        if (directory !== undefined && numberIn(directory) <= numberIn(this.directory))
          return refused('moved');
        this.directory = directory ?? this.directory;
        this.#changeWraps(wraps);
        return ok(this.#all());
      }),
    tell: (directory) =>
      this.#answer(() => {
        if (numberIn(directory) <= numberIn(this.directory)) return refused('moved');
        this.directory = directory;
        return ok(this.#all());
      }),
    left: (after, limit) =>
      this.#answer(() => {
        const ids = [...this.rows.keys()].toSorted().filter((id) => after === null || id > after);
        const page = ids.slice(0, limit);
        const rows = page.map((id) => this.rows.get(id) as Row).filter((row) => leftIn(this.state, row) > 0);
        const next = ids.length > limit ? (page.at(-1) ?? null) : null;
        return ok({ state: this.state, rows: rows.map((row) => structuredClone(rowToWire(row))), next });
      }),
    reencode: ({ items }) =>
      this.#answer(() => {
        this.heard.push(JSON.stringify(items));
        let done = 0;
        this.version += 1;
        for (const item of items) {
          const row = this.rows.get(item.id as Id);
          const next = row && reencoded(row, item, { state: this.state, version: this.version });
          if (next?.ok !== true) continue;
          this.#put(next.value);
          done += 1;
        }
        return ok({ done, skipped: [] });
      }),
    // Nothing is attached here: devices with files have to do with a whole server.
    formFile: () => this.#answer(() => refused('refused')),
  };

  #changeWraps(changes: Readonly<Record<string, string | null>>): void {
    this.#wrapsVersion += 1;
    for (const [name, wrap] of Object.entries(this.losesWraps ? {} : changes))
      if (wrap === null) Reflect.deleteProperty(this.wraps, name);
      else this.wraps[name] = wrap;
  }

  #caughtUp(body: string): ReturnType<typeof stepped> {
    const told = (JSON.parse(body) as { state: ScopeSealing }).state;
    const next = { phase: 'sealing', generation: told.generation } as const;
    return positionOf(next) > positionOf(this.state) ? ok(next) : failed({ type: 'not-now' });
  }

  /** The server is put back to what it held before. */
  restore(rows: ReadonlyMap<Id, Row>): void {
    for (const row of rows.values()) this.#put({ ...row, version: (this.version += 1) });
    this.state = neverSealed;
    this.directory = null;
  }

  #all(): Sealing {
    const { scope, state, directory, wraps, left } = this;
    const filesLeft = state.generation === 0 ? null : this.filesLeft;
    return {
      scope,
      state,
      directory,
      wraps: { ...wraps },
      left,
      filesLeft,
      at: { wrapsVersion: this.#wrapsVersion },
    };
  }

  #answer<T>(work: () => Result<T, SealingFailure>): Promise<Result<T, SealingFailure>> {
    this.answers -= 1;
    return Promise.resolve(this.answers < 0 ? refused('offline') : work());
  }

  #put(row: Row): void {
    this.#siblings.replace(this.rows.get(row.id), row);
    this.rows.set(row.id, row);
  }

  #sync(request: SyncRequest): TransportAnswer<SyncResponse> {
    this.heard.push(JSON.stringify(request.ops));
    const device = this.#deviceOf(request.device);
    const operations = request.ops as unknown as readonly SentOperation[];
    const isReseal = operations.some((operation) => this.#isLate(operation, request, device.number));
    const results = isReseal ? [] : operations.map((operation) => this.#judge(operation, device));
    const said = this.lie ?? this.state;
    return ok({
      serverNow: 1_000,
      deviceNumber: device.number,
      account: this.account,
      personalScope: this.scope,
      results,
      changes: [this.#changes(request)],
      left: [],
      minSchema: 1,
      ...(said.generation === 0 ? {} : { sealing: { [this.scope]: said } }),
      ...(isReseal ? { reseal: true } : {}),
    });
  }

  #deviceOf(id: string) {
    const known = this.#devices.get(id) ?? {
      number: this.#devices.size + 1,
      last: 0,
      results: new Map<number, string>(),
    };
    this.#devices.set(id, known);
    return known;
  }

  #isLate(operation: SentOperation, request: SyncRequest, device: number): boolean {
    const row = this.rows.get(operation.id);
    const type = operation.a === 'create' ? (operation['type'] as Row['type']) : row?.type;
    if (type === undefined) return false;
    const generation = request.sealed?.[this.scope] ?? 0;
    if (needsReseal(this.state, { generation, operation, type })) return true;
    if (operation.a !== 'note' || row === undefined || generation === 0) return false;
    const [version, , author] = registerStamp(row, 'notes');
    return version > operation.b && author !== device;
  }

  #judge(operation: SentOperation, device: ReturnType<SealedServer['deviceOf']>): [number, string] {
    const known = device.results.get(operation.q);
    if (known !== undefined) return [operation.q, known];
    this.version += 1;
    const context = {
      version: this.version,
      time: this.version,
      device: device.number,
      seq: operation.q,
      base: operation.b,
      scope: this.scope,
      account: this.account,
    };
    const verdict = this.#apply(operation, context);
    device.results.set(operation.q, verdict);
    return [operation.q, verdict];
  }

  /** Only names the type of what `#deviceOf` gives. */
  deviceOf(id: string) {
    return this.#deviceOf(id);
  }

  #apply(operation: SentOperation, context: Parameters<typeof apply>[2]): string {
    const row = this.rows.get(operation.id);
    if (operation.a === 'note') {
      if (row === undefined) return 'gone';
      const { version, time, device, seq } = context;
      this.#put(withRegister(row, 'notes', operation['text'], [version, time, device, seq]));
      return 'ok';
    }
    const state: ApplyState = {
      areKeysProvisional: () => false,
      row: (id) => this.rows.get(id),
      absence: () => 'unknown',
      neighbour: (...of) => this.#siblings.neighbour(...of),
      put: (changed) => this.#put(changed),
      checks: { register: () => null, creation: () => null },
    };
    return apply(state, operation as unknown as Operation, context);
  }

  #changes({ cursors }: Pick<SyncRequest, 'cursors'>): ScopeChanges {
    const from = cursors[this.scope]?.version ?? 0;
    const digest = new DigestSum();
    for (const { id, version } of this.rows.values()) digest.add(id, version);
    const rows = [...this.rows.values()].filter((row) => isKnown(row) && row.version > from);
    return {
      scope: this.scope,
      generation: this.generation,
      from,
      to: this.version,
      rows: rows.map((row) => structuredClone(rowToWire(row))),
      gone: [],
      more: false,
      digest: digest.value,
    };
  }
}
