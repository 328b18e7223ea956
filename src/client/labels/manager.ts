// The dialog for labels and groups themselves: finding, creating, naming, coloring, grouping, setting keys, deleting;
// each is one undo. A lazy part. picker.ts puts labels on tasks.
import { type Id, labelsRoot } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { prepare, rank } from '../search/ranking.ts';
import type { LabelManagerAction, LabelChosenView, LabelEntryView } from './label-view.ts';
import { type Carriers, carriersOf, queryOf } from './carriers.ts';
import { groupOf, hotkeyOf, isExclusive, labelName, shelves } from './catalog.ts';
import { labelScopes, listOfScope } from './label-scopes.ts';
import { plainColor } from '#core/model.ts';
import { colorName } from './colors.ts';
import { nameProblem, newGroup, newLabel } from './creating.ts';
import { hotkeyAction, keyProblem } from './hotkey.ts';
import { hideFor, isPrivate, setVisibility } from './visibility.ts';
import { movedTo, type ListMove, moveOf } from '../dialogs/list-cursor.ts';

interface Draft {
  readonly id: Id;
  readonly field: 'name' | 'hotkey';
  readonly text: string;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Actions that change no row. */
const LOOKING: ReadonlySet<LabelManagerAction['action']> = new Set([
  'move',
  'filter',
  'choose',
  'rename',
  'draft',
]);

export class LabelManager implements OpenDialog {
  readonly type = 'labelManager';
  readonly #program: Program;
  #filter = '';
  #chosen: Id | null;
  #draft: Draft | null = null;
  #answer: Answer | null = null;
  /** Grows when a text field has to show its stored value again. */
  #revision = 0;
  #entries: readonly LabelEntryView[] = [];
  #isRenaming = false;
  /** Null: to be counted again. */
  #carriers: ReadonlyMap<Id, Carriers> | null = null;

  constructor(program: Program, chosen: Id | null) {
    this.#program = program;
    this.#chosen = chosen;
  }

  submit(action: LabelManagerAction): void {
    if (action.action === 'draft') {
      const { field, text } = action;
      if (this.#chosen !== null) this.#draft = { id: this.#chosen, field, text };
      return;
    }
    this.#answer = null;
    this.#isRenaming = false;
    if (!LOOKING.has(action.action)) this.#carriers = null;
    this.#commitDraft();
    if (action.action === 'tasks') {
      this.#showTasks();
      return;
    }
    this.#do(action);
    this.#draw();
  }

  byKey(command: string): LabelManagerAction | null {
    // If there are labels, Enter moves to the fields of the active one.
    if (command === 'labels.rename') return { action: 'rename' };
    if (command === 'labels.tasks') return { action: 'tasks' };
    if (command === 'options.choose') return this.#entries.length === 0 ? { action: 'createLabel' } : null;
    const to = moveOf(command);
    return to === null ? null : { action: 'move', to };
  }

  undo(): void {
    this.#answer = null;
    this.#carriers = null;
    this.#commitDraft();
    this.#undo();
    this.#draw();
  }

  /** Ends the renaming in the list; what was typed is kept. */
  clearFilter(): boolean {
    if (!this.#isRenaming) return false;
    this.submit({ action: 'commit' });
    return true;
  }

  get isTyping(): boolean {
    return this.#draft !== null || this.#filter !== '';
  }

  leave(): void {
    this.#commitDraft();
    const { isError = false, text = '' } = this.#answer ?? {};
    if (isError) this.#program.say(text, { error: true, brief: true });
  }

  refresh(): void {
    this.#carriers = null;
    this.#draw();
  }

  #draw(): void {
    const { replica } = this.#program;
    this.#entries = this.#collect();
    if (!this.#entries.some(({ id }) => id === this.#chosen)) this.#chosen = this.#firstEntry?.id ?? null;
    const row = this.#chosen === null ? undefined : replica.row(this.#chosen);
    const groups = shelves(replica, row?.scope).flatMap(({ group }) => group ?? []);
    this.#program.dialog.show({
      type: 'labelManager',
      manager: {
        filter: this.#filter,
        entries: this.#entries,
        active: this.#entries.findIndex(({ id }) => id === this.#chosen),
        chosen: row ? this.#chosenView(row) : null,
        isRenaming: this.#isRenaming,
        groups: groups.map((group) => ({
          id: group.id,
          name: labelName(group),
          exclusive: isExclusive(group),
        })),
        answer: this.#answer,
        revision: this.#revision,
      },
    });
  }

  /** What was looked for; without a search the first label. */
  get #firstEntry(): LabelEntryView | undefined {
    const label = this.#filter === '' ? this.#entries.find(({ kind }) => kind === 'label') : undefined;
    return label ?? this.#entries[0];
  }

