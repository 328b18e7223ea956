// The dialog of find and replace: pattern and scope, every title before and after, exclusions, and replacing as one
// undo. A lazy part; it is drawn by web/dialogs/replace.tsx.
import { unreachable } from '#core/assert.ts';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { patternOf, type Range, type Replaced, replaceIn, type ReplacePattern } from '#core/replace.ts';
import type { Action } from '#sync/rows/operation.ts';
import { nameOf } from '#sync/rows/row-reading.ts';
import { quoted } from '../text/editor.ts';
import { fitTitle } from '../text/fitting.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { within } from '../app/portions.ts';
import type { Program } from '../app/program.ts';
import { inTransactions, issueBatches } from '../commands/batches.ts';
import {
  type ScopeChoice,
  type ReplaceScope,
  type ReplaceAction,
  type ReplaceRowView,
} from './replace-view.ts';
import type { Replacer } from './replacer.ts';
import { scopesOf, tasksIn } from './scope.ts';

/** Titles shown before more are requested. */
const PAGE = 100;
const PORTION_MS = 5;
/** Titles sent to the worker at once. */
const PARCEL = 1_000;

interface Found {
  readonly id: Id;
  readonly before: string;
  readonly replaced: Replaced;
  readonly problem: string | null;
}

const TOO_LONG = 'The title would be too long, so it stays the same.';
const SLOW = 'This expression takes too long. Make it simpler, or find plain text.';
const FAILED = 'Can’t use expressions now. Check your connection, or find plain text.';

export class ReplaceDialog implements OpenDialog {
  readonly type = 'replace';
  readonly #program: Program;
  readonly #scopes: readonly ScopeChoice[];
  readonly #tasks: ReadonlyMap<ReplaceScope, readonly Id[]>;
  #said: ReplacePattern = { find: '', replacement: '', isRegex: false, matchCase: false, wholeWords: false };
  #scope: ReplaceScope;
  #found: Found[] = [];
  readonly #leftOut = new Set<Id>();
  #shown = PAGE;
  #problem: string | null = null;
  /** The problem would not occur with plain text. */
  #offersPlain = false;
  /** Grows with every new search: results for an older one are dropped. */
  #turn = 0;
  #isLooking = false;
  #replacer: Replacer | null = null;

  constructor(program: Program) {
    this.#program = program;
    this.#scopes = scopesOf(program);
    // The scopes stay as they were when the dialog was opened.
    this.#tasks = new Map(this.#scopes.map(({ value }) => [value, tasksIn(program, value)]));
    this.#scope = this.#scopes[0]?.value ?? 'everything';
  }

  readonly isTyping = true;

  submit(action: ReplaceAction): void {
    switch (action.action) {
      case 'say':
        this.#said = { ...this.#said, ...action.said };
        this.#look();
        break;
      case 'scope':
        this.#scope = action.scope;
        this.#look();
        break;
      case 'include':
        if (action.isIn) this.#leftOut.delete(action.id);
        else this.#leftOut.add(action.id);
        break;
      case 'more':
        this.#shown += PAGE;
        break;
      case 'replace':
        this.#replaceAll();
        return;
      default:
        unreachable(action);
    }
    this.refresh();
  }

  byKey(command: string): ReplaceAction | null {
    return command === 'replace.run' ? { action: 'replace' } : null;
  }

  leave(): void {
    this.#turn += 1;
    this.#replacer?.close();
  }

