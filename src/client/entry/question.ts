// A question of quick entry: what is chosen by hand instead of typed. Dates and repeats are read by the pickers, which here
// are about a task that does not exist yet; labels and lists are found by name, or made. quick-entry.ts takes the answer.
import type { RepeatReading } from '#core/dates/repeat-phrase.ts';
import type { Reading } from '#core/dates/phrase.ts';
import { type Id, inboxId } from '#core/ids.ts';
import { type Named, signed } from '#core/titles/names.ts';
import type { When } from '#core/when.ts';
import type { Program } from '../app/program.ts';
import { type ListMove, movedTo } from '../dialogs/list-cursor.ts';
import { same } from '../labels/creating.ts';
import { labelChoices } from '../labels/choices.ts';
import { fitName } from '../text/fitting.ts';
import { byScore, hint, type Item, itemOf } from '../palette/item.ts';
import { namesAbove } from '../palette/place-source.ts';
import { givenTo, givenWhen, parsed } from '../pickers/given.ts';
import type { MonthStep } from '../pickers/month.ts';
import { PickerQuestion } from '../pickers/question.ts';
import { RepeatPicker } from '../pickers/repeat-picker.ts';
import { WhenPicker } from '../pickers/when-picker.ts';
import { prepare, rank } from '../search/ranking.ts';
import type { EntryQuestion, EntryQuestionView } from './entry-view.ts';

/** What was chosen. `null` as a reading: none; `id` null: a label or list of that name has to be made. */
export type EntryAnswer =
  | { readonly what: 'due'; readonly reading: Reading | null }
  | { readonly what: 'repeat'; readonly reading: RepeatReading | null }
  | { readonly what: 'label' | 'list'; readonly id: Id | null; readonly name: string };

/** What the task that is being written has. */
export interface Written {
  readonly due: When | null;
  readonly labels: readonly Id[];
  readonly list: Id | null;
  readonly lists: readonly Named[];
}

interface Ports {
  readonly written: () => Written;
  readonly answer: (answer: EntryAnswer) => void;
  /** Words that answer another question. */
  readonly instead: (what: EntryQuestion, words: string) => void;
}

const SAID: Readonly<Record<EntryQuestion, readonly [title: string, prompt: string]>> = {
  due: ['Due', '“fri 5pm”, “in 3 weeks”'],
  repeat: ['Repeat', '“every 2 weeks”'],
  label: ['Label', 'Find or create a label'],
  list: ['List', 'Find or create a list'],
};

const OTHER: Readonly<Record<string, EntryQuestion>> = { 'task.due': 'due', 'task.repeat': 'repeat' };

/** Holds the field, the answers and the active one while something is chosen by hand. */
export class Question {
  readonly #program: Program;
  readonly #what: EntryQuestion;
  readonly #ports: Ports;
  readonly #picker: PickerQuestion | null;
  #query: string;
  #items: readonly Item[] = [];
  #active = 0;
  #isMoved = false;

  /** `words`: what the field holds already. */
  constructor(program: Program, what: EntryQuestion, ports: Ports, words = '') {
    this.#program = program;
    this.#what = what;
    this.#ports = ports;
    this.#query = words;
    this.#picker = what === 'due' || what === 'repeat' ? this.#createPicker(what) : null;
    this.#list();
  }

