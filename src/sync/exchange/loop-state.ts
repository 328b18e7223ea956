// The state that the exchange with the server (sync-loop.ts) reports. Separate, because it is needed before that is
// loaded.
import type { SyncTrouble } from '../replica/ports.ts';

/** The state of the exchange with the server. Filled by the sync loop; `NOT_HEARD` until it runs. */
export interface LoopState {
  /** A request has had a result, even if there was no network. */
  readonly asked: boolean;
  readonly online: boolean;
  readonly signedOut: boolean;
  /** The side that has to be updated before anything can be exchanged; null while both speak one protocol. */
  readonly outdated: 'app' | 'server' | null;
  /** Why a reachable server turned away the last request, or changes could not go with it. */
  readonly trouble: SyncTrouble | null;
  /** Rows are known to be missing: a scope is being read, or an answer said that there is more. */
  readonly fetching: boolean;
  /** Number of queued operations that the server has judged: they only wait for their rows. */
  readonly judged?: number;
}

/** Before the first answer. */
export const NOT_HEARD: LoopState = {
  asked: false,
  online: false,
  signedOut: false,
  outdated: null,
  trouble: null,
  fetching: false,
};
