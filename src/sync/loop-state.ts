// What the exchange with the server (sync-loop.ts) says of itself. Apart from it, because it is told before that is loaded.
import type { ServerTrouble } from './ports.ts';

export interface LoopState {
  /** Something has come of a request, be it that there is no network. */
  readonly asked: boolean;
  readonly online: boolean;
  readonly signedOut: boolean;
  /** Who has to be updated before anything can be exchanged; null while both speak one protocol. */
  readonly outdated: 'app' | 'server' | null;
  /** Why the last request was turned away by a server that can be reached. */
  readonly trouble: ServerTrouble | null;
  /** Rows are known to be missing: a scope is being read, or an answer said that there is more. */
  readonly fetching: boolean;
  /** Operations of the queue that the server has judged: they only wait for the rows they made. */
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
