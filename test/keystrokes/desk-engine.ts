// What a desk runs on: a real replica, and an engine without disk or network beneath it. The app reads through the facade, as ever.
import { randomFillSync } from 'node:crypto';
import { registerChecks } from '#wire/registers.ts';
import { inboxId, type Id } from '#core/ids.ts';
import type { Action, Operation, Verdict } from '#sync/rows/operation.ts';
import { receive } from '#sync/exchange/taking-in.ts';
import { changesSince, madeSince, markOf } from '#sync/replica/detached.ts';
import { createFacade } from '#sync/exchange/facade.ts';
import { removeForGood } from '#sync/replica/emptying.ts';
import type { TrashItem } from '#sync/replica/replica-types.ts';
import { Journal } from '#sync/replica/journal.ts';
import type { JournalEntry, RecoveredItem } from '#sync/replica/ports.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import type { DetachedChanges, Engine, Replica, SyncFacts, SyncState } from '#sync/replica/replica-types.ts';
import { watched } from '#sync/replica/watched.ts';
import type { Timers } from './timers.ts';

/** 27 November 2026, a Friday, 09:00 UTC. */
export const START = Date.UTC(2026, 10, 27, 9);

export const SCOPE = '0193b3a0-0000-7000-8000-000000000001' as Id;

export function createReplica(
  timers: Timers,
  fill: (bytes: Uint8Array) => void = (bytes) => void randomFillSync(bytes),
  account = 0,
): DeviceReplica {
  const meta = {
    device: '0193b3a0-0000-7000-8000-000000000002' as Id,
    deviceNumber: 0,
    scope: SCOPE,
    account,
    seq: 0,
    acked: 0,
    cursors: {},
    clockOffsetMs: 0,
  };
  const clock = { now: () => START + timers.now, monotonic: () => timers.now };
  const replica = new DeviceReplica(meta, [], {
    checks: registerChecks,
    clock,
    random: { fill, fraction: () => 0.5 },
  });
  replica.issue([
    {
      a: 'create',
      id: inboxId(SCOPE),
      type: 'list',
      fields: { listType: 'inbox', name: 'Inbox' },
      place: { parent: SCOPE },
    },
  ]);
  return replica;
}

/** An engine without disk or network: the replica alone decides. */
export class DeskEngine implements Engine {
  readonly replica: Replica;
  /** The rows as they are stored. */
  readonly held: DeviceReplica;
  sync: SyncState = { type: 'local' };
  refusals: readonly RecoveredItem[] = [];
  readonly #listeners = new Set<() => void>();
  nudges = 0;

  readonly journal: Journal;

  /** `journaled`: what an earlier run left. */
  constructor(replica: DeviceReplica, timers: Timers, journaled: readonly JournalEntry[] = []) {
    this.held = replica;
    this.replica = createFacade(replica, () => undefined);
    this.journal = new Journal({
      storage: { journal: () => Promise.resolve(journaled) },
      clock: { now: () => START + timers.now, monotonic: () => timers.now },
      timers,
      device: () => replica.meta.device,
      lane: () => replica.lane,
      save: () => undefined,
    });
    if (journaled.length === 0) this.journal.begin();
  }

  readonly state = {
    get: () => this.sync,
    subscribe: (listener: () => void) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  };

  readonly restored = watched(0);

  /** What is said to be known besides what the replica says. */
  known: Partial<SyncFacts> = {};

  facts(): SyncFacts {
    const { meta, pending } = this.held;
    const { device, deviceNumber, acked, clockOffsetMs } = meta;
    const plain = { device, deviceNumber, acked, clockOffsetMs, pending };
    const { detached = null } = meta;
    const unheard = { unsaved: 0, heardAt: null, digest: 'unknown', unreadable: 0, isWhole: true } as const;
    const isApart = meta.apart === true;
    return { ...plain, ...unheard, trashDays: null, detached, isApart, features: [], ...this.known };
  }

  unsaved = () => [];
  contents = () => {
    const { meta, pending } = this.held;
    return { meta, outboxAdd: [...pending], rowsPut: this.held.stored(), recoveredAdd: this.refusals };
  };

  detach(): void {
    this.held.setDetached(markOf(this.held.meta, this.held.now()));
    this.#sayDetached();
  }

  detachedChanges = () => changesSince(this.held);

  attach(kept: DetachedChanges): boolean {
    const made = madeSince(this.held) ?? [];
    const seqs = new Set(kept.operations.map(({ q }) => q));
    if (made.some(({ q }) => !seqs.has(q))) return false;
    this.held.setDetached(null);
    this.held.withdraw(seqs);
    this.setSync({ type: 'synced' });
    return true;
  }

  #sayDetached(): void {
    const made = madeSince(this.held)?.length ?? 0;
    this.setSync({ type: 'detached', waiting: this.held.pending.length - made, made });
  }

  readonly #recoveredListeners = new Set<() => void>();
  readonly recovered = {
    get: () => this.refusals,
    subscribe: (listener: () => void) => {
      this.#recoveredListeners.add(listener);
      return () => this.#recoveredListeners.delete(listener);
    },
  };

  /** As an answer of the server that refused waiting operations: they are no longer shown, and kept with their content. */
  refuse(verdicts: ReadonlyMap<Operation, Verdict>): void {
    const results = [...verdicts].map(([{ q }, verdict]) => [q, verdict] as const);
    const answer = { results, changes: [], left: [], deviceNumber: 1, clockOffsetMs: 0 };
    this.refusals = [...this.refusals, ...receive(this.held, answer).refused];
    for (const listener of this.#recoveredListeners) listener();
  }

  setSync(state: SyncState): void {
    this.sync = state;
    for (const listener of this.#listeners) listener();
  }

  dropRecovered(seqs: readonly number[]): void {
    this.refusals = this.refusals.filter(({ operation }) => !seqs.includes(operation.q));
  }

  recover(action: Action): void {
    const operation = this.held.setAside(action);
    this.refusals = [...this.refusals, { operation, verdict: 'superseded', at: START }];
  }

  emptyTrash(items: readonly TrashItem[]): Promise<void> {
    const gone = removeForGood(this.held, items);
    this.journal.forget(gone);
    return Promise.resolve();
  }

  nudge(): void {
    this.nudges += 1;
  }

  open = () => Promise.resolve();
  loaded = () => Promise.resolve();
  flushed = () => Promise.resolve();
  close = () => Promise.resolve();
}
