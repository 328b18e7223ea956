// The production code as the simulator drives it.
import { createEngine } from '#sync/exchange/engine.ts';
// What the engine loads when it needs it is here from the start: time in a history is not that of a disk.
import '#sync/exchange/sync-loop.ts';
import { createMover } from '#server/moving/mover.ts';
import { createExchange } from '#server/sync/exchange.ts';
import * as takingIn from '#sync/exchange/taking-in.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import { Verdicts } from '#sync/replica/verdicts.ts';
import { SqliteStore } from '#server/data/sqlite/sqlite-store.ts';
import * as unknownScopes from '#sync/exchange/unknown-scopes.ts';
import type { ScopesSubject } from './scope-bench.ts';
import type { Subject } from './subject.ts';

/** As histories of several scopes drive it. */
export const scopesProduction: ScopesSubject = {
  DeviceReplica,
  takingIn,
  unknownScopes,
  Verdicts,
  createExchange,
  createMover,
  SqliteStore,
};

export const production: Subject = { createEngine, createExchange };
