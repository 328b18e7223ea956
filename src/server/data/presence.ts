// Which processes serve a database now, what they say of themselves to each other, and which of them leads. What is served is one
// run of the installation as long as somebody is there: what was put back meanwhile can only have been put back while nobody was.

/** While this process cannot know whether what it serves is still the present state. Works again by itself, or never. */
export class NotPresentError extends Error {
  constructor() {
    super('The database does not count this server among those that serve it. It is being asked again.');
  }
}

/** Something would be put to use that not every server of the database understands. It can be when all of them do. */
export class NotActivatedError extends Error {
  constructor() {
    super(
      'This is too new: not every server of this database understands it. It works when all are upgraded.',
    );
    this.name = 'NotActivatedError';
  }
}

/** Another server, an older state or another run of the database answers at its address. What this process knows is of no use. */
export class OtherDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OtherDatabaseError';
  }
}

/** This process does not go together with the others of its database: it must not serve it, and only a restart can help. */
export class NodeRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NodeRefusedError';
  }
}

/** What a server says of itself to the others of its database. */
export interface NodeSelf {
  /** Of this run of the process. */
  readonly id: string;
  /** Version of the program. */
  readonly build: string;
  /** The newest protocol that it understands. */
  readonly protocol: number;
  /** Of the key that it opens sealed secrets with. */
  readonly keyFingerprint: string;
  /** The bucket that its files are in; null: its own folder. */
  readonly bucket: string | null;
}

/** What a process brings along. */
export interface Entering {
  /** Begins a run of the installation. Called when nobody else is there; nobody else comes before it has ended. */
  begin(): Promise<void>;
  /** Nonce of the generation that this process knows as the current one. */
  current(): string | undefined;
  /** Absent: it is not one of the servers that tell each other of themselves, and never leads. */
  readonly self?: NodeSelf;
  /**
   * Called before this process is there, also when it comes back, with the others that are. Rejects: it may not come.
   * `activated`: the newest protocol that is in use.
   */
  admit?(others: readonly NodeSelf[], activated: number): Promise<void>;
}

/** Whether this process does what only one of several may do. */
export interface Leadership {
  /** The number of this leadership, larger than that of any earlier one; null: another process leads, or nobody does. */
  readonly term: number | null;
  /** Calls back at once, in the same turn, when that changes. Returns how to end it. */
  watch(listener: () => void): () => void;
}

/** The place of this process among those that serve the database. */
export interface Presence {
  /**
   * Resolves when this process is there: after `begin` ('first'), or because somebody was ('joined'). Rejects, being
   * there no more than before, with the failure of `begin` or `admit`, and when somebody else does not come to an end of it.
   */
  enter(entering: Entering): Promise<'first' | 'joined'>;
  /** Whether others are there. Asked before this process is. */
  isServed(): Promise<boolean>;
  /** It was there and may not be now: somebody else may have begun a run. False before it entered. */
  readonly isLost: boolean;
  readonly leadership: Leadership;
  /** Ids of the servers that are there, this one among them. Rejects while this one is not. */
  living(): Promise<readonly string[]>;
  leave(): Promise<void>;
}

/** For a database that one process holds: it is always the first, and leads. */
export const soleProcess: Presence = {
  async enter(entering) {
    await entering.begin();
    return 'first';
  },
  isServed: () => Promise.resolve(false),
  isLost: false,
  leadership: { term: 0, watch: () => () => undefined },
  living: () => Promise.resolve([]),
  leave: () => Promise.resolve(),
};
