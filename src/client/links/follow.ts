// Follows a link into the app (read.ts), as far as links may act: it opens places, and makes tasks and lists with undo.
// The person confirms before more than a few are made. A lazy part.
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { readDate } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { When } from '#core/when.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { PromoTerms } from '#wire/api/promo.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { LinkFrom } from '../app/app.ts';
import { revealRow } from '../commands/places.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import { labelName } from '../labels/catalog.ts';
import { allLabels } from '../labels/label-scopes.ts';
import { moreNotes, taskText } from '../text/long-text.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Program } from '../app/program.ts';
import { openSafety, takePromoCode, WAITING_PROMO, WAITING_TERMS, waitingOffer } from '../safety/lazy.ts';
import { macroCommand } from '../macros/macro.ts';
import { macros } from '../macros/part.ts';
import { nameOf } from '../outline/row-facts.ts';
import { linkSelection } from '../settings/links.ts';
import { selectedFileName, selectedIn, selectedWhenLeft } from './selected.ts';
import { type Link, type LinkDate, type LinkPlace, type LinkTask, readLink } from './read.ts';
import { taskEntry } from '../entry/part.ts';
import { purchase } from '../plan/purchase.ts';
import { openInvitation } from '../sharing/lazy.ts';

/** Times at which links made something on this device: wall times. */
const MADE = 'links.made';
const MOST_MADE = 10;
const WITHIN_MS = 10_000;

/** Parts of a task in a link that exist here; null: not given, or among the problems. */
interface Understood {
  readonly parent: Id | null;
  readonly due: When | null;
  readonly start: When | null;
  readonly labels: readonly { readonly id: Id; readonly name: string }[];
  readonly problems: readonly string[];
}

class NotPossible extends Error {}

const wordsOf = ({ name, discount_percentage: percentage, discount_num_months: months }: PromoTerms) =>
  `${percentage}% off your first ${months === 1 ? 'month' : `${months} months`}, from ${name}`;

const refuse = (problem: string): never => {
  throw new NotPossible(problem);
};

const isList = (row: Row | undefined): row is Row => row?.type === 'list' && !isTrashed(row);

class Following {
  readonly #program: Program;
  readonly #from: LinkFrom;

