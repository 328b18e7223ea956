// What was typed in comments and not sent, by task, and by comment for changes of one. It is kept on this device until it is sent
// or discarded, because a page may end without a word.
import { readRecord } from '#core/json.ts';
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { commentDraftsKey } from './drafts-key.ts';

/** Kept at once; the oldest go first. */
const MOST = 50;

/** The unsent comments of an account on this device. */
export class Drafts {
  readonly #preferences: Program['platform']['preferences'];
  readonly #key: string;

  constructor({ platform, replica }: Pick<Program, 'platform' | 'replica'>) {
    this.#preferences = platform.preferences;
    this.#key = commentDraftsKey(replica.account);
  }

  /** Null: nothing is kept of it. */
  of(id: Id): string | null {
    return this.#read().get(id) ?? null;
  }

  /** Keeps it in place of what was kept before; blank: nothing is kept. */
  keep(id: Id, text: string): void {
    const kept = this.#read();
    const wasKept = kept.delete(id);
    if (text.trim() === '') {
      if (!wasKept) return;
    } else kept.set(id, text);
    const last = [...kept].slice(-MOST);
    this.#preferences.set(this.#key, last.length === 0 ? '' : JSON.stringify(Object.fromEntries(last)));
  }

  #read(): Map<string, string> {
    const held = Object.entries(readRecord(this.#preferences.get(this.#key) ?? ''));
    return new Map(held.flatMap(([id, text]) => (typeof text === 'string' ? [[id, text] as const] : [])));
  }
}
