// Leaving a shared list, and what happens here when a list is no longer on this device: undo of it is dropped with words, and
// who was in it stands in the Inbox.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import type { Program } from '../app/program.ts';
import { followedFiles } from '../files/part.ts';
import { isOffline } from './needs.ts';

/** How long unsent changes are waited for. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 200;

/** Changes of any list, and files of this one, that the server does not have; empty: there are none. */
function unsentWords(program: Program, list: Id): string {
  const changes = program.engine.facts().pending.length;
  const scope = program.replica.row(list)?.scope;
  const files = scope === undefined ? 0 : program.part(followedFiles).unsentIn(scope);
  const all = [changes === 0 ? [] : counted(changes, 'change'), files === 0 ? [] : counted(files, 'file')];
  return all.flat().join(' and ');
}

/**
 * Sends what is unsent, then goes on with null; with a sentence where that does not come about: who leaves could not send it
 * anymore. Returns what is to be said meanwhile; null: nothing has to be sent.
 */
export function whenSent(program: Program, list: Id, then: (problem: string | null) => void): string | null {
  if (isOffline(program)) {
    then('Leaving needs a connection, so that everything you wrote gets there first. Leave when connected.');
    return null;
  }
  const unsent = unsentWords(program, list);
  if (unsent === '') {
    then(null);
    return null;
  }
  program.engine.nudge();
  const until = program.replica.now() + PATIENCE_MS;
  const look = () => {
    const left = unsentWords(program, list);
    if (left === '') then(null);
    else if (isOffline(program) || program.replica.now() > until)
      then(`${left} didn’t get to the server yet. Leave when connected.`);
    else program.after(LOOK_MS, look);
  };
  program.after(LOOK_MS, look);
  return `Sending ${unsent} first…`;
}

/** Drops undo of a scope that is no longer here. Returns a sentence about it; empty: there was none. */
export function dropUndo({ undo }: Program, scope: Id): string {
  const dropped = undo.forget(({ steps }) =>
    steps.every(({ operations }) => operations.every((operation) => operation.scope === scope)),
  );
  return dropped === 0 ? '' : ` ${counted(dropped, 'change')} in it can’t be undone anymore.`;
}

/** Opens the Inbox if the open place is the list or beneath it. Call it while its rows are still here. */
export function leavePlace(program: Program, list: Id): void {
  const { place, inbox } = program.workspace;
  if (place.type === 'trash') return;
  const isInside = place.id === list || program.workspace.hasAncestorIn(place.id, new Set([list]));
  if (isInside) program.open({ type: 'list', id: inbox });
}