  refresh(): void {
    const { find } = this.#said;
    const chosen = this.#chosen().length;
    this.#program.dialog.show({
      type: 'replace',
      replace: {
        ...this.#said,
        scopes: this.#scopes,
        scope: this.#scope,
        rows: this.#found.slice(0, this.#shown).map((found) => this.#row(found)),
        found: this.#found.length,
        chosen,
        isLooking: this.#isLooking,
        problem: this.#problem,
        offersPlain: this.#offersPlain,
        isAsked: find !== '',
      },
    });
  }

  #row({ id, before, replaced, problem }: Found): ReplaceRowView {
    const row = this.#program.replica.row(id);
    const path = row ? this.#program.rowFacts.path(row) : '';
    return {
      id,
      parts: partsOf(before, replaced.ranges),
      after: partsOf(replaced.text, replaced.put),
      path,
      isIn: !this.#leftOut.has(id),
      problem,
    };
  }

  /** The titles that will be replaced. */
  #chosen(): readonly Found[] {
    return this.#found.filter(({ id, problem }) => problem === null && !this.#leftOut.has(id));
  }

  #look(): void {
    this.#turn += 1;
    this.#found = [];
    this.#shown = PAGE;
    this.#problem = null;
    this.#offersPlain = false;
    this.#isLooking = false;
    if (this.#said.find === '') return;
    const pattern = patternOf(this.#said);
    if (!pattern.ok) {
      this.#problem = pattern.problem;
      return;
    }
    this.#isLooking = true;
    const ids = this.#tasks.get(this.#scope) ?? [];
    if (this.#said.isRegex) this.#sendParcel(ids, 0, this.#turn);
    else this.#lookOn({ ids, pattern: pattern.value, turn: this.#turn }, 0);
  }

  #take(id: Id, before: string, replaced: Replaced | null): void {
    if (replaced === null || replaced.text === before) return;
    const { text, rest } = fitTitle(replaced.text);
    this.#found.push({ id, before, replaced: { ...replaced, text }, problem: rest === '' ? null : TOO_LONG });
  }

  /** Searches for plain text, in portions between the keys. */
  #lookOn(
    job: { readonly ids: readonly Id[]; readonly pattern: RegExp; readonly turn: number },
    from: number,
  ): void {
    const { ids, pattern, turn } = job;
    const isOver = within(this.#program.replica, PORTION_MS);
    let at = from;
    for (; at < ids.length && (at % 64 !== 63 || !isOver()); at += 1) {
      const id = ids[at] as Id;
      const title = nameOf(this.#program.replica.row(id));
      this.#take(id, title, replaceIn(title, pattern, this.#said));
    }
    if (at >= ids.length) {
      this.#isLooking = false;
      return;
    }
    // The title at which the time ran out comes first.
    const next = at;
    this.#program.later(() => {
      if (turn !== this.#turn) return;
      const id = ids[next] as Id;
      const title = nameOf(this.#program.replica.row(id));
      this.#take(id, title, replaceIn(title, pattern, this.#said));
      this.#lookOn(job, next + 1);
      this.refresh();
    });
  }

  /** Searches for an expression, one parcel of titles after the other, in a worker that can be stopped. */
  #sendParcel(ids: readonly Id[], from: number, turn: number): void {
    const program = this.#program;
    const parcel = ids.slice(from, from + PARCEL);
    const titles = parcel.map((id) => nameOf(program.replica.row(id)));
    if (parcel.length === 0) {
      this.#isLooking = false;
      return;
    }
    // A running older expression is useless now.
    if (from === 0) this.#replacer?.close();
    this.#replacer ??= program.platform.openReplacer();
    void this.#replacer.run(this.#said, titles).then((answer) =>
      program.act(() => {
        if (turn !== this.#turn) return;
        if (answer.type === 'done') {
          parcel.forEach((id, at) => this.#take(id, titles[at] ?? '', answer.found[at] ?? null));
          this.#sendParcel(ids, from + PARCEL, turn);
        } else this.#stop(answer.type === 'slow' ? SLOW : FAILED);
        this.refresh();
      }),
    );
  }

  #stop(problem: string): void {
    this.#problem = problem;
    this.#offersPlain = true;
    this.#isLooking = false;
    this.#found = [];
  }

  #replaceAll(): void {
    if (this.#isLooking) return;
    const chosen = this.#chosen();
    if (chosen.length === 0) return;
    const program = this.#program;
    const said = quoted(this.#said.find);
    const label = `replaced ${said} in ${counted(chosen.length, 'title')}`;
    program.run('dialog.close');
    replaceTitles(program, chosen, label);
  }
}

/** Splits a text at the ranges. */
function partsOf(text: string, ranges: readonly Range[]): ReplaceRowView['parts'] {
  const parts: { text: string; isFound: boolean }[] = [];
  let at = 0;
  const add = (end: number, isFound: boolean) => {
    if (end > at) parts.push({ text: text.slice(at, end), isFound });
    at = Math.max(at, end);
  };
  for (const [start, end] of ranges) {
    add(start, false);
    add(end, true);
  }
  add(text.length, false);
  return parts;
}

function replaceTitles(program: Program, chosen: readonly Found[], label: string): void {
  const actionsOf = (batch: readonly Found[]) =>
    batch
      // A newer edit wins.
      .filter(({ id, before }) => nameOf(program.replica.row(id)) === before)
      .map(({ id, replaced }): Action => ({ a: 'set', id, field: 'title', value: replaced.text }));
  issueBatches(program, {
    batches: inTransactions(chosen).map((batch) => () => actionsOf(batch)),
    label,
    group: program.replica.newId(),
    done: (verdicts) => sayReplaced(program, verdicts.filter((verdict) => verdict === 'ok').length, chosen),
  });
}

function sayReplaced(program: Program, done: number, { length }: readonly Found[]): void {
  const kept = length - done;
  const rest = kept === 0 ? '' : ` ${counted(kept, 'title')} couldn’t be changed.`;
  program.say(`Replaced in ${counted(done, 'title')}.${rest}`, {
    undo: done > 0,
    error: done === 0,
  });
}