  constructor(program: Program, from: LinkFrom) {
    this.#program = program;
    this.#from = from;
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
        void purchase(program, link.checkout);
        return;
      case 'promo':
        this.#promo(link.code);
        return;
      case 'invitation':
        openInvitation(program, link.token);
        return;
      case 'macro':
        // Macros are known once the rest of the app is.
        program.inputQueue.hold(() => attempt(program, () => this.#macro(link)));
    }
  }

  /** Only where its owner allows links to start it; asked about once in a session, and of links of other websites each time. */
  #macro({ id, values }: Extract<Link, { type: 'macro' }>): void {
    const program = this.#program;
    const shelf = program.part(macros);
    const macro = shelf.get(id);
    if (macro === null) return refuse('That macro doesn’t exist.');
    const name = quoted(macro.name);
    if (!macro.takesLinks)
      refuse(`A link wants to run ${name}. To allow that, choose “Let links and programs start a macro…”.`);
    const given = Object.entries(values).map(([variable, value]) => `${variable} = ${quoted(value)}`);
    const withValues = given.length === 0 ? '' : ` with ${given.join(', ')}`;
    const isKnown = shelf.startedByLinks.has(id);
    this.#make(
      `A link wants to run the macro ${name}${withValues}.`,
      () => {
        shelf.startedByLinks.add(id);
        program.run(macroCommand(id), values);
      },
      { action: 'Run it', why: isKnown ? null : 'It’s the first time since you opened the app.' },
    );
    return undefined;
  }

  /** A link only fills in the field: redeeming takes a key press. */
  #promo(code: string): void {
    const program = this.#program;
    if (program.platform.account.email !== null) {
      openSafety(program, 'promo', () => code);
      return undefined;
    }
    const { preferences } = program.platform;
    if (preferences.get(WAITING_PROMO) !== code) preferences.set(WAITING_TERMS, '');
    preferences.set(WAITING_PROMO, code);
    program.run('account.signUp');
    program.say(`Promo codes need an account. Sign up or sign in to use ${quoted(code)}.`);
    void this.#askTerms(code);
    return undefined;
  }

  /**
   * Shows the value of the code beside the form once the server has answered. Without an answer the code is kept all
   * the same.
   */
  async #askTerms(code: string): Promise<void> {
    const program = this.#program;
    const port = await program.platform.account.safety();
    const terms = 'type' in port ? null : await port.promoTerms(code);
    // The form may still be loading.
    program.inputQueue.hold(() => {
      const { preferences } = program.platform;
      if (terms?.ok !== true || preferences.get(WAITING_PROMO) !== code) return;
      if (terms.value === null) takePromoCode(program);
      else preferences.set(WAITING_TERMS, wordsOf(terms.value));
      const none = `There’s no promo code ${quoted(code)}, or it has expired.`;
      if (terms.value === null) program.say(none);
      const dialog = program.dialog.get();
      if (dialog?.type !== 'signUp' && dialog?.type !== 'signIn') return;
      const { offer: _before, ...form } = dialog;
      // It stays beside the form, even after looking elsewhere.
      program.dialog.show({ ...form, ...(terms.value === null ? { offer: none } : waitingOffer(program)) });
    });
  }

  #openTask(id: Id): void {
    const row = this.#program.replica.row(id);
    if (row?.type !== 'task' || isTrashed(row) || !revealRow(this.#program, row))
      refuse('That task doesn’t exist.');
  }

  #task(task: LinkTask): void {
    const found = this.#understood(task);
    if (task.asks || task.title === '' || found.problems.length > 0) {
      this.#hold(task, found);
      return;
    }
    try {
      this.#makeTask(task, found);
    } catch (error) {
      if (!(error instanceof NotPossible)) throw error;
      this.#hold(task, { ...found, problems: [error.message] });
    }
  }

  /** Resolves the parts of the task that exist here, with a sentence for each that does not. */
  #understood({ place, due, start, labels, problems: unread }: LinkTask): Understood {
    const problems: string[] = [];
    const attempt = <T>(read: () => T): T | null => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof NotPossible)) throw error;
        problems.push(error.message);
        return null;
      }
    };
    const named = labels.map((name) => ({ name, id: this.#labelNamed(name) }));
    const missing = named.filter((label) => label.id === null).map(({ name }) => quoted(name));
    const found = {
      parent: place === null ? null : attempt(() => this.#holderAt(place)),
      due: attempt(() => this.#when(due)),
      start: attempt(() => this.#when(start, 'first day')),
      labels: named.flatMap(({ name, id }) => (id === null ? [] : [{ name, id }])),
    };
    if (missing.length > 0) problems.push(`There’s no label ${missing.join(', ')}.`);
    return { ...found, problems: [...new Set([...problems, ...unread])] };
  }

  /** Opens quick entry with everything understood, so that the task can be corrected and nothing is lost. */
  #hold(task: LinkTask, { parent, due, start, labels, problems }: Understood): void {
    const holder = parent === null ? undefined : this.#program.replica.row(parent);
    const isInList = holder?.type === 'list';
    const left = [
      ...(start === null ? [] : ['The start date isn’t set. Add it afterward.']),
      // Quick entry adds to lists only.
      ...(holder === undefined || isInList ? [] : ['The place isn’t set. Move the task afterward.']),
    ];
    this.#program.part(taskEntry).openDialog({
      text: task.title,
      notes: task.notes,
      isQuoted: task.asks,
      reason: [...problems, ...left].join(' '),
      list: isInList ? parent : null,
      due,
      durationMinutes: task.duration,
      labels,
    });
  }

  #makeTask(task: LinkTask, found: Understood): void {
    const program = this.#program;
    const { replica } = program;
    const { due, start, labels } = found;
    const parent = found.parent ?? inboxId(replica.scope);
    const { fields, rest } = taskText(task.title, task.notes);
    const id = replica.newId();
    const values = {
      ...fields,
      ...(due ? { due } : {}),
      ...(start ? { start } : {}),
      ...(task.duration === null ? {} : { duration: task.duration }),
      ...Object.fromEntries(labels.map((label) => [`label:${label.id}`, true])),
    };
    const place = { parent, ...(task.prepends ? { at: 'start' as const } : {}) };
    const said = `Added ${quoted(fields.title ?? '')} to ${nameOf(replica.row(parent)) || 'Inbox'}.`;
    this.#make(`A link wants to add the task ${quoted(task.title)}.`, () => {
      const actions: Action[] = [
        { a: 'create', id, type: 'task', fields: values, place },
        ...moreNotes(id, rest, () => replica.newId()),
      ];
      const { verdicts } = program.change(actions, `added ${quoted(fields.title ?? '')}`);
      if (verdicts[0] !== 'ok') refuse('You can’t add the task there.');
      const row = replica.row(id);
      if (task.selects && row) revealRow(program, row);
      program.say(said, { undo: true });
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
      if (verdicts[0] !== 'ok') refuse(`You can’t create the ${kind} there.`);
      program.say(`Created the ${kind} ${quoted(name)}.`, { undo: true });
    });
  }

  /** Which tasks are selected is private until the person allows links to ask. */
  #selected(): void {
    const { settings, platform } = this.#program;
    if (!settings.get(linkSelection))
      refuse('A link asked which tasks are selected. To allow that, go to Settings, Behavior.');
    const left = this.#from.hasOpened ? selectedWhenLeft(this.#program) : null;
    const text = JSON.stringify(left ?? selectedIn(this.#program), null, 2);
    platform.saveFile(selectedFileName, 'application/json', `${text}\n`);
    void platform.copyText(text);
    this.#program.say('Saved the ids of the selected tasks as a file and copied them.');
  }

  /** Makes something, or runs a macro. Asks first if the link came from another site, or if links made many things just now. */
  #make(
    question: string,
    make: () => void,
    asking: { readonly action: string; readonly why: string | null } = { action: 'Add it', why: null },
  ): void {
    const program = this.#program;
    const now = program.replica.now();
    const { preferences } = program.platform;
    const times = (preferences.get(MADE) ?? '').split(' ').map(Number);
    const recent = times.filter((at) => at > now - WITHIN_MS && at <= now);
    const { isForeign } = this.#from;
    if (recent.length < MOST_MADE && !isForeign && asking.why === null) {
      preferences.set(MADE, [...recent, now].join(' '));
      make();
      return;
    }
    program.onConfirm = make;
    const why = isForeign
      ? 'The link is on another website.'
      : (asking.why ?? `Links have done ${recent.length} things in ten seconds.`);
    const text = `${question} ${why}`;
    program.dialog.show({ type: 'confirm', text, action: asking.action, command: 'dialog.confirm' });
  }

  #listAt(place: LinkPlace): Row {
    const row = this.#rowAt(place);
    return isList(row) ? row : refuse('That list doesn’t exist.');
  }

  #folderAt(place: LinkPlace): Row {
    const row = this.#listAt(place);
    return fieldOf(row, 'listType') === 'folder' ? row : refuse(`${quoted(nameOf(row))} isn’t a folder.`);
  }

  /** The parent for a new task. */
  #holderAt(place: LinkPlace): Id {
    const row = this.#rowAt(place);
    if (row?.type === 'task' && !isTrashed(row)) return row.id;
    if (!isList(row)) return refuse('That list doesn’t exist.');
    const type = fieldOf(row, 'listType');
    return type === 'folder' || type === 'smart'
      ? refuse(`You can’t add tasks to ${quoted(nameOf(row))}. Choose a list.`)
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
      if (!found) return refuse(`There’s no list ${quoted(place.names.join(' / '))}.`);
      parent = found.id;
    }
    return found;
  }

  /** `side`: which day of a range of days. */
  #when(date: LinkDate, side: 'first day' | 'last day' = 'last day'): When | null {
    if (date === null) return null;
    if ('at' in date) return { at: date.at, zone: this.#program.platform.zone() };
    const [reading] = readDate(date.words, phraseContext(this.#program, null), { vocabulary: english });
    if (reading?.start && side === 'first day') return reading.start;
    return reading ? reading.when : refuse(`${quoted(date.words)} isn’t a date.`);
  }

  /** Exact match, including spaces and capitals. */
  #labelNamed(name: string): Id | null {
    return allLabels(this.#program.replica).find(({ row }) => labelName(row) === name)?.row.id ?? null;
  }
}

/** Reports what is not possible in the status line. */
function attempt(program: Program, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    program.say(error.message, { error: true });
  }
}

/** `address` as read.ts takes it. Reports the outcome in the status line. */
export function followLink(program: Program, address: string, from: LinkFrom): void {
  const read = readLink(address);
  attempt(program, () => {
    if (read.ok) new Following(program, from).follow(read.value);
    else refuse(read.problem);
  });
}
