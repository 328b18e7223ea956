// Tasks that were shown, found by the end of their id: people type that instead of a whole id.
import * as z from 'zod/mini';
import { parseId } from '#core/ids.ts';
import { Failure } from './failure.ts';
import type { PrivateFolder } from './private-folder.ts';

const FILE = 'seen.json';
const MOST = 5_000;
const SHORTEST = 4;
const SHOWN = 6;

const seenSchema = z.object({ ids: z.array(z.string()) });

/** The end of an id, as it is shown and typed. */
export const shortId = (id: string) => id.slice(-SHOWN);

export class Seen {
  readonly #folder: PrivateFolder;

  constructor(folder: PrivateFolder) {
    this.#folder = folder;
  }

  add(tasks: readonly { readonly id: string }[]): void {
    const known = this.#folder.read(FILE, seenSchema)?.ids ?? [];
    const ids = [...new Set([...tasks.map(({ id }) => id), ...known])].slice(0, MOST);
    if (ids.length !== known.length || ids.some((id, at) => id !== known[at]))
      this.#folder.write(FILE, { ids });
  }

  /** Null: no task shown has this ending. */
  find(text: string): string | null {
    const whole = parseId(text);
    if (whole !== null) return whole;
    const end = text.toLowerCase();
    if (end.length < SHORTEST || !/^[0-9a-f-]+$/.test(end)) return null;
    const [id, ...more] = (this.#folder.read(FILE, seenSchema)?.ids ?? []).filter((each) =>
      each.endsWith(end),
    );
    if (more.length > 0) throw new Failure('missing', `Several tasks end in ${text}. Type more of the id.`);
    return id ?? null;
  }

  task(text: string): string {
    const id = this.find(text);
    if (id !== null) return id;
    throw new Failure('missing', `“${text}” isn't a task you've listed. See: posthaste list`);
  }
}
