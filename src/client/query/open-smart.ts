// Smart lists in the running program: the outline of the open one, their counts, and values of new tasks.
// smart-lists.ts knows their contents; search/smart-lists.ts is the part that is always loaded.
import type { Id } from '#core/ids.ts';
import { failed, type Result } from '#core/result.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import type { Outline } from '../outline/outline.ts';
import { within } from '../app/portions.ts';
import type { Program } from '../app/program.ts';
import { smartListDuplicates, smartListNested } from '../settings/behavior.ts';
import { evening, nextWeek, weekStart } from '../settings/general.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import { todayOf } from '../clock/dates.ts';
import { zoneClock } from '#sync/query/slot-test.ts';
import { DayHeadings } from './day-headings.ts';
import type { NewTask } from './new-task.ts';
import type { SmartOutline } from './smart-outline.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { builtInId, builtInOf, builtIns, fieldsOf } from '../search/built-in.ts';
import { smartLists } from '../search/smart-lists.ts';
import { findingOf } from '../search/searching.ts';
import { textIndexOf } from '../search/searching.ts';

/** Milliseconds of checking lists when one is opened, and between two keys. */
const FIRST_MS = 4;
const PORTION_MS = 5;

/** `before`: kept as long as it is still true. */
function daysOf(program: Program, before: DayHeadings | null = null): DayHeadings {
  const { locale, zone, ...moment } = program.moment();
  const context = {
    today: todayOf({ ...moment, zone }),
    clock: zoneClock(zone),
    locale,
    weekStart: phraseContext(program, null).weekStart,
    evening: program.settings.get(evening),
  };
  return before?.isFor(context) === true ? before : new DayHeadings(context);
}

/** The loaded half of the smart lists part; search/smart-lists.ts forwards its hooks here. */
export class OpenSmart {
  readonly #program: Program;
  #outline: SmartOutline | null = null;
  #isWaiting = false;
  #days: DayHeadings;

  constructor(program: Program) {
    this.#program = program;
    this.#days = daysOf(program);
    for (const setting of [smartListNested, smartListDuplicates])
      program.settings.signal(setting).subscribe(() => {
        this.#outline?.refold();
        program.workspace.settleTree();
      });
    // Words like "this week" mean other days now.
    for (const setting of [weekStart, nextWeek])
      program.settings.signal<string>(setting).subscribe(() => this.tick());
    program.settings.signal(evening).subscribe(() => this.tick());
  }

  get open(): Id | null {
    return this.#program.part(smartLists).open;
  }

  /** Null while it is being counted for the first time. */
  countOf(id: Id): number | null {
    const { language } = findingOf(this.#program);
    return language ? language.smart.countOf(id) : null;
  }

  dueCount(): number | null {
    return findingOf(this.#program).language?.smart.dueCount ?? null;
  }

  /** Null until the search language is loaded, which then shows the list. */
  outlineOf(id: Id): Outline | null {
    const { replica, workspace, editor, settings } = this.#program;
    const search = textIndexOf(this.#program);
    const { language } = findingOf(this.#program);
    if (!language) return null;
    const old = this.#outline === null ? null : language.smart.list(this.#outline.list);
    old?.rest();
    language.smart.list(id)?.watch();
    this.#renew(id, FIRST_MS);
    this.#outline = language.openSmart({
      replica,
      index: search,
      children: workspace.children,
      isCollapsed: (task) => workspace.facts.isCollapsed(task),
      list: id,
      live: () => language.smart.list(id),
      nested: () => settings.get(smartListNested),
      duplicates: () => settings.get(smartListDuplicates),
      held: () => editor.title?.id ?? null,
      days: () => this.#days,
    });
    return this.#outline;
  }

  /** The search language was loaded, or all rows were. */
  wake(): void {
    const search = textIndexOf(this.#program);
    const { language } = findingOf(this.#program);
    if (!language || (!search.isReady && this.open === null)) return;
    search.readSome(Number.MAX_SAFE_INTEGER);
    language.smart.begin();
    this.#renew(this.open, FIRST_MS);
    if (this.open !== null && this.#program.workspace.outline !== this.#outline)
      this.#program.workspace.reopen();
  }

  /** Call it after the index and the children have applied the changes. */
  apply(changes: readonly RowChange[]): void {
    findingOf(this.#program).language?.smart.apply(changes);
    this.#renew(this.open, FIRST_MS);
    this.#update(changes);
  }

  tick(): void {
    this.#days = daysOf(this.#program, this.#days);
    const { language } = findingOf(this.#program);
    if (!language) return;
    language.smart.tick();
    this.#renew(this.open, FIRST_MS);
    this.#update([]);
  }

  /** Removes tasks that stayed only because they were being edited. */
  settle(): void {
    if (this.open !== null) this.#update([]);
  }

  /** Values of a new task in the open list; the problem says why none can be created. */
  newTask(): Result<NewTask, string> {
    const { language } = findingOf(this.#program);
    const { open } = this;
    const list = open === null ? null : language?.smart.list(open);
    return language && list ? language.newTask(list.asked) : failed('The list is still loading. Try again.');
  }

  /** Why the edited task will leave the open list, or in which list that everybody has it is then; null: it stays. */
  whyGoes(id: Id): string | null {
    const { replica } = this.#program;
    const { language } = findingOf(this.#program);
    const { open } = this;
    const list = open === null ? null : language?.smart.list(open);
    const query = open === null ? null : fieldOf(replica.row(open), 'query');
    if (!list || !query || open === null || list.has(id)) return null;
    const { scope } = replica;
    const instead = builtIns.find((key) => language?.smart.list(builtInId(scope, key))?.has(id));
    if (instead && builtInOf(scope, open) !== null) return `You’ll find it in ${fieldsOf(instead).name}.`;
    return language?.why(query, id, 'It', true) ?? null;
  }

  #update(changes: readonly RowChange[]): void {
    const outline = this.#outline;
    const { workspace } = this.#program;
    const { language } = findingOf(this.#program);
    if (!outline || this.open !== outline.list) return;
    const live = language?.smart.list(outline.list);
    if (!live) return;
    outline.update(changes, language?.smart.takeTouched(outline.list));
    workspace.settleTree();
  }

  /** Updates lists that are out of date, `first` before the others; the rest follows after this frame. */
  #renew(first: Id | null, ms: number): void {
    const { replica } = this.#program;
    const search = textIndexOf(this.#program);
    const smart = findingOf(this.#program).language?.smart;
    if (!smart || !search.isReady || smart.renew(within(replica, ms), first) || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#program.later(() => {
      this.#isWaiting = false;
      this.#renew(this.open, PORTION_MS);
      this.#update([]);
    });
  }
}