  #createPicker(what: 'due' | 'repeat'): PickerQuestion {
    const program = this.#program;
    const { due } = this.#ports.written();
    const picker =
      what === 'due' ? new WhenPicker(program, 'due', { given: due }) : new RepeatPicker(program, []);
    return new PickerQuestion(program, picker, {
      answer: (value) => this.#picked(value),
      acceptKeys: () => [],
      keysOf: () => [],
      instead: (command, words) => this.#ports.instead(OTHER[command] ?? what, words),
      again: (active) => this.#list(active),
    });
  }

  get view(): EntryQuestionView {
    const [title, prompt] = SAID[this.#what];
    const item = this.#items[this.#active];
    return {
      what: this.#what,
      title,
      prompt,
      query: this.#query,
      items: this.#items,
      active: this.#active,
      note: item?.note ?? null,
      month: this.#picker?.month(this.#meant, false) ?? null,
    };
  }

  type(query: string): void {
    this.#query = query;
    this.#isMoved = false;
    this.#list();
  }

  move(to: ListMove): void {
    this.#active = movedTo(this.#active, this.#items.length, to);
    this.#isMoved = true;
  }

  pick(index = this.#active): void {
    const item = this.#items[index];
    if (item && item.unavailable === null) item.choose();
  }

  /** Answers with that day, at the time of day the task has. */
  pickDay(day: string): void {
    this.type(this.#picker?.said(this.#meant, day) ?? '');
    this.pick();
  }

  step(step: MonthStep): void {
    const text = this.#picker?.stepped(this.#meant, step) ?? null;
    if (text !== null) this.type(text);
  }

  /** Before anything is typed or moved to, the month is that of the date the task has. */
  get #meant(): Item | undefined {
    return this.#query === '' && !this.#isMoved ? undefined : this.#items[this.#active];
  }

  /** `active`: the item that stays active; null: the first. */
  #list(active: string | null = null): void {
    const found = this.#found();
    this.#items = found.length > 0 ? found : [hint('Nothing has that name')];
    this.#active = Math.max(0, active === null ? 0 : this.#items.findIndex(({ id }) => id === active));
  }

  #found(): readonly Item[] {
    if (this.#picker !== null) return this.#picker.items(this.#query);
    return this.#what === 'label' ? this.#labels() : this.#lists();
  }

  #picked(value: string): void {
    if (this.#what === 'due') {
      const given = givenWhen(this.#program, value);
      const when = given && givenTo(this.#program, given, this.#ports.written().due);
      this.#ports.answer({ what: 'due', reading: given && when && { ...given, when } });
      return;
    }
    // Made by the picker of repeats; else it is its word for none.
    const reading = parsed(value) as RepeatReading | null;
    this.#ports.answer({ what: 'repeat', reading });
  }

  #labels(): readonly Item[] {
    const has = new Set(this.#ports.written().labels);
    return labelChoices(this.#program, [], this.#query).map(({ id, name, color, group }) => {
      if (id === null) return this.#creating(name);
      return itemOf({
        id: `label.${id}`,
        title: name,
        hint: group ?? '',
        color,
        state: has.has(id) ? 'all' : 'none',
        choose: () => this.#ports.answer({ what: 'label', id, name }),
      });
    });
  }

  #lists(): readonly Item[] {
    const { list, lists } = this.#ports.written();
    const { replica } = this.#program;
    const inbox = inboxId(replica.scope);
    const text = this.#query.trim();
    const found = lists.flatMap(({ id, name }) => {
      const row = replica.row(id);
      const path = row === undefined || id === inbox ? [] : namesAbove(this.#program, row);
      const hit = rank(text, prepare({ title: name, aliases: [], path }));
      if (hit === null) return [];
      const item = itemOf({
        id: `list.${id}`,
        title: name || 'Untitled',
        hint: path.join(' › '),
        icon: id === inbox ? 'inbox' : 'list',
        state: id === list ? 'all' : 'none',
        choose: () => this.#ports.answer({ what: 'list', id, name }),
      });
      return [{ item, score: hit.score }];
    });
    if (text === '') return found.map(({ item }) => item);
    const isKnown = lists.some(({ name }) => same(name, text));
    return [...byScore(found), ...(isKnown ? [] : [this.#creating(text)])];
  }

  #creating(text: string): Item {
    const kind = this.#what === 'label' ? 'label' : 'list';
    const { text: name } = fitName(text.trim());
    return itemOf({
      id: `create.${kind}`,
      title: `New ${kind} ${signed({ kind, name })}`,
      hint: '',
      icon: 'plus',
      choose: () => this.#ports.answer({ what: kind, id: null, name }),
    });
  }
}
