// Movement in a list: one entry, a page, or to an end. Shared by the lists of all dialogs.

/** A movement of the active entry in a list. */
export type ListMove = 'down' | 'up' | 'pageDown' | 'pageUp' | 'first' | 'last';

const MOVES: ReadonlySet<string> = new Set<ListMove>(['down', 'up', 'pageDown', 'pageUp', 'first', 'last']);

const isMove = (text: string): text is ListMove => MOVES.has(text);

/** The move of a command such as `options.down`; null: the command is no move. */
export function moveOf(command: string): ListMove | null {
  const name = command.replace(/^options\./, '');
  return name !== command && isMove(name) ? name : null;
}

/** Entries per page. */
const PAGE = 8;

/** The target index of a move; it may be beyond the ends. */
export function aimedAt(index: number, count: number, move: ListMove): number {
  switch (move) {
    case 'down':
      return index + 1;
    case 'up':
      return index - 1;
    case 'pageDown':
      return index + PAGE;
    case 'pageUp':
      return index - PAGE;
    case 'first':
      return 0;
    case 'last':
      return count - 1;
  }
}

/** The index after a move; it stops at the ends. 0 in an empty list. */
export function movedTo(index: number, count: number, move: ListMove): number {
  return Math.max(0, Math.min(count - 1, aimedAt(index, count, move)));
}
