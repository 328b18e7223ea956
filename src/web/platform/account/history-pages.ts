// Pages of the server's history: the address to ask and the answer checked. Needed when somebody looks; no part of the
// first load.
import type { HistoryQuery } from '#client/app/app.ts';
import { type HistoryPage, historyPageSchema } from '#wire/history.ts';

export function historyPath({ scope, id, under, before }: HistoryQuery): string {
  const query = new URLSearchParams();
  if (id !== undefined) query.set('id', id);
  if (under !== undefined) query.set('under', under);
  if (before !== null) query.set('before', String(before));
  return `/history/${scope}?${query}`;
}

/** Null when the answer is not what was asked for. */
export function readHistory(body: unknown): HistoryPage | null {
  const read = historyPageSchema.safeParse(body);
  return read.success ? read.data : null;
}
