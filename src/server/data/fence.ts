// The fence around what only the leader of several servers does: every transaction of such work, and every statement outside one
// that writes, checks in the database that the leadership it began under is the present one. A server that was stopped in the
// middle, and doesn't know yet that another one leads, writes nothing.
import { AsyncLocalStorage } from 'node:async_hooks';

interface Fence {
  readonly term: number;
  /** What such work leaves behind (timers, listeners) is no part of it any more. */
  isOver: boolean;
}

/** Another server leads by now. Nothing was written. */
export class DeposedError extends Error {
  constructor() {
    super('Another server of this database leads now. This one has stopped what only the leader does.');
    this.name = 'DeposedError';
  }
}

const fences = new AsyncLocalStorage<Fence>();

/** Runs `work`, and what it awaits, as that of the leadership `term`. */
export async function fenced<T>(term: number, work: () => Promise<T>): Promise<T> {
  const fence: Fence = { term, isOver: false };
  try {
    return await fences.run(fence, work);
  } finally {
    fence.isOver = true;
  }
}

/** Runs `work` as part of nothing: for what is done for others too, whoever asked for it. */
export function unfenced<T>(work: () => T): T {
  return fences.exit(work);
}

/** The leadership that the running work is part of; null: none. */
export function fencedTerm(): number | null {
  const fence = fences.getStore();
  return fence === undefined || fence.isOver ? null : fence.term;
}
