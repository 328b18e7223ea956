// Does what a link into the app asks for (read.ts), as far as a link may: it opens places, and makes tasks and lists that
// undo takes back. More than a few at once are asked about first. A lazy chunk.
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { readDate } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { When } from '#core/when.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { isTrashed } from '#sync/row-reading.ts';
import { revealRow } from '../commands/navigation.ts';
import { quoted } from '../editor.ts';
import { fitName } from '../fitting.ts';
import { allLabels, labelName } from '../labels/catalog.ts';
import { moreNotes, taskText } from '../long-text.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Program } from '../program.ts';
import { openSafety, WAITING_PROMO } from '../safety/door.ts';
import { nameOf } from '../row-facts.ts';
import { linkSelection } from '../settings/links.ts';
import { selectedFileName, selectedIn, selectedWhenLeft } from './selected.ts';
import { type Link, type LinkDate, type LinkPlace, type LinkTask, readLink } from './read.ts';

/** What links made lately, on this device: wall times. */
const MADE = 'links.made';
const MOST_MADE = 10;
const WITHIN_MS = 10_000;

class NotPossible extends Error {}

const refuse = (problem: string): never => {
  throw new NotPossible(problem);
};

const isList = (row: Row | undefined): row is Row => row?.type === 'list' && !isTrashed(row);

class Following {
  readonly #program: Program;
  /** The link opened this window. */
  readonly #hasOpened: boolean;

  constructor(program: Program, hasOpened: boolean) {
    this.#program = program;
    this.#hasOpened = hasOpened;
  }

