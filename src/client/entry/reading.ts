// Reads a line with this person's date habits, labels and lists.
import { type Id, inboxId } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { labelThere, madeKey } from '../labels/applying.ts';
import { labelName, labelsIn } from '../labels/catalog.ts';
import { allLabels, scopeOfTask } from '../labels/label-scopes.ts';
import { type Create, labelNamed, newLabel } from '../labels/creating.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import { firstOf } from '../pickers/repeat-picker.ts';
import type { DateContext } from '../clock/dates.ts';
import type { Program } from '../app/program.ts';
import { newList } from '../outline/new-list.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { missedRepeats } from '../settings/behavior.ts';
import { keepDay, keepTime } from '#core/dates/keep-time.ts';
import {
  type Completion,
  completions,
  type Named,
  type Names,
  newLabelsIn,
  signed,
  unknownName,
} from '#core/titles/names.ts';
import { endOf, prioritiesIn, readTokens, type Token } from '#core/titles/tokens.ts';
import type { PhraseContext } from '#core/dates/reader.ts';
import { type EntryValues, valuesOf } from './values.ts';

const HOLDS_TASKS: ReadonlySet<unknown> = new Set(['list', 'inbox']);

/** "#errands", or "New label #errands". */
export const sayCompletion = (completion: Completion): string =>
  completion.isNew ? `New ${completion.kind} ${signed(completion)}` : signed(completion);

export class EntryReading {
  readonly #program: Program;
  /** Ids of labels that are not made yet, by their folded names: a token is the same while its line is typed. */
  readonly #planned = new Map<string, Id>();

  constructor(program: Program) {
    this.#program = program;
  }

  read(text: string): readonly Token[] {
    return readTokens(text, this.#phrases(), { names: () => this.#namesFor(text) });
  }

  /** The names that exist, and the labels that this text makes. */
  #namesFor(text: string): Names {
    const names = this.#names();
    const made = newLabelsIn(text, names).map((name): Named => ({ id: this.#idOf(name), name, isNew: true }));
    return made.length === 0 ? names : { ...names, labels: [...names.labels, ...made] };
  }

  /** The same as long as the line is typed. */
  #idOf(name: string): Id {
    const key = fold(name);
    const id = this.#planned.get(key) ?? this.#program.replica.newId();
    this.#planned.set(key, id);
    return id;
  }

  /**
   * The tokens with the labels that exist by now where the task is, and what makes the others there. `under`: the task, or what it is
   * to be put into.
   */
  settled(
    tokens: readonly Token[],
    under: Id,
  ): { readonly tokens: readonly Token[]; readonly made: readonly Action[] } {
    const program = this.#program;
    const { replica } = program;
    const scope = this.#scopeOf(under);
    const made = new Map<string, Create>();
    const settled = tokens.map((token) => {
      if (token.kind !== 'label') return token;
      const known = token.isNew === true ? this.#named(token.name, scope) : token.id;
      const row = known === null ? undefined : replica.row(known);
      if (row !== undefined) return { ...token, id: labelThere(program, row, { scope, made }) };
      if (token.isNew !== true) return token;
      const key = madeKey(scope, token.name);
      const create = made.get(key) ?? newLabel(program, token.name, scope);
      made.set(key, create);
      return { ...token, id: create.id };
    });
    return { tokens: settled, made: [...made.values()] };
  }

  #scopeOf(under: Id): Id {
    const { replica } = this.#program;
    const row = replica.row(under);
    return row === undefined ? replica.scope : scopeOfTask(replica, row);
  }

  /** A label of that name, of this scope where it has one. */
  #named(name: string, scope: Id): Id | null {
    const program = this.#program;
    return labelNamed(program, name, labelsIn(program.replica, scope)) ?? labelNamed(program, name);
  }

  /**
   * The tokens of the title of a task: a day keeps the time that the task has, and a time the day, where the two are still
   * ahead.
   */
  readFor(id: Id, text: string): readonly Token[] {
    const tokens = this.read(text);
    if (!tokens.some(({ kind }) => kind === 'due' || kind === 'start')) return tokens;
    const row = this.#program.replica.row(id);
    return tokens.map((token) => {
      if (token.kind !== 'due' && token.kind !== 'start') return token;
      const { reading } = token;
      const was = fieldOf(row, token.kind) ?? null;
      if (was === null || reading.when === null || reading.start !== undefined) return token;
      const isTime = token.kind === 'due' && token.isTime === true;
      const moment = this.context();
      const when = isTime ? keepDay(reading.when, was, moment) : keepTime(reading.when, was, moment);
      return { ...token, reading: { ...reading, when } };
    });
  }

  completions(text: string, caret: number): readonly Completion[] {
    return completions(text, caret, () => this.#names());
  }

  /** Makes the label or list of a completion, if it is a new one, as `create` does. False: it could not be made. */
  make({ kind, name, isNew }: Completion, of: { readonly under: Id; readonly group?: Id }): boolean {
    return !isNew || this.create(kind, name, of) !== null;
  }

  /** Makes a list of that name, or a label where the task is (`under`). `group`: the undo group. Null: it could not be made. */
  create(
    kind: Completion['kind'],
    name: string,
    { under, group }: { readonly under: Id; readonly group?: Id },
  ): Id | null {
    const program = this.#program;
    const { replica, sidebar } = program;
    const create = kind === 'label' ? newLabel(program, name, this.#scopeOf(under)) : newList(replica, name);
    const said = `created ${kind} ${quoted(name)}`;
    const { verdicts } = program.change([create], said, group === undefined ? {} : { group });
    if (kind === 'list') sidebar.invalidate();
    return verdicts[0] === 'ok' ? create.id : null;
  }

  /** Why words of a title stay that look like more: the name of no label or list, an end of a repeat, a priority; null: none do. */
  sayStays(title: string, tokens: readonly Token[]): string | null {
    const unknown = unknownName(title, () => this.#names());
    const end = endOf(tokens);
    if (end !== null) return `A repeat can’t have an end, so ${quoted(end)} stays.`;
    if (unknown !== null)
      return `There’s no ${unknown.kind} ${quoted(unknown.name)}, so ${signed(unknown)} stays.`;
    const [priority] = prioritiesIn(title);
    return priority ? `There are no priorities, so ${priority.text} stays. Try a label.` : null;
  }

  labels(): readonly Named[] {
    return allLabels(this.#program.replica).map(({ row }) => ({ id: row.id, name: labelName(row) }));
  }

  /** Lists that can take tasks, the Inbox first. */
  lists(): readonly Named[] {
    const { sidebar, replica } = this.#program;
    const inbox = { id: inboxId(replica.scope), name: 'Inbox' };
    const others = sidebar
      .everything()
      .filter((row) => HOLDS_TASKS.has(fieldOf(row, 'listType')) && row.id !== inbox.id)
      .map((row) => ({ id: row.id, name: nameOf(row) }));
    return [inbox, ...others];
  }

  /** `row`: the task that gets them; null: a new one. */
  values(tokens: readonly Token[], row: Row | null): EntryValues {
    const hasDate = (fieldOf(row, 'due') ?? fieldOf(row, 'start') ?? null) !== null;
    const missed = this.#program.settings.get(missedRepeats);
    const moment = this.context();
    return valuesOf(tokens, { today: firstOf(this.#program, null), missed, moment, hasDate });
  }

  context(): DateContext {
    return this.#program.moment();
  }

  #phrases(): PhraseContext {
    return phraseContext(this.#program, null);
  }

  #names(): Names {
    return { labels: this.labels(), lists: this.lists() };
  }
}
