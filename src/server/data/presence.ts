// Which processes serve a database now. What is served is one run of the installation as long as somebody is there: what was
// put back meanwhile can only have been put back while nobody was.

/** While this process cannot know whether what it serves is still the present state. Works again by itself, or never. */
export class NotPresentError extends Error {
  constructor() {
    super('The database does not count this server among those that serve it. It is being asked again.');
  }
}

/** What a process brings along. */
export interface Entering {
  /** Begins a run of the installation. Called when nobody else is there; nobody else comes before it has ended. */
  begin(): Promise<void>;
  /** Nonce of the generation that this process knows as the current one. */
  current(): string | undefined;
}

/** The place of this process among those that serve the database. */
export interface Presence {
  /**
   * Resolves when this process is there: after `begin` ('first'), or because somebody was ('joined'). Rejects, being
   * there no more than before, with the failure of `begin`, and when somebody else does not come to an end of it.
   */
  enter(entering: Entering): Promise<'first' | 'joined'>;
  /** It was there and may not be now: somebody else may have begun a run. False before it entered. */
  readonly isLost: boolean;
  leave(): Promise<void>;
}

/** For a database that one process holds: it is always the first. */
export const soleProcess: Presence = {
  async enter(entering) {
    await entering.begin();
    return 'first';
  },
  isLost: false,
  leave: () => Promise.resolve(),
};
