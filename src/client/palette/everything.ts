// All results of the palette for a query, by prefix and without: the initial items, the best matches, and suggestions
// if nothing matches.
import type { Id } from '#core/ids.ts';
import { fitTitle } from '../text/fitting.ts';
import type { Command } from '../commands/define.ts';
import { isPlain } from '../search/language.ts';
import { foldQuery } from '../search/ranking.ts';
import { nameOf } from '../outline/row-facts.ts';
import { taskEntry } from '../entry/part.ts';
import { CommandSource, type KeyPlaces } from './command-source.ts';
import { byScore, closing, hint, type Item, itemOf, type Ranked, type Reach } from './item.ts';
import { LabelSource } from './label-source.ts';
import { noteMissed } from './missed.ts';
import { OfferedSource } from './offered-source.ts';
import { PlaceSource } from './place-source.ts';
import { findingOf } from '../search/searching.ts';

const MOST = 50;
const RECENT = 5;
const TOP = 8;
const TASKS_FROM = 2;
const NOTHING_FOUND = 2;

interface Asked {
  readonly scope: string;
  readonly text: string;
  /** Matches other than tasks. */
  readonly others: readonly Ranked[];
}

export class Everything {
  readonly #reach: Reach;
  readonly #recent: () => readonly string[];
  readonly #commands: CommandSource;
  readonly #places: PlaceSource;
  readonly #labels: LabelSource;
  readonly #offered: OfferedSource;
  #asked: Asked | null = null;

  /** `recent`: ids of items chosen in the current context, last first. */
  constructor(reach: Reach, places: KeyPlaces, recent: () => readonly string[]) {
    this.#reach = reach;
    this.#recent = recent;
    this.#commands = new CommandSource(reach, places);
    this.#places = new PlaceSource(reach);
    this.#labels = new LabelSource(reach);
    this.#offered = new OfferedSource(reach);
  }

