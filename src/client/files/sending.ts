// Sending attached files that wait on this device: to which scope each goes, and that one that cannot go holds up no other.
// Their queue and the request are the platform's (web/platform/storage/file-store.ts).
import type { Id } from '#core/ids.ts';

/** Content that the server does not have. */
export interface UnsentFile {
  /** Where the task was when the file was attached. */
  readonly scope: Id;
  readonly hash: string;
  /** What the server said when it refused it; null: it was not refused. */
  readonly refused: string | null;
  /** It was sealed before it was kept. */
  readonly sealed?: true;
}

/** What became of one attempt. */
export type Sent =
  | { readonly type: 'sent' }
  /** Nobody answers: the others wait, too. */
  | { readonly type: 'later' }
  /** The account may not write there, or not anymore. */
  | { readonly type: 'noScope' }
  | { readonly type: 'refused'; readonly message: string };

/** The queue of a platform. */
export interface Outgoing {
  /** Everything that waits, as it is now. */
  unsent(): Promise<readonly UnsentFile[]>;
  /** Whether a file waits for being sealed, which isn't done here (sync/sealing/file-walk.ts). */
  isHeld(file: UnsentFile, to: Id): boolean;
  /** Scopes of the attachments that name the content. */
  scopesOf(hash: string): readonly Id[];
  /** `gone`: the content is no longer on this device. */
  send(file: UnsentFile, to: Id): Promise<Sent | { readonly type: 'gone' }>;
  /** It waits no longer. */
  drop(file: UnsentFile): Promise<void>;
  refuse(file: UnsentFile, message: string): Promise<void>;
}

const keyOf = ({ scope, hash }: UnsentFile, to: Id) => `${scope} ${hash} ${to}`;

/** Sends what waits, as often as it is asked to. What had no scope is tried again where its task goes to another one. */
export class FileSending {
  readonly #queue: Outgoing;
  readonly #without = new Set<string>();

  constructor(queue: Outgoing) {
    this.#queue = queue;
  }

  /** Everything may be tried again, such as after a start or where a person asks for it. */
  forget(): void {
    this.#without.clear();
  }

  /** True when nothing is left that could be sent later. */
  async run(): Promise<boolean> {
    for (;;) {
      const waiting = (await this.#queue.unsent()).filter(({ refused }) => refused === null);
      const next = waiting.find((file) => this.#mayGo(file, this.#targetOf(file)));
      if (next === undefined) return waiting.length === 0;
      const to = this.#targetOf(next);
      const sent = await this.#queue.send(next, to);
      if (sent.type === 'later') return false;
      if (sent.type === 'noScope') this.#without.add(keyOf(next, to));
      else if (sent.type === 'refused') await this.#queue.refuse(next, sent.message);
      else await this.#queue.drop(next);
    }
  }

  #mayGo(file: UnsentFile, to: Id): boolean {
    return !this.#queue.isHeld(file, to) && !this.#without.has(keyOf(file, to));
  }

  /** Where its task is now: it may have moved since the file was attached. */
  #targetOf({ scope, hash }: UnsentFile): Id {
    const scopes = this.#queue.scopesOf(hash);
    return scopes.includes(scope) ? scope : (scopes[0] ?? scope);
  }
}
