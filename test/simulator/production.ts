// The production code as the simulator drives it.
import { createEngine } from '#sync/engine.ts';
import { createExchange } from '#server/sync/exchange.ts';
import type { Subject } from './subject.ts';

export const production: Subject = { createEngine, createExchange };
