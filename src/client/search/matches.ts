// Jumps from match to match of the last search within the open place: collapsed tasks are searched too, and expanded at
// a match. Very many tasks are searched in portions.
import type { Id } from '#core/ids.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { setCollapsed } from '../commands/folding.ts';
import { tellSelected } from '../app/spoken.ts';
import { quoted } from '../text/editor.ts';
import { within } from '../app/portions.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { findingOf } from './searching.ts';

/** Milliseconds of searching within a key, and after each frame. */
const PORTION_MS = 8;
/** Tasks checked between two looks at the clock. */
const STRIDE = 64;

interface Going {
  readonly step: 1 | -1;
  /** The selection is extended. */
  readonly extends: boolean;
}

/**
 * Walks the lines of the open place in order, including collapsed ones in a tree; starting at one, and wrapping around
 * to it.
 */
class Walk {
  readonly #program: Program;
  readonly #step: 1 | -1;
  readonly #from: Id;
  #at: Id;
  /** Its line where there is no tree: a task may have several. */
  #line: number;
  readonly #first: number;
  /** How often it wrapped around. */
  wraps = 0;

  constructor(program: Program, from: Id, step: 1 | -1) {
    this.#program = program;
    this.#from = from;
    this.#at = from;
    this.#line = program.workspace.cursorIndex;
    this.#first = this.#line;
    this.#step = step;
  }

  next(): Id | null {
    const beyond = this.#beyond();
    if (beyond === null) this.wraps += 1;
    const next = beyond ?? this.#end();
    if (next !== null) this.#at = next;
    return next;
  }

  /** At the line where it began, or beyond it for the second time. */
  get isAround(): boolean {
    return this.wraps > 1 || (this.#isTree ? this.#at === this.#from : this.#line === this.#first);
  }

  get #isTree(): boolean {
    const { outline } = this.#program.workspace;
    return outline.isTree && outline.isSorted !== true;
  }

  #beyond(): Id | null {
    const { outline } = this.#program.workspace;
    if (this.#isTree) return this.#step > 0 ? this.#below(this.#at) : this.#above(this.#at);
    this.#line += this.#step;
    return outline.at(this.#line) ?? null;
  }

  /** Where the walk wraps around to. */
  #end(): Id | null {
    const { outline, root } = this.#program.workspace;
    if (!this.#isTree || root === null) {
      this.#line = this.#step > 0 ? 0 : outline.length - 1;
      return outline.at(this.#line) ?? null;
    }
    if (this.#step < 0) return this.#last(root);
    return this.#program.workspace.children.of(root).items[0]?.id ?? null;
  }

  #below(id: Id): Id | null {
    const { children, root, replica } = this.#program.workspace;
    const [first] = children.of(id).items;
    if (first) return first.id;
    for (const row of rowAndAbove(replica.row(id), (above) => replica.row(above))) {
      if (row.id === root) break;
      const next = children.neighbour(row, 1);
      if (next !== undefined) return next;
    }
    return null;
  }

  #above(id: Id): Id | null {
    const { children, root, replica } = this.#program.workspace;
    const row = replica.row(id);
    if (!row) return null;
    const previous = children.neighbour(row, -1);
    if (previous !== undefined) return this.#last(previous);
    const parent = placeOf(row)?.parent;
    return parent === undefined || parent === root ? null : parent;
  }

  /** The last line under it, or itself. */
  #last(id: Id): Id {
    let last = id;
    for (;;) {
      const beneath = this.#program.workspace.children.of(last).items.at(-1)?.id;
      if (beneath === undefined) return last;
      last = beneath;
    }
  }
}

/** Expands its collapsed ancestors. False if it has no line even then. */
function bringOut(program: Program, id: Id): boolean {
  const { workspace } = program;
  if (workspace.outline.has(id)) return true;
  const above: Id[] = [];
  for (const at of workspace.idsAbove(id)) {
    if (at === workspace.root) break;
    above.push(at);
  }
  setCollapsed(program, above, false);
  return workspace.outline.has(id);
}

function arrive(program: Program, id: Id, going: Going, wrapped: boolean): CommandResult {
  const { workspace } = program;
  if (going.extends) {
    workspace.selection.extendTo(workspace.outline, id);
    tellSelected(program);
  } else workspace.selection.put(workspace.outline, id);
  program.rows.follow();
  if (!wrapped) return done;
  return announced(going.step > 0 ? 'Continued from the top.' : 'Continued from the bottom.');
}

function withinResults(program: Program, by: number, going: Going): CommandResult {
  const { outline, cursorIndex } = program.workspace;
  if (outline.length === 0) return refused('Nothing found.', 'info');
  const to = cursorIndex + by;
  const index = ((to % outline.length) + outline.length) % outline.length;
  const id = outline.at(index);
  return id === undefined ? done : arrive(program, id, going, to !== index);
}

/** Jumps to the match that many further on; backwards if negative. */
export function goToMatch(
  program: Program,
  by: number,
  { extends: isExtending = false } = {},
): CommandResult {
  const { workspace } = program;
  const going: Going = { step: by < 0 ? -1 : 1, extends: isExtending };
  if (workspace.results !== null) return withinResults(program, by, going);
  const { last } = findingOf(program);
  if (last === null) return refused('Search first, then go from match to match.', 'info');
  const { cursor: from, place } = workspace;
  if (from === null) return refused('Nothing here.');
  workspace.jumping();
  const walk = new Walk(program, from, going.step);
  const matches = findingOf(program).test(last);
  let left = Math.abs(by);
  let found: { readonly id: Id; readonly wrapped: boolean } | null = null;
  const look = (): CommandResult => {
    const isOver = within(program.replica, PORTION_MS);
    for (let looked = 1; ; looked += 1) {
      const id = walk.next();
      const isAround = id === null || walk.isAround;
      // A task may have further lines.
      if (!isAround && id !== from && matches(id) && bringOut(program, id)) {
        found = { id, wrapped: walk.wraps > 0 };
        left -= 1;
      }
      if (found !== null && (left === 0 || isAround)) return arrive(program, found.id, going, found.wrapped);
      if (isAround) {
        const what = matches(from) ? 'Nothing else' : 'Nothing';
        return refused(`${what} here matches ${quoted(last)}.`, 'info');
      }
      if (looked % STRIDE === 0 && isOver()) break;
    }
    program.later(() => {
      if (workspace.cursor !== from || workspace.place !== place || workspace.results !== null) return;
      const result = look();
      if (result.type === 'refused') program.say(result.reason, { brief: true });
      else if (result.type === 'done' && result.announce !== undefined)
        program.say(result.announce, { brief: true });
    });
    return done;
  };
  return look();
}

/** Jumps to the next task with the first word of this title. */
export function goToSameWord(program: Program, step: 1 | -1): CommandResult {
  const { cursorRow } = program.workspace;
  const word = /[\p{L}\p{N}]+/u.exec(nameOf(cursorRow))?.[0];
  if (word === undefined) return refused('This title has no word to search for.');
  findingOf(program).remember(word);
  return goToMatch(program, step);
}