  follow(link: Link): void {
    const program = this.#program;
    switch (link.type) {
      case 'home':
        return;
      case 'list':
        program.open({ type: 'list', id: this.#listAt(link.place).id });
        return;
      case 'open task':
        this.#openTask(link.id);
        return;
      case 'task':
        this.#task(link.task);
        return;
      case 'create':
        this.#create(link);
        return;
      case 'selected':
        this.#selected();
        return;
      case 'command':
        program.run(link.command);
        return;
      case 'purchase':
        if (program.platform.account.email !== null) openSafety(program, 'promo');
        else program.say('There is nothing to buy in this version: everything works without.');
        return;
      case 'promo':
        this.#promo(link.code);
        return;
      case 'later':
        program.say(LATER[link.what]);
    }
  }

  /** A link only fills the field in: redeeming is the person's own key. */
  #promo(code: string): void {
    const program = this.#program;
    if (program.platform.account.email !== null) {
      openSafety(program, 'promo', () => code);
      return undefined;
    }
    program.platform.preferences.set(WAITING_PROMO, code);
    program.run('account.signUp');
    program.say(`A promo code belongs to an account. ${quoted(code)} waits until you have signed up or in.`);
    return undefined;
  }

  #openTask(id: Id): void {
    const row = this.#program.replica.row(id);
    if (row?.type !== 'task' || isTrashed(row) || !revealRow(this.#program, row))
      refuse('There is no such task.');
  }

  #task(task: LinkTask): void {
    if (task.title === '') {
      this.#program.entry.openDialog({ text: '', notes: task.notes });
      return;
    }
    try {
      this.#makeTask(task);
    } catch (error) {
      if (!(error instanceof NotPossible)) throw error;
      // Nothing is lost: what was to be added waits to be corrected.
      this.#program.entry.openDialog({ text: task.title, notes: task.notes });
      throw error;
    }
  }

  #makeTask(task: LinkTask): void {
    const program = this.#program;
    const { replica } = program;
    const parent = task.place ? this.#holderAt(task.place) : inboxId(replica.scope);
    const due = this.#when(task.due);
    const start = this.#when(task.start);
    const labels = task.labels.map((name) => ({ name, id: this.#labelNamed(name) }));
    const { fields, rest } = taskText(task.title, task.notes);
    const id = replica.newId();
    const values = {
      ...fields,
      ...(due ? { due } : {}),
      ...(start ? { start } : {}),
      ...(task.duration === null ? {} : { duration: task.duration }),
      ...Object.fromEntries(labels.flatMap((label) => (label.id ? [[`label:${label.id}`, true]] : []))),
    };
    const place = { parent, ...(task.prepends ? { at: 'start' as const } : {}) };
    const missing = labels.filter((label) => label.id === null).map(({ name }) => quoted(name));
    const said = `Added ${quoted(fields.title ?? '')} to ${nameOf(replica.row(parent)) || 'Inbox'}.`;
    const unknown = missing.length === 0 ? '' : ` There is no label ${missing.join(', ')}.`;
    this.#make(`A link wants to add the task ${quoted(task.title)}.`, () => {
      const actions: Action[] = [
        { a: 'create', id, type: 'task', fields: values, place },
        ...moreNotes(id, rest, () => replica.newId()),
      ];
      const { verdicts } = program.change(actions, `added ${quoted(fields.title ?? '')}`);
      if (verdicts[0] !== 'ok') refuse('The task cannot be added there.');
      const row = replica.row(id);
      if (task.selects && row) revealRow(program, row);
      program.say(said + unknown, { undo: true });
    });
  }

  #create({ kind, name, place }: Extract<Link, { type: 'create' }>): void {
    const program = this.#program;
    const { replica } = program;
    const parent = place ? this.#folderAt(place).id : listsRoot(replica.scope);
    const id = replica.newId();
    const fields = { name: fitName(name).text, listType: kind };
    this.#make(`A link wants to make the ${kind} ${quoted(name)}.`, () => {
      const { verdicts } = program.change(
        [{ a: 'create', id, type: 'list', fields, place: { parent } }],
        `created ${kind} ${quoted(name)}`,
      );
      if (verdicts[0] !== 'ok') refuse(`The ${kind} cannot be made there.`);
      program.say(`Created the ${kind} ${quoted(name)}.`, { undo: true });
    });
  }

  /** Which tasks are selected is the person's own business until they say otherwise. */
  #selected(): void {
    const { settings, platform } = this.#program;
    if (!settings.get(linkSelection))
      refuse('A link asked which tasks are selected. Settings, Behavior can allow that.');
    const left = this.#hasOpened ? selectedWhenLeft(this.#program) : null;
    const text = JSON.stringify(left ?? selectedIn(this.#program), null, 2);
    platform.saveFile(selectedFileName, 'application/json', `${text}\n`);
    void platform.copyText(text);
    this.#program.say('The ids of the selected tasks were saved as a file and copied.');
  }

  /** Makes something, unless links have made many things in a moment: then it is asked for. */
  #make(question: string, make: () => void): void {
    const program = this.#program;
    const now = program.replica.now();
    const { preferences } = program.platform;
    const times = (preferences.get(MADE) ?? '').split(' ').map(Number);
    const recent = times.filter((at) => at > now - WITHIN_MS && at <= now);
    if (recent.length < MOST_MADE) {
      preferences.set(MADE, [...recent, now].join(' '));
      make();
      return;
    }
    program.linkWaits = make;
    const text = `${question} Links have added ${recent.length} things in ten seconds.`;
    program.dialog.set({ type: 'confirm', text, action: 'Add it', command: 'link.goOn' });
  }

  #listAt(place: LinkPlace): Row {
    const row = this.#rowAt(place);
    return isList(row) ? row : refuse('There is no such list.');
  }

  #folderAt(place: LinkPlace): Row {
    const row = this.#listAt(place);
    return row.fields.listType === 'folder' ? row : refuse(`${quoted(nameOf(row))} is no folder.`);
  }

  /** What a task can be added to. */
  #holderAt(place: LinkPlace): Id {
    const row = this.#rowAt(place);
    if (row?.type === 'task' && !isTrashed(row)) return row.id;
    if (!isList(row)) return refuse('There is no such list.');
    const type = row.fields.listType;
    return type === 'folder' || type === 'smart'
      ? refuse(`${quoted(nameOf(row))} holds no tasks of its own. Choose a list.`)
      : row.id;
  }

  #rowAt(place: LinkPlace): Row | undefined {
    const { replica } = this.#program;
    if (place.type === 'id') return replica.row(place.id);
    let parent = listsRoot(replica.scope);
    let found: Row | undefined;
    for (const name of place.names) {
      const lists = replica.children(parent).filter(isList);
      found = lists.find((row) => (nameOf(row) || 'Inbox') === name);
      if (!found) return refuse(`There is no list ${quoted(place.names.join(' / '))}.`);
      parent = found.id;
    }
    return found;
  }

  #when(date: LinkDate): When | null {
    if (date === null) return null;
    if ('at' in date) return { at: date.at, zone: this.#program.platform.zone() };
    const [reading] = readDate(date.words, phraseContext(this.#program, null), { vocabulary: english });
    return reading ? reading.when : refuse(`${quoted(date.words)} is not understood as a date.`);
  }

  /** Exactly so, spaces and capitals included. */
  #labelNamed(name: string): Id | null {
    return allLabels(this.#program.replica).find(({ row }) => labelName(row) === name)?.row.id ?? null;
  }
}

const LATER: Readonly<Record<Extract<Link, { type: 'later' }>['what'], string>> = {
  macro: 'This link starts a macro. Macros are not part of this version yet.',
  invitation: 'This link is an invitation to a shared list. Shared lists are not part of this version yet.',
};

/** `address` as read.ts takes it; `hasOpened`: it opened this window. Says what was done, or why not. */
export function followLink(program: Program, address: string, hasOpened: boolean): void {
  const read = readLink(address);
  try {
    if (read.ok) new Following(program, hasOpened).follow(read.link);
    else refuse(read.problem);
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    program.say(error.message, { error: true });
  }
}