  /** To be called when the palette opens. */
  refresh(): void {
    for (const source of [this.#commands, this.#places, this.#labels, this.#offered]) source.refresh();
  }

  items(query: string): readonly Item[] {
    const scope = /^[>@#/]/.exec(query)?.[0] ?? '';
    const text = scope === '' ? query : query.slice(1);
    this.#asked = null;
    if (text.trim() === '') return this.#unasked(scope);
    this.#ask(scope, text);
    return this.collect();
  }

  #ask(scope: string, text: string): void {
    const query = foldQuery(text);
    this.#offered.scope = scope;
    const sources = [this.#commands, this.#places, this.#labels, this.#offered];
    const others = sources.flatMap((source) =>
      scope === '' || source.scopes.includes(scope) ? source.find(query) : [],
    );
    this.#asked = { scope, text, others };
    const asksTasks = scope === '' || scope === '@' || scope === '/';
    if (asksTasks && text.trim().length >= TASKS_FROM)
      this.#reach.tasks.begin(query, text, { reads: scope === '/' });
  }

  /** The current title of an item; its id if it is gone. */
  titleOf(id: string): string {
    const { program, commands } = this.#reach;
    const [kind, ...rest] = id.split('.');
    const name = rest.join('.');
    if (kind === 'cmd') return commands.get(name)?.title ?? id;
    const row = program.replica.row(name as Id);
    return row ? nameOf(row) : (this.#offered.named(id)?.title ?? id);
  }

  /** Everything that matches, without the suggestions. */
  find(query: string): readonly Item[] {
    this.#ask('', query);
    return this.#best().slice(0, MOST);
  }

  /** The results so far for the last query. */
  collect(): readonly Item[] {
    if (this.#asked === null) return [];
    const { scope, text } = this.#asked;
    const best = this.#best().slice(0, MOST - NOTHING_FOUND);
    const [create, search] = this.#wayOut(text, best.length === 0);
    if (!create || !search) return best;
    if (scope === '/') {
      const isQuery = findingOf(this.#reach.program).isTitle(text) === false;
      return [this.#explained(search, text), ...best, ...(isQuery ? [] : [create])];
    }
    if (scope === '#' && best.length === 0) return [this.#newLabel(text.trim()), search];
    const isTitle = findingOf(this.#reach.program).isTitle(text);
    if (scope === '/')
      return [this.#explained(search, text), ...best, ...(isTitle === false ? [] : [create])];
    // A query with operators is a search; text that is not understood as one becomes a title only on choice.
    if (isTitle !== true)
      return [...best, this.#explained(search, text), ...(isTitle === null ? [create] : [])];
    return scope === '@' && best.length > 0 ? best : [...best, create, search];
  }

  #best(): readonly Item[] {
    const { others = [] } = this.#asked ?? {};
    return byScore([...others, ...this.#reach.tasks.ranked()]);
  }

  #unasked(scope: string): readonly Item[] {
    if (scope === '' || scope === '>') return this.#everyCommand();
    if (scope === '@') return this.#everyPlace();
    if (scope === '#') {
      const labels = this.#labels.every();
      return labels.length > 0 ? labels : [hint('No labels yet. Type a name to create one')];
    }
    return [hint('Type words of a task, or an operator like is:overdue'), ...this.#places.searches()];
  }

  /** Last used items of this context, commands for the task, then everything by group. */
  #everyCommand(): readonly Item[] {
    const { program, commands } = this.#reach;
    const seen = new Set<string>();
    const items: Item[] = [];
    const add = (command: Command | undefined, heading: string): boolean => {
      if (!command?.inPalette || command.isListed?.(program) === false || seen.has(command.id)) return false;
      if (this.#commands.reasonOf(command) !== null) return false;
      seen.add(command.id);
      items.push(this.#commands.item(command, { heading, matches: [], unavailable: null }));
      return true;
    };
    const recent = this.#recent().flatMap((id) => commands.get(id.slice('cmd.'.length)) ?? []);
    for (const command of recent) if (seen.size < RECENT) add(command, 'Lately');
    const { selection, cursor } = program.workspace;
    const all = [...commands.values()];
    if (cursor !== null && this.#reach.hasTask()) {
      const title = nameOf(program.replica.row(cursor));
      const heading = selection.size > 1 ? `${selection.size} selected tasks` : title || 'This task';
      // Common commands on tasks first, then commands with a key, then the rest.
      let left = TOP;
      for (const command of this.#aboutTask()) if (left > 0 && add(command, heading)) left -= 1;
    }
    for (const group of new Set(all.map((command) => command.group)))
      for (const command of all) if (command.group === group) add(command, group);
    return withHeadings(items);
  }

  /** Commands on tasks: those run last here, then those with a key, then the rest. */
  #aboutTask(): ReadonlySet<Command> {
    const { commands } = this.#reach;
    const all = [...commands.values()];
    const recent = this.#recent().flatMap((id) => commands.get(id.slice('cmd.'.length)) ?? []);
    const keyed = all.filter(({ id }) => this.#reach.keysOf(id).length > 0);
    return new Set([...recent, ...keyed, ...all].filter(({ isAboutTask }) => isAboutTask));
  }

  /** The commands on the task that apply, or that match; behind those that match, the other commands that do. */
  forTask(query: string): readonly Item[] {
    const { program } = this.#reach;
    const about = this.#aboutTask();
    if (query === '')
      return [...about].flatMap((command) => {
        if (!command.inPalette || command.when(program) !== null) return [];
        return [this.#commands.item(command, { heading: null, matches: [], unavailable: null })];
      });
    const found = byScore(this.#commands.find(foldQuery(query))).slice(0, MOST);
    const ids = new Set([...about].map(({ id }) => `cmd.${id}`));
    const isAbout = ({ id }: Item) => ids.has(id);
    const others = found
      .filter((item) => !isAbout(item))
      .map((item) => ({ ...item, heading: 'Other commands' }));
    return withHeadings([...found.filter(isAbout), ...others]);
  }

  #everyPlace(): readonly Item[] {
    const every = this.#places.every();
    const byId = new Map(every.map((item) => [item.id, item]));
    const recent = this.#recent()
      .flatMap((id) => byId.get(id) ?? [])
      .slice(0, RECENT);
    const rest = every.filter((item) => !recent.includes(item));
    return withHeadings([
      ...recent.map((item) => ({ ...item, heading: 'Lately' })),
      ...rest.map((item) => ({ ...item, heading: recent.length > 0 ? 'All' : null })),
    ]);
  }

  /** Suggestions, so that no search is a dead end. */
  #wayOut(text: string, isMissed: boolean): readonly Item[] {
    const title = fitTitle(text.trim()).text;
    if (title === '') return [];
    const { program, run } = this.#reach;
    const leaving = (work: () => void) =>
      closing(this.#reach, () => {
        if (isMissed) noteMissed(program.platform.preferences, title);
        work();
      });
    return [
      itemOf({
        id: 'create.task',
        title: `Create task “${title}” in Inbox`,
        hint: program.part(taskEntry).wouldRead(text.trim()) || 'New task',
        icon: 'plus',
        choose: leaving(() => this.#createTask(text.trim())),
      }),
      itemOf({
        id: 'search.tasks',
        title: `Search tasks for “${title}”`,
        hint: 'Search',
        icon: 'search',
        choose: leaving(() => run('search.for', { query: title })),
      }),
    ];
  }

  #createTask(text: string): void {
    const { program } = this.#reach;
    const added = program.part(taskEntry).add(text);
    program.say(added?.said ?? 'You can’t add tasks to the Inbox now.', { undo: added !== null });
  }

  #newLabel(name: string): Item {
    return itemOf({
      id: 'create.label',
      title: `Create label “${name}”`,
      hint: 'New label',
      icon: 'plus',
      choose: closing(this.#reach, () => this.#reach.run('label.create', { name })),
    });
  }

  /** The meaning of a query with operators in words, or its problem. */
  #explained(search: Item, text: string): Item {
    const { language } = findingOf(this.#reach.program);
    if (!language || isPlain(text)) return search;
    const { problems, explanation } = language.help(language.ask(text), text.length);
    const [problem] = problems;
    return { ...search, hint: explanation ?? 'Search', ...(problem ? { note: problem.message } : {}) };
  }
}

/** Only the first item under a heading carries it. */
function withHeadings(items: readonly Item[]): readonly Item[] {
  return items.map((item, index) =>
    items[index - 1]?.heading === item.heading ? { ...item, heading: null } : item,
  );
}
