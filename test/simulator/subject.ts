// What the simulator drives: the production engine and the production exchange, or altered copies of them.
import type { createEngine } from '#sync/exchange/engine.ts';
import type { createExchange } from '#server/sync/exchange.ts';

export interface Subject {
  readonly createEngine: typeof createEngine;
  readonly createExchange: typeof createExchange;
}
