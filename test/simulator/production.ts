// The production code as the simulator drives it.
import { createEngine } from '#sync/exchange/engine.ts';
// What the engine loads when it needs it is here from the start: time in a history is not that of a disk.
import '#sync/exchange/sync-loop.ts';
import { createExchange } from '#server/sync/exchange.ts';
import type { Subject } from './subject.ts';

export const production: Subject = { createEngine, createExchange };
