// Housekeeping: empties the trash and deletes expired data now and then. One run at a time; each part works in small steps
// between requests. Not here: backups (backups.ts).
import type { Id } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { OlderHistory } from '../data/history-groups/older-history.ts';
import type { Tables } from '../data/tables.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { Blobs } from '../files/blobs.ts';
import { forgetMacroRuns } from '../macro-runs/forgetting.ts';
import { forgetPairings } from '../pairing/pairings.ts';
import { sweepFiles } from '../files/sweep.ts';
import type { DeviceWatch } from './device-watch.ts';
import { eraseAccounts, type ErasurePorts } from './erasure.ts';
import { emptyLostRows } from './lost-rows.ts';
import { flattenQuietNotes, forgetNoteEpochs, type NotesPorts } from './notes.ts';
import { keepOlder } from './older-history.ts';
import { createPace } from './pace.ts';
import {
  dateUndated,
  forgetHistory,
  forgetParked,
  forgetPublicLinks,
  forgetResults,
  forgetSessions,
  forgetTombstones,
  type PruningPorts,
} from './pruning.ts';
import { emptyTrash, type TrashPorts } from './trash.ts';

/** How much was removed. */
export interface CareReport {
  readonly rows: number;
  readonly tombstones: number;
  /** Personal rows of what their person may no longer read, emptied. */
  readonly emptied: number;
  readonly history: number;
  /** Entries of the history that went to another database. */
  readonly historyCopied: number;
  readonly sessions: number;
  readonly results: number;
  /** Notes flattened to plain text, and old base texts forgotten. */
  readonly notes: number;
  readonly noteEpochs: number;
  readonly parked: number;
  /** Public links that were deleted long ago. */
  readonly publicLinks: number;
  /** Runs of macros that are over. */
  readonly macroRuns: number;
  readonly pairings: number;
  readonly accounts: number;
  readonly files: number;
}

/** Runs housekeeping on demand; server.ts schedules it. */
export interface Care {
  /** Rejects with `Interrupted` after `stop`. A call during a run waits for that run. */
  run(): Promise<CareReport>;
  /** Ends a run after its present step; resolves when it has ended. */
  stop(): Promise<void>;
}

/** What the parts of housekeeping need. `trashDays`: how long deleted things can be restored. */
export interface CarePorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly exchange: Pick<Exchange, 'purge' | 'flatten' | 'carryOut'>;
  readonly devices: Pick<DeviceWatch, 'save'>;
  readonly ledger: ErasurePorts['ledger'];
  readonly letters: ErasurePorts['letters'];
  readonly blobs: Blobs;
  readonly spool: ErasurePorts['spool'];
  readonly billing: ErasurePorts['billing'];
  /** Absent or null: all history is in the database itself. */
  readonly older?: OlderHistory | null;
  /** Hears of what could not be done in a database of older history. */
  readonly onOlderError?: (error: unknown) => void;
  readonly trashDays: number;
  readonly newId: () => Id;
  readonly nextTurn: (work: () => void) => void;
  /** Whether this process still is the one that keeps the house; absent: it always is. */
  readonly mayGoOn?: () => boolean;
}

/** Housekeeping over all its parts, in a fixed order. */
export function createCare(ports: CarePorts): Care {
  const { db, clock, exchange, devices, trashDays } = ports;
  const purge: TrashPorts['purge'] = (request) => exchange.purge(request);
  const flatten: NotesPorts['flatten'] = (request) => exchange.flatten(request);
  const pace = createPace((work) => ports.nextTurn(work), ports.mayGoOn);
  let running: Promise<CareReport> | null = null;

  async function work(): Promise<CareReport> {
    const now = Math.round(clock.now());
    const pruning: PruningPorts = { db, pace, now };
    await devices.save();
    await dateUndated(pruning);
    const { older = null, onOlderError: onError = () => undefined } = ports;
    const keepHistory = async () => {
      const history = await forgetHistory(pruning);
      if (older === null) return { history, historyCopied: 0 };
      const { forgotten, copied } = await keepOlder({ older, pace, now, onError });
      return { history: history + forgotten, historyCopied: copied };
    };
    return {
      rows: await emptyTrash({ db, pace, purge }, now - trashDays * DAY_MS),
      emptied: await emptyLostRows({ ...pruning, exchange, newId: ports.newId }),
      tombstones: await forgetTombstones(pruning),
      ...(await keepHistory()),
      sessions: await forgetSessions(pruning),
      results: await forgetResults(pruning),
      notes: await flattenQuietNotes({ ...pruning, flatten }),
      noteEpochs: await forgetNoteEpochs(pruning),
      parked: await forgetParked(pruning),
      publicLinks: await forgetPublicLinks(pruning),
      macroRuns: await forgetMacroRuns(db, now),
      pairings: await forgetPairings(db, now),
      accounts: await eraseAccounts({
        ...pruning,
        ledger: ports.ledger,
        letters: ports.letters,
        spool: ports.spool,
        billing: ports.billing,
        older,
      }),
      files: await sweepFiles({ ...pruning, blobs: ports.blobs }),
    };
  }

  return {
    run() {
      running ??= work().finally(() => {
        running = null;
      });
      return running;
    },
    async stop() {
      pace.stop();
      // The caller that started the run gets its error.
      await running?.catch(() => undefined);
    },
  };
}
