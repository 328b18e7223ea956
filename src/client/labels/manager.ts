// The dialog for labels and groups themselves: finding, creating, naming, colouring, grouping, giving keys, deleting; each
// is one undo step. A lazy chunk. Which tasks carry a label is picker.ts.
import { type Id, labelsRoot } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { quoted } from '../editor.ts';
import { fitName } from '../fitting.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { prepare, rank } from '../ranking.ts';
import type { LabelChosenView, LabelEntryView } from './label-view.ts';
import { groupOf, isExclusive, labelName, shelves } from './catalog.ts';
import { colorName, plainColor } from './colors.ts';
import { nameProblem, newGroup, newLabel } from './creating.ts';
import { hotkeyAction, keyProblem } from './hotkey.ts';
import { hideFor, isPrivate, setVisibility } from './visibility.ts';

const PAGE_STEP = 8;

interface Draft {
  readonly id: Id;
  readonly field: 'name' | 'hotkey';
  readonly text: string;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export class LabelManager implements OpenDialog {
  readonly #program: Program;
  #filter = '';
  #chosen: Id | null;
  #draft: Draft | null = null;
  #answer: Answer | null = null;
  /** Grows when a text field has to show again what stands. */
  #revision = 0;
  #entries: readonly LabelEntryView[] = [];

  constructor(program: Program, chosen: Id | null) {
    this.#program = program;
    this.#chosen = chosen;
  }

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', text = '', field = '' } = values;
    if (action === 'draft' && this.#chosen !== null) {
      this.#draft = { id: this.#chosen, field: field === 'hotkey' ? 'hotkey' : 'name', text };
      return;
    }
    this.#answer = null;
    this.#commitDraft();
    this.#do(action, values);
    this.refresh();
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
    const { replica } = this.#program;
    this.#entries = this.#collect();
    if (!this.#entries.some(({ id }) => id === this.#chosen)) this.#chosen = this.#entries[0]?.id ?? null;
    const row = this.#chosen === null ? undefined : replica.row(this.#chosen);
    const groups = shelves(replica).flatMap(({ group }) => group ?? []);
    this.#program.dialog.set({
      type: 'labelManager',
      manager: {
        filter: this.#filter,
        entries: this.#entries,
        active: this.#entries.findIndex(({ id }) => id === this.#chosen),
        chosen: row ? this.#chosenView(row) : null,
        groups: groups.map((group) => ({ id: group.id, name: labelName(group) })),
        answer: this.#answer,
        revision: this.#revision,
      },
    });
  }

  #do(action: string, { text = '', id = '' }: Readonly<Record<string, string>>): void {
    const step = { down: 1, up: -1, pageDown: PAGE_STEP, pageUp: -PAGE_STEP }[action];
    if (step !== undefined) this.#move(step);
    else if (action === 'filter') this.#filter = text;
    else if (action === 'choose') this.#chosen = id as Id;
    else if (action === 'createLabel') this.#create('label');
    else if (action === 'createGroup') this.#create('group');
    else if (action === 'undo') this.#undo();
    else if (action === 'delete') this.#remove();
    else if (action === 'color') this.#set('color', text, `in ${colorName(text).toLowerCase()}`);
    else if (action === 'group') this.#regroup(text as Id | '');
    else if (action === 'private') this.#setPrivate(text === 'yes');
    else if (action === 'exclusive') this.#setExclusive(text === 'yes');
  }

  #move(step: number): void {
    const at = this.#entries.findIndex(({ id }) => id === this.#chosen);
    const to = Math.max(0, Math.min(this.#entries.length - 1, at + step));
    this.#chosen = this.#entries[to]?.id ?? null;
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
    else this.#say('That could not be done here.', true);
  }

  #create(kind: 'label' | 'group'): void {
    const problem = nameProblem(this.#program, kind, this.#filter);
    if (problem !== null) {
      this.#say(this.#filter.trim() === '' ? 'Type the name in the field above first.' : problem, true);
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
    if (problem !== null) this.#say(`${problem} ${quoted(before)} keeps its own.`, true);
    else {
      const action: Action = { a: 'set', id: row.id, field: 'name', value: name };
      const label = `renamed ${kind} ${quoted(before)} to ${quoted(name)}`;
      this.#change([action], label, `Renamed ${quoted(before)} to ${quoted(name)}.`);
    }
  }

  #setHotkey(row: Row, text: string): void {
    const before = (row.fields.hotkey as string | undefined) ?? '';
    if (text === before) return;
    const problem = text === '' ? null : keyProblem(this.#program, text, row.id);
    if (problem !== null) {
      this.#say(problem, true);
      return;
    }
    const name = quoted(labelName(row));
    const action = hotkeyAction(row.id, text);
    const did = text === '' ? `took the key of ${name} away` : `gave ${name} the key ${text}`;
    this.#change([action], did, `${did.charAt(0).toUpperCase()}${did.slice(1)}.`);
  }

  #set(field: 'color', value: string, how: string): void {
    const row = this.#row;
    if (row?.type !== 'label' || !/^#[0-9a-f]{6}$/.test(value) || row.fields[field] === value) return;
    const name = quoted(labelName(row));
    this.#change([{ a: 'set', id: row.id, field, value }], `coloured ${name}`, `${name} is now ${how}.`);
  }

  #setExclusive(isOn: boolean): void {
    const row = this.#row;
    if (row?.type !== 'labelGroup') return;
    const name = quoted(labelName(row));
    const action: Action = { a: 'set', id: row.id, field: 'exclusive', value: isOn ? true : null };
    const said = isOn
      ? `A task has one label of ${name} at most.`
      : `A task can have several labels of ${name}.`;
    this.#change([action], `changed group ${name}`, said);
  }

  #setPrivate(wanted: boolean): void {
    const row = this.#row;
    if (row === undefined || wanted === isPrivate(row)) return;
    const { text, isError } = setVisibility(this.#program, row, wanted ? 'private' : 'shared');
    this.#say(text, isError);
  }

  #regroup(to: Id | ''): void {
    const row = this.#row;
    const { replica } = this.#program;
    if (row?.type !== 'label' || (groupOf(replica, row)?.id ?? '') === to) return;
    const name = quoted(labelName(row));
    const parent = to === '' ? labelsRoot(replica.scope) : to;
    const where = to === '' ? 'out of its group' : `to group ${quoted(labelName(replica.row(to)))}`;
    const group = to === '' ? null : (replica.row(to) ?? null);
    const said = `Moved ${name} ${where}.${isPrivate(group) && !isPrivate(row) ? ' It is private from now on.' : ''}`;
    hideFor(this.#program, row, group, `moved ${name} ${where}`);
    this.#change([{ a: 'place', id: row.id, place: { parent } }], `moved ${name} ${where}`, said);
  }

  /** The labels of a deleted group stay. */
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
      const members = shelves(replica).find(({ group }) => group?.id === row.id)?.labels ?? [];
      const place = { parent: labelsRoot(replica.scope) };
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

  #collect(): readonly LabelEntryView[] {
    const matches = (row: Row) =>
      rank(this.#filter, prepare({ title: labelName(row), aliases: [] })) !== null;
    return shelves(this.#program.replica).flatMap(({ group, labels }) => {
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
      color: isGroup ? null : ((row.fields.color as string | undefined) ?? plainColor),
      keys: this.#program.labelKeys.capsOf(row.fields.hotkey),
      level: group === null ? 1 : 2,
      note: [isExclusive(row) && 'one at most', isPrivate(row) && 'private'].filter(Boolean).join(', '),
    };
  }

  #chosenView(row: Row): LabelChosenView {
    const common = { id: row.id, name: labelName(row), isPrivate: isPrivate(row) };
    if (row.type === 'labelGroup') return { ...common, kind: 'group', exclusive: isExclusive(row) };
    return {
      ...common,
      kind: 'label',
      color: (row.fields.color as string | undefined) ?? plainColor,
      hotkey: (row.fields.hotkey as string | undefined) ?? '',
      group: groupOf(this.#program.replica, row)?.id ?? null,
    };
  }
}
