// Pages of the server's history: the address to ask and the answer checked. Needed when somebody looks; no part of the
// first load.
import type { AccountFailure, HistoryQuery } from '#client/app/app.ts';
import { type HistoryPage, historyPageSchema } from '#wire/history.ts';
import type { Reply } from './http.ts';

export function historyPath({ scope, id, under, before, limit }: HistoryQuery): string {
  const query = new URLSearchParams();
  if (id !== undefined) query.set('id', id);
  if (under !== undefined) query.set('under', under);
  if (before !== null) query.set('before', String(before));
  if (limit !== undefined) query.set('limit', String(limit));
  return `/history/${scope}?${query}`;
}

/** Null when the answer is not what was asked for. */
export function readHistory(body: unknown): HistoryPage | null {
  const read = historyPageSchema.safeParse(body);
  return read.success ? read.data : null;
}

/** A scope that this person may not read, or no longer. */
export function failureOfHistory(reply: Reply, failure: AccountFailure): AccountFailure {
  const isGone = reply.type === 'answer' && reply.status === 404;
  return isGone ? { type: 'gone', message: 'You’re no longer in this list.' } : failure;
}

/** Whether something in a page looks sealed: what opens it is loaded only then. */
export function mayBeSealed({ entries }: HistoryPage): boolean {
  return entries.some((entry) => JSON.stringify(entry).includes('{"e":"'));
}
