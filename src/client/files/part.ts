// Attached files that wait on this device follow their tasks: the platform is told in which scopes they are now.
import type { Id } from '#core/ids.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { FilesPort, NamedContent } from './port.ts';

/** Scopes of the attachments that name a content: those that were not removed, or else the removed ones. */
function scopesOf({ replica }: Program, hash: string): readonly Id[] {
  const naming = [...replica.all()].filter((row) => row.type === 'attachment' && row.fields.hash === hash);
  const living = naming.filter((row) => !isTrashed(row));
  return [...new Set((living.length > 0 ? living : naming).map(({ scope }) => scope))];
}

function contentOf(row: Row): NamedContent[] {
  if (row.type !== 'attachment' || row.fields.hash === undefined) return [];
  const { hash, content } = row.fields;
  // Also where this device can't read what it opens to.
  const isSealed = (content !== undefined && content !== null) || lockedOf(row)?.['content'] !== undefined;
  return [{ scope: row.scope, hash, isSealed }];
}

class FollowedFiles {
  readonly #program: Program;
  #files: FilesPort | null = null;

  constructor(program: Program) {
    this.#program = program;
    program.engine
      .loaded()
      .then(() => program.platform.files())
      .then(
        (files) => this.#follow(files),
        // Without them nothing waits; they are asked for again where they are needed.
        () => undefined,
      );
  }

  #sendAgain(files: FilesPort): void {
    files.sendAgain([...this.#program.replica.all()].flatMap(contentOf));
  }

  /** Files of a scope that are still to be sent; those that the server refuses are not. */
  unsentIn(scope: Id): number {
    const states = [...(this.#files?.unsent.get() ?? [])];
    const waiting = states.flatMap(([hash, { type }]) => (type === 'refused' ? [] : [hash]));
    return waiting.filter((hash) => scopesOf(this.#program, hash).includes(scope)).length;
  }

  /** Attachments were made again, maybe in another list: what they contain is sent there from this device. */
  madeAgain(attachments: readonly Id[]): void {
    const rows = attachments.flatMap((id) => this.#program.replica.row(id) ?? []);
    const contents = rows.flatMap(contentOf);
    if (contents.length > 0) this.#files?.sendAgain(contents);
  }

  #follow(files: FilesPort): void {
    this.#files = files;
    const { engine, replica } = this.#program;
    files.follow({
      scopesOf: (hash) => scopesOf(this.#program, hash),
      isSealing(scope) {
        const { isApart, lists } = engine.facts();
        return scope === replica.scope ? isApart : lists?.[scope] !== undefined;
      },
    });
    // A server that was put back to a backup has lost what files contain since then, no matter who brings it their attachments back.
    this.#program.engine.restored.subscribe(() => this.#sendAgain(files));
  }
}

/** Tells the platform where attached files belong. */
export const followedFiles = definePart({
  name: 'Attached files',
  create: (program) => new FollowedFiles(program),
});
