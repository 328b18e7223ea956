// Where people are in shared lists, as the live connection carries it. The platform implements it in
// web/platform/account/presence-port.ts; one page of a browser has the connection, and carries it for the others.
import type { Here, There } from '#wire/presence.ts';

/** A place to be told, without what the platform adds. */
export type SaidPlace = Omit<Here, 'type' | 'page'>;

/** What the connection brings. Any of it may be lost, late or doubled. */
export interface PresenceListener {
  there(news: There): void;
  /** The connection ended: nothing is known of anybody until it is back. */
  closed(): void;
  /** The page can be seen now, or cannot. Called at once where it cannot. */
  seen(isSeen: boolean): void;
}

/** Says where this page's person is, and hears where others are. */
export interface PresencePort {
  /** Returns the unsubscription. */
  listen(on: PresenceListener): () => void;
  /** Returns at once; nobody may hear it. */
  say(place: SaidPlace): void;
}
