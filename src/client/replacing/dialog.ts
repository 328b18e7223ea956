// The dialog of find and replace: what is sought where, every title as it is and as it will be, which are left out, and the
// replacing as one undo step. A lazy chunk; how it is drawn is web/dialogs/replace.tsx.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { patternOf, type Replaced, replaceIn, type ReplacePattern } from '#core/replace.ts';
import type { Action } from '#sync/operation.ts';
import { nameOf } from '#sync/row-reading.ts';
import { quoted } from '../editor.ts';
import { fitTitle } from '../fitting.ts';
import type { OpenDialog } from '../open-dialog.ts';
import { within } from '../portions.ts';
import type { Program } from '../program.ts';
import type { ReplaceRowView } from './replace-view.ts';
import type { Replacer } from './replacer.ts';
import { type ReplaceScope, type ScopeChoice, scopesOf, tasksIn } from './scope.ts';

/** So many titles are shown before more are asked for. */
const PAGE = 100;
const PORTION_MS = 5;
/** So many titles go to the worker at once. */
const PARCEL = 1_000;

interface Found {
  readonly id: Id;
  readonly before: string;
  readonly replaced: Replaced;
  readonly problem: string | null;
}

const TOO_LONG = 'The title would be too long, and keeps what it has.';
const SLOW = 'This expression takes too long. Make it simpler, or look for plain text.';
const FAILED = 'Expressions cannot be used now. Check the connection, or look for plain text.';

export class ReplaceDialog implements OpenDialog {
  readonly #program: Program;
  readonly #scopes: readonly ScopeChoice[];
  readonly #tasks: ReadonlyMap<ReplaceScope, readonly Id[]>;
  #said: ReplacePattern = { find: '', replacement: '', isRegex: false, matchCase: false, wholeWords: false };
  #scope: ReplaceScope;
  #found: Found[] = [];
  readonly #leftOut = new Set<Id>();
  #shown = PAGE;
  #problem: string | null = null;
  /** Plain text would help. */
  #offersPlain = false;
  /** Grows with everything that is sought: what comes for an older one is dropped. */
  #turn = 0;
  #isLooking = false;
  #replacer: Replacer | null = null;

  constructor(program: Program) {
    this.#program = program;
    this.#scopes = scopesOf(program);
    // What is meant stays what it was when the dialog was opened.
    this.#tasks = new Map(this.#scopes.map(({ value }) => [value, tasksIn(program, value)]));
    this.#scope = this.#scopes[0]?.value ?? 'everything';
  }

  readonly isTyping = true;

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', key = '', text = '' } = values;
    if (action === 'replace') {
      this.#replaceAll();
      return;
    }
    if (action === 'draft' && (key === 'find' || key === 'replacement')) this.#say({ [key]: text });
    else if (action === 'toggle' && isSwitch(key)) this.#say({ [key]: !this.#said[key] });
    else if (action === 'plain') this.#say({ isRegex: false });
    else if (action === 'scope') {
      this.#scope = this.#scopes.find(({ value }) => value === text)?.value ?? this.#scope;
      this.#look();
    } else if (action === 'leave') {
      if (!this.#leftOut.delete(key as Id)) this.#leftOut.add(key as Id);
    } else if (action === 'more') this.#shown += PAGE;
    this.refresh();
  }

  #say(said: Partial<ReplacePattern>): void {
    this.#said = { ...this.#said, ...said };
    this.#look();
  }

  leave(): void {
    this.#turn += 1;
    this.#replacer?.close();
  }

  refresh(): void {
    const { find } = this.#said;
    const chosen = this.#chosen().length;
    this.#program.dialog.set({
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
    const parts: { text: string; isFound: boolean }[] = [];
    let at = 0;
    for (const [start, end] of replaced.ranges) {
      if (start > at) parts.push({ text: before.slice(at, start), isFound: false });
      if (end > start) parts.push({ text: before.slice(start, end), isFound: true });
      at = end;
    }
    if (at < before.length) parts.push({ text: before.slice(at), isFound: false });
    const row = this.#program.replica.row(id);
    const path = row ? this.#program.rowFacts.path(row) : '';
    return { id, parts, after: replaced.text, path, isIn: !this.#leftOut.has(id), problem };
  }

  /** What will be replaced. */
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
    if (typeof pattern === 'string') {
      this.#problem = pattern;
      return;
    }
    this.#isLooking = true;
    const ids = this.#tasks.get(this.#scope) ?? [];
    if (this.#said.isRegex) this.#sendParcel(ids, 0, this.#turn);
    else this.#lookOn({ ids, pattern, turn: this.#turn }, 0);
  }

  #take(id: Id, before: string, replaced: Replaced | null): void {
    if (replaced === null || replaced.text === before) return;
    const { text, rest } = fitTitle(replaced.text);
    this.#found.push({ id, before, replaced: { ...replaced, text }, problem: rest === '' ? null : TOO_LONG });
  }

  /** Plain text, in portions between the keys. */
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
    // The one at which time was over is looked at first.
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

  /** An expression, a parcel of titles after the other, where it can be stopped. */
  #sendParcel(ids: readonly Id[], from: number, turn: number): void {
    const program = this.#program;
    const parcel = ids.slice(from, from + PARCEL);
    const titles = parcel.map((id) => nameOf(program.replica.row(id)));
    if (parcel.length === 0) {
      this.#isLooking = false;
      return;
    }
    // What an older expression still does is of no use any more.
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
    const job = { chosen, label, group: program.replica.newId(), done: 0 };
    program.run('dialog.close');
    replaceOn(program, job, 0);
  }
}

interface Job {
  readonly chosen: readonly Found[];
  readonly label: string;
  readonly group: Id;
  /** Titles replaced so far. */
  done: number;
}

function replaceOn(program: Program, job: Job, from: number): void {
  const batch = job.chosen.slice(from, from + limits.transactionOperations);
  const actions = batch
    // Who has changed it since knows better.
    .filter(({ id, before }) => nameOf(program.replica.row(id)) === before)
    .map(({ id, replaced }): Action => ({ a: 'set', id, field: 'title', value: replaced.text }));
  if (actions.length > 0) {
    const { verdicts } = program.change(actions, job.label, { group: job.group });
    job.done += verdicts.filter((verdict) => verdict === 'ok').length;
  }
  const next = from + batch.length;
  if (next < job.chosen.length) {
    program.later(() => replaceOn(program, job, next));
    return;
  }
  const kept = job.chosen.length - job.done;
  const rest =
    kept === 0
      ? ''
      : ` ${counted(kept, 'title')} could not be changed and ${kept === 1 ? 'keeps' : 'keep'} what stands there.`;
  program.say(`Replaced in ${counted(job.done, 'title')}.${rest}`, {
    undo: job.done > 0,
    error: job.done === 0,
  });
}

function isSwitch(key: string): key is 'isRegex' | 'matchCase' | 'wholeWords' {
  return key === 'isRegex' || key === 'matchCase' || key === 'wholeWords';
}
