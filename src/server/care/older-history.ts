// Housekeeping of the history that lies in other databases: what is due goes there, what was removed is removed there, and what is too
// old is forgotten there. A group that is away keeps nothing else waiting.
import type { OlderHistory, OlderReport } from '../data/history-groups/older-history.ts';
import { Interrupted, type Pace } from './pace.ts';
import { forgetHistory } from './pruning.ts';

/** What it needs. */
export interface OlderPorts {
  readonly older: Pick<OlderHistory, 'names' | 'run' | 'tables'>;
  readonly pace: Pace;
  readonly now: number;
  /** Hears of each thing that could not be done. It is tried again with the next run. */
  readonly onError: (error: unknown) => void;
}

/** Resolves with what was done, and how many entries were forgotten. */
export async function keepOlder({
  older,
  pace,
  now,
  onError,
}: OlderPorts): Promise<OlderReport & { readonly forgotten: number }> {
  const told = (error: unknown) => {
    if (error instanceof Interrupted) throw error;
    onError(error);
  };
  const report = await older.run({ now, rest: () => pace.rest(), onError: told });
  let forgotten = 0;
  for (const name of older.names) {
    try {
      forgotten += await forgetHistory({ db: await older.tables(name), pace, now });
    } catch (error) {
      told(error);
    }
  }
  return { ...report, forgotten };
}
