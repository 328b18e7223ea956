// Dragging tasks by a pointer: the dragged tasks, the drop position among the lines, and the drop itself. Keys can do
// the same: indent, outdent, move up and down, move to a list, move under a task. Pointer tracking and drawing are in
// web/. A lazy part.
import type { Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import { needsLiving, needsTree } from '../commands/needs.ts';
import { setCollapsed } from '../commands/folding.ts';
import { inBatches } from '../commands/rows.ts';
import { whyNot } from '../transfer/importing.ts';
import { besideList, dropList, isMovableList } from './list-dragging.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from './row-facts.ts';
import type { DragOver, DragView } from '../app/view.ts';

interface Line {
  readonly index: number;
  readonly level: number;
  readonly position: Position;
}

/** One drag at a time: `begin`, then `over` for each target, then the drop. Draws through `program.drag`. */
export class Dragging {
  readonly #program: Program;
  #roots: readonly Id[] = [];
  #among: ReadonlySet<Id> = new Set();
  #position: Position | null = null;
  /** The dragged list of the sidebar, if any. */
  #list: Id | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Picks up the task of a line, with the whole selection if it is part of it. False: it cannot be moved. */
  begin(id: Id, at: number): boolean {
    const program = this.#program;
    const { workspace } = program;
    this.#list = null;
    if (program.dialog.get() !== null) return false;
    if (at < 0) return this.#beginList(id);
    if (!workspace.outline.has(id)) return false;
    program.leaveText();
    // A new task left empty was discarded when it was left.
    if (!workspace.outline.has(id)) return false;
    program.pane = 'outline';
    if (!workspace.selection.has(id)) workspace.selection.clear();
    if (workspace.outline.at(at) === id) workspace.outline.prefer?.(at);
    program.moveTo(id);
    const reason = needsLiving(program);
    if (reason !== null) return false;
    this.#roots = workspace.targetRoots();
    this.#among = new Set(this.#roots);
    this.#position = null;
    const [only] = this.#roots;
    if (only === undefined) return false;
    const label =
      this.#roots.length === 1 ? nameOf(program.replica.row(only)) : `${this.#roots.length} tasks`;
    program.drag.set({ label, line: null, side: null, beside: null });
    return true;
  }

  #beginList(id: Id): boolean {
    const program = this.#program;
    if (!isMovableList(program, id)) return false;
    program.leaveText();
    this.#list = id;
    this.#position = null;
    const label = nameOf(program.replica.row(id));
    program.drag.set({ label, line: null, side: null, beside: null });
    return true;
  }

  over(target: DragOver | null): void {
    const { drag } = this.#program;
    const now = drag.get();
    if (now === null) return;
    if (this.#list !== null) {
      const beside = target?.type === 'beside' ? { id: target.id, part: target.part } : null;
      this.#position = beside && besideList(this.#program, this.#list, beside);
      const next = { ...now, beside: this.#position === null ? null : beside };
      if (!isSame(now, next)) drag.set(next);
      return;
    }
    const line = target?.type === 'line' ? this.#lineAt(target.gap, target.level) : null;
    const side = target?.type === 'side' && this.#takes(target.id) ? target.id : null;
    this.#position = line?.position ?? null;
    const next: DragView = {
      label: now.label,
      line: line && { index: line.index, level: line.level },
      side,
      beside: null,
    };
    if (!isSame(now, next)) drag.set(next);
  }

  drop(): CommandResult {
    const program = this.#program;
    const shown = program.drag.get();
    program.drag.set(null);
    if (shown === null) return done;
    if (this.#list !== null)
      return this.#position === null ? done : dropList(program, this.#list, this.#position);
    if (shown.side !== null) return this.#dropOnSide(shown.side);
    if (shown.line === null || this.#position === null) {
      const reason = needsTree(program);
      return reason === null ? done : refused(reason, 'info');
    }
    return this.#place(this.#position);
  }

  #isDragged(id: Id | undefined): boolean {
    return (
      id !== undefined && (this.#among.has(id) || this.#program.workspace.hasAncestorIn(id, this.#among))
    );
  }

  /** Before line `gap`, as near to the wanted level as the lines around it allow. */
  #lineAt(gap: number, wanted: number): Line | null {
    const { workspace } = this.#program;
    const { outline, root } = workspace;
    if (needsTree(this.#program) !== null || root === null) return null;
    let above = Math.min(gap, outline.length) - 1;
    while (above >= 0 && this.#isDragged(outline.at(above))) above -= 1;
    let below = Math.max(0, gap);
    while (below < outline.length && this.#isDragged(outline.at(below))) below += 1;
    const deepest = above < 0 ? 1 : outline.levelAt(above) + 1;
    const shallowest = below < outline.length ? outline.levelAt(below) : 1;
    const level = Math.max(shallowest, Math.min(deepest, wanted));
    const position = this.#positionAt({ above, below, level, root });
    return position && { index: Math.max(0, Math.min(gap, outline.length)), level, position };
  }

  #positionAt(at: {
    readonly above: number;
    readonly below: number;
    readonly level: number;
    readonly root: Id;
  }): Position | null {
    const { outline, children } = this.#program.workspace;
    const prev = outline.at(at.above);
    const next = outline.at(at.below);
    const isFirst = next !== undefined && outline.levelAt(at.below) === at.level;
    if (prev === undefined) return isFirst ? { parent: at.root, before: next } : { parent: at.root };
    let level = outline.levelAt(at.above);
    if (at.level > level) return isFirst ? { parent: prev, before: next } : { parent: prev };
    let sibling: Id | undefined = prev;
    for (; level > at.level && sibling !== undefined; level -= 1)
      sibling = this.#program.workspace.parentOf(sibling);
    const row = sibling === undefined ? undefined : this.#program.replica.row(sibling);
    const parent = placeOf(row)?.parent;
    if (!row || parent === undefined) return null;
    let step = 1;
    while (this.#isDragged(children.neighbour(row, step))) step += 1;
    const before = children.neighbour(row, step);
    return { parent, after: row.id, ...(before === undefined ? {} : { before }) };
  }

  /** Lists, and bookmarked tasks that are not dragged themselves. */
  #takes(id: Id): boolean {
    const { replica, workspace } = this.#program;
    const row = replica.row(id);
    if (row?.type === 'task') return !this.#isDragged(id) && !workspace.facts.isHidden(id);
    if (row?.type !== 'list') return false;
    const { listType } = row.fields;
    return listType !== 'folder' && listType !== 'smart';
  }

  #dropOnSide(id: Id): CommandResult {
    const { replica, run } = this.#program;
    return replica.row(id)?.type === 'task'
      ? run('task.moveUnder', { task: id })
      : run('task.move', { list: id });
  }

  #place(first: Position): CommandResult {
    const program = this.#program;
    const { replica, workspace } = program;
    const ids = this.#roots.filter((id) => replica.row(id) !== undefined && !workspace.facts.isHidden(id));
    const [top] = ids;
    if (
      top === undefined ||
      replica.row(first.parent) === undefined ||
      workspace.facts.isHidden(first.parent)
    )
      return refused('What you dragged, or where it was going, is gone.');
    if (this.#stand(ids, first)) return done;
    const actions = ids.map((id, index): Action => {
      const before = ids[index - 1];
      return { a: 'place', id, place: before ? { parent: first.parent, after: before } : first };
    });
    setCollapsed(program, first.parent === workspace.root ? [] : [first.parent], false);
    const name = program.describe(ids);
    const failed = inBatches(program, actions, `moved ${name}`);
    program.rows.follow();
    return failed.size > 0
      ? refused(`Couldn’t move all of it${whyNot(failed)}.`)
      : announced(`Moved ${name}.`);
  }

  /** They are at that position already. */
  #stand(ids: readonly Id[], { parent, after, before }: Position): boolean {
    const { replica, workspace } = this.#program;
    const { children } = workspace;
    return ids.every((id, index) => {
      const row = replica.row(id);
      if (!row || placeOf(row)?.parent !== parent) return false;
      const previous = children.neighbour(row, -1);
      if (index > 0) return previous === ids[index - 1];
      if (after !== undefined) return previous === after;
      const last = replica.row(ids.at(-1) ?? id);
      return (last && children.neighbour(last, 1)) === before;
    });
  }
}

function isSame(a: DragView, b: DragView): boolean {
  return (
    a.label === b.label &&
    a.side === b.side &&
    a.beside?.id === b.beside?.id &&
    a.beside?.part === b.beside?.part &&
    a.line?.index === b.line?.index &&
    a.line?.level === b.line?.level
  );
}