  #showTasks(): void {
    const row = this.#row;
    if (row === undefined) this.#draw();
    else {
      const query = `${queryOf(row)} is:open`;
      this.#program.run('dialog.close');
      this.#program.run('search.for', { query });
    }
  }

  #do(action: Exclude<LabelManagerAction, { readonly action: 'draft' | 'tasks' }>): void {
    switch (action.action) {
      case 'commit':
        return;
      case 'rename':
        this.#isRenaming = this.#row !== undefined;
        return;
      case 'move':
        return this.#move(action.to);
      case 'filter':
        this.#filter = action.text;
        return;
      case 'choose':
        this.#chosen = action.id;
        return;
      case 'createLabel':
        return this.#create('label');
      case 'createGroup':
        return this.#create('group');
      case 'delete':
        return this.#remove();
      case 'color':
        return this.#set('color', action.color, `in ${colorName(action.color).toLowerCase()}`);
      case 'group':
        return this.#regroup(action.group);
      case 'private':
        return this.#setPrivate(action.isOn);
      case 'exclusive':
        this.#setExclusive(action.isOn);
    }
  }

  #move(to: ListMove): void {
    const at = this.#entries.findIndex(({ id }) => id === this.#chosen);
    this.#chosen = this.#entries[movedTo(at, this.#entries.length, to)]?.id ?? null;
  }

  get #row(): Row | undefined {
    return this.#chosen === null ? undefined : this.#program.replica.row(this.#chosen);
  }

  #say(text: string, isError = false): void {
    this.#answer = { text, isError };
    if (isError) this.#revision += 1;
  }

  #change(actions: readonly Action[], label: string, said: string): void {
    const { verdicts } = this.#program.change(actions, label, { atomic: true });
    if (verdicts.every((verdict) => verdict === 'ok')) this.#say(said);
    else this.#say('You can’t do that here.', true);
  }

  #create(kind: 'label' | 'group'): void {
    const problem = nameProblem(this.#program, kind, this.#filter);
    if (problem !== null) {
      this.#say(this.#filter.trim() === '' ? 'Type a name in the field first.' : problem, true);
      return;
    }
    const action = (kind === 'label' ? newLabel : newGroup)(this.#program, this.#filter);
    const name = quoted(this.#filter.trim());
    this.#change([action], `created ${kind} ${name}`, `Created ${kind} ${name}.`);
    this.#filter = '';
    this.#chosen = action.id;
  }

  #commitDraft(): void {
    const draft = this.#draft;
    this.#draft = null;
    const row = draft && this.#program.replica.row(draft.id);
    if (!draft || !row) return;
    if (draft.field === 'hotkey') this.#setHotkey(row, draft.text.trim());
    else this.#rename(row, fitName(draft.text.trim()).text);
  }

  #rename(row: Row, name: string): void {
    const before = labelName(row);
    if (name === before) return;
    const kind = row.type === 'label' ? 'label' : 'group';
    const problem = nameProblem(this.#program, kind, name, row.id);
    if (problem !== null) this.#say(`${problem} ${quoted(before)} keeps its old name.`, true);
    else {
      const action: Action = { a: 'set', id: row.id, field: 'name', value: name };
      const label = `renamed ${kind} ${quoted(before)} to ${quoted(name)}`;
      this.#change([action], label, `Renamed ${quoted(before)} to ${quoted(name)}.`);
    }
  }

  #setHotkey(row: Row, text: string): void {
    const { replica } = this.#program;
    const before = hotkeyOf(replica, row) ?? '';
    if (text === before) return;
    const problem = text === '' ? null : keyProblem(this.#program, text, row.id);
    if (problem !== null) {
      this.#say(problem, true);
      return;
    }
    const name = quoted(labelName(row));
    const action = hotkeyAction(replica, row.id, text);
    const did = text === '' ? `removed the key from ${name}` : `gave ${name} the key ${text}`;
    this.#change([action], did, `${did.charAt(0).toUpperCase()}${did.slice(1)}.`);
  }

  #set(field: 'color', value: string, how: string): void {
    const row = this.#row;
    if (row?.type !== 'label' || !/^#[0-9a-f]{6}$/.test(value) || row.fields[field] === value) return;
    const name = quoted(labelName(row));
    this.#change([{ a: 'set', id: row.id, field, value }], `colored ${name}`, `${name} is now ${how}.`);
  }

  #setExclusive(isOn: boolean): void {
    const chosen = this.#row;
    const row = chosen?.type === 'label' ? groupOf(this.#program.replica, chosen) : chosen;
    if (row?.type !== 'labelGroup') return;
    const name = quoted(labelName(row));
    const action: Action = { a: 'set', id: row.id, field: 'exclusive', value: isOn ? true : null };
    const said = isOn
      ? `A task can have one label from ${name}.`
      : `A task can have several labels from ${name}.`;
    this.#change([action], `changed group ${name}`, said);
  }

  #setPrivate(wanted: boolean): void {
    const row = this.#row;
    if (row === undefined || wanted === isPrivate(row)) return;
    const list = listOfScope(this.#program.replica, row.scope);
    if (list !== null) {
      const name = quoted(labelName(row));
      this.#say(`${name} belongs to the list ${quoted(list)}, so everybody on it sees it.`, true);
      return;
    }
    const { text, isError } = setVisibility(this.#program, row, wanted ? 'private' : 'shared');
    this.#say(text, isError);
  }

  #regroup(to: Id | null): void {
    const row = this.#row;
    const { replica } = this.#program;
    if (row?.type !== 'label' || (groupOf(replica, row)?.id ?? null) === to) return;
    const name = quoted(labelName(row));
    const parent = to ?? labelsRoot(row.scope);
    const where = to === null ? 'out of its group' : `to group ${quoted(labelName(replica.row(to)))}`;
    const group = (to === null ? null : replica.row(to)) ?? null;
    const said = `Moved ${name} ${where}.${isPrivate(group) && !isPrivate(row) ? ' It’s private now.' : ''}`;
    hideFor(this.#program, row, group, `moved ${name} ${where}`);
    this.#change([{ a: 'place', id: row.id, place: { parent } }], `moved ${name} ${where}`, said);
  }

  /** Labels of a deleted group stay. */
  #remove(): void {
    const row = this.#row;
    if (!row) return;
    const at = this.#entries.findIndex(({ id }) => id === row.id);
    const next = this.#entries[at + 1] ?? this.#entries[at - 1];
    const name = quoted(labelName(row));
    if (row.type === 'label') {
      this.#change([{ a: 'delete', id: row.id }], `deleted label ${name}`, `Deleted label ${name}.`);
    } else {
      const { replica } = this.#program;
      const members = shelves(replica, row.scope).find(({ group }) => group?.id === row.id)?.labels ?? [];
      const place = { parent: labelsRoot(row.scope) };
      const moves = members.map((label): Action => ({ a: 'place', id: label.id, place }));
      const stay =
        members.length === 0 ? '' : members.length === 1 ? ' Its label stays.' : ' Its labels stay.';
      const said = `Deleted group ${name}.${stay}`;
      this.#change([...moves, { a: 'delete', id: row.id }], `deleted group ${name}`, said);
    }
    this.#chosen = next?.id ?? null;
  }

  #undo(): void {
    const outcome = this.#program.run('edit.undo');
    if (outcome.type === 'done') this.#say(outcome.announce ?? '');
    else if (outcome.type === 'refused') this.#say(outcome.reason, outcome.tone === undefined);
    this.#revision += 1;
  }

  #carriersOf(id: Id): Carriers {
    this.#carriers ??= carriersOf(this.#program);
    return this.#carriers.get(id) ?? { count: 0, sample: null };
  }

  /** One's own, then those of each shared list; a heading over each, if there are several. */
  #collect(): readonly LabelEntryView[] {
    const { replica } = this.#program;
    const parts = labelScopes(replica).map((scope) => ({ scope, entries: this.#collectOf(scope) }));
    const shown = parts.filter(({ entries }) => entries.length > 0);
    if (shown.every(({ scope }) => scope === replica.scope)) return shown.flatMap(({ entries }) => entries);
    return shown.flatMap(({ scope, entries: [first, ...others] }) => {
      const heading = listOfScope(replica, scope) ?? 'Mine';
      return first === undefined ? [] : [{ ...first, heading }, ...others];
    });
  }

  /** Groups with their labels first, then labels without a group. */
  #collectOf(scope: Id): readonly LabelEntryView[] {
    const matches = (row: Row) =>
      rank(this.#filter, prepare({ title: labelName(row), aliases: [] })) !== null;
    const [loose, ...grouped] = shelves(this.#program.replica, scope);
    return [...grouped, ...(loose ? [loose] : [])].flatMap(({ group, labels }) => {
      const whole = group !== null && matches(group);
      const shown = labels
        .filter((label) => whole || matches(label))
        .map((label) => this.#entry(label, group));
      return group !== null && (whole || shown.length > 0) ? [this.#entry(group, null), ...shown] : shown;
    });
  }

  #entry(row: Row, group: Row | null): LabelEntryView {
    const isGroup = row.type === 'labelGroup';
    return {
      id: row.id,
      kind: isGroup ? 'group' : 'label',
      name: labelName(row),
      color: isGroup ? null : (fieldOf(row, 'color') ?? plainColor),
      keys: this.#program.labelKeys.capsOf(hotkeyOf(this.#program.replica, row)),
      heading: null,
      level: group === null ? 1 : 2,
      note: [isExclusive(row) && 'one per task', isPrivate(row) && 'private'].filter(Boolean).join(', '),
      count: this.#carriersOf(row.id).count,
    };
  }

  #chosenView(row: Row): LabelChosenView {
    const { count, sample } = this.#carriersOf(row.id);
    const list = listOfScope(this.#program.replica, row.scope);
    const common = { id: row.id, name: labelName(row), isPrivate: isPrivate(row), list, count };
    if (row.type === 'labelGroup') return { ...common, kind: 'group', exclusive: isExclusive(row) };
    return {
      ...common,
      kind: 'label',
      color: fieldOf(row, 'color') ?? plainColor,
      hotkey: hotkeyOf(this.#program.replica, row) ?? '',
      group: groupOf(this.#program.replica, row)?.id ?? null,
      sample,
    };
  }
}
