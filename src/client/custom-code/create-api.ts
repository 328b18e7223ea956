// Makes the API of custom JavaScript from the running program. Everything goes through the one command registry; the code
// gets frozen copies, and what it throws is told in a message.
import type { Id } from '#core/ids.ts';
import { isDayWhen, isInstantWhen, type When } from '#core/when.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { datesOf, isDone, nameOf } from '#sync/rows/row-reading.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import type { CommandResult } from '../commands/command.ts';
import { define, done } from '../commands/define.ts';
import type { CustomApi, CustomCommand, CustomResult, CustomRow } from './api.ts';

const MOST_ROWS = 5_000;
const MOST_SAID = 500;
/** Letters alone, as keys of one's own are kept (keys/own-keys.ts). */
const ID = /^custom\.[A-Za-z]{1,64}$/;
const MOST_TITLE = 100;
const MOST_ALIASES = 20;

type Listener = (ids: readonly string[]) => unknown;

/** What something thrown says, whatever it is. */
export function wordsOf(thrown: unknown): string {
  try {
    return (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, MOST_SAID);
  } catch {
    // An object whose own conversion throws: that it failed is all there is to say.
    return 'it threw something that has no words';
  }
}

function dateText(when: When | null): string | null {
  if (when === null) return null;
  if (isDayWhen(when)) return when.on;
  return isInstantWhen(when) ? new Date(when.at).toISOString() : when.local;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Checks what untyped code handed in. Throws with what would be right. */
function checked(command: CustomCommand): CustomCommand {
  const { id, title, aliases = [], run } = command;
  if (!isText(id) || !ID.test(id))
    throw new TypeError('The id of a command is “custom.” and letters, such as “custom.tidyUp”.');
  if (!isText(title) || title.trim() === '' || title.length > MOST_TITLE)
    throw new TypeError(`The title of ${id} has to be a text of at most ${MOST_TITLE} characters.`);
  if (!Array.isArray(aliases) || aliases.length > MOST_ALIASES || !aliases.every(isText))
    throw new TypeError(`The aliases of ${id} have to be at most ${MOST_ALIASES} texts.`);
  if (typeof run !== 'function') throw new TypeError(`${id} needs a function “run”.`);
  return { id, title, aliases: [...aliases], run };
}

/** The API and the news that go to it. */
export class ApiMaker {
  readonly api: CustomApi;
  readonly #program: Program;
  readonly #listeners = new Set<Listener>();
  readonly #changed = new Set<Id>();
  #isTelling = false;

  constructor(program: Program) {
    this.#program = program;
    this.api = Object.freeze({
      version: 1,
      commands: Object.freeze({
        list: () => this.#list(),
        run: (id: string, values: Readonly<Record<string, string>> = {}) => this.#run(id, values),
        register: (command: CustomCommand) => this.#register(command),
      }),
      tasks: Object.freeze({
        selected: () => this.#rows(program.workspace.targets()),
        shown: () => this.#shown(),
      }),
      onChange: (listener: Listener) => this.#listen(listener),
      say: (text: string) => program.act(() => program.say(wordsOf(text))),
    } as const);
  }

  /** Rows changed. Their first appearance while the app starts is no change. */
  changed(changes: readonly RowChange[], cause: ChangeCause): void {
    if (cause === 'load' || this.#isTelling || this.#listeners.size === 0) return;
    if (this.#changed.size === 0) this.#program.later(() => this.#tell());
    for (const { before, after } of changes) {
      const row = after ?? before;
      if (row) this.#changed.add(row.id);
    }
  }

  #tell(): void {
    const ids: readonly string[] = Object.freeze([...this.#changed]);
    this.#changed.clear();
    this.#isTelling = true;
    // Those that are added meanwhile hear of the next change.
    const listeners = Array.from(this.#listeners);
    for (const listener of listeners)
      this.guard(
        'A listener',
        () => listener(ids),
        () => this.#listeners.delete(listener),
      );
    this.#isTelling = false;
  }

  /** Runs a piece of custom code. What it throws, or its promise rejects with, is told and ends there. */
  guard(what: string, work: () => unknown, failed: () => void = () => undefined): void {
    const tell = (error: unknown): void => {
      failed();
      this.#program.act(() =>
        this.#program.say(`${what} of your custom JavaScript failed: ${wordsOf(error)}`, { error: true }),
      );
    };
    try {
      Promise.resolve(work()).catch(tell);
    } catch (error) {
      tell(error);
    }
  }

  #listen(listener: Listener): () => void {
    if (typeof listener !== 'function') throw new TypeError('onChange needs a function.');
    const own: Listener = (ids) => listener(ids);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #list(): ReturnType<CustomApi['commands']['list']> {
    const program = this.#program;
    const infos = [...program.commands.values()].map((command) =>
      Object.freeze({
        id: command.id,
        title: command.titleNow(program),
        group: command.group,
        args: Object.freeze(command.args.map(({ name }) => name)),
        unavailable: command.when(program),
      }),
    );
    return Object.freeze(infos);
  }

  #run(id: string, values: Readonly<Record<string, string>>): CustomResult {
    const given = Object.entries(values);
    const wrong = given.find(([, value]) => !isText(value));
    if (wrong) throw new TypeError(`${String(id)} takes texts only: “${wrong[0]}” is none.`);
    return resultOf(this.#program.run(String(id), Object.fromEntries(given)));
  }

  #register(command: CustomCommand): void {
    const program = this.#program;
    const { id, title, aliases = [], run } = checked(command);
    if (program.commands.has(id)) throw new TypeError(`There is a command ${id} already.`);
    const registered = define({
      id,
      title,
      aliases,
      group: 'Application',
      run: () => {
        this.guard(`“${title}”`, () => run(this.#rows(program.workspace.targets())));
        return done;
      },
    });
    program.parts.add([definePart({ name: id, create: () => ({}), commands: [registered] })]);
  }

  #shown(): readonly CustomRow[] {
    const { outline } = this.#program.workspace;
    const length = Math.min(outline.length, MOST_ROWS);
    return this.#rows(Array.from({ length }, (_, at) => outline.at(at)));
  }

  #rows(ids: readonly (Id | undefined)[]): readonly CustomRow[] {
    const { replica } = this.#program;
    const rows = ids.map((id) => (id === undefined ? undefined : replica.row(id)));
    return Object.freeze(
      rows.flatMap((row) => (row?.type === 'task' || row?.type === 'completion' ? [this.#copyOf(row)] : [])),
    );
  }

  #copyOf(row: Row): CustomRow {
    const { workspace, rowFacts } = this.#program;
    const { due, start } = datesOf(row);
    return Object.freeze({
      id: row.id,
      title: nameOf(row),
      notes: fieldOf(row, 'notes') ?? '',
      isComplete: isDone(row),
      due: dateText(due),
      start: dateText(start),
      labels: Object.freeze(rowFacts.labelsOf(row).map(({ name }) => name)),
      list: workspace.listOf(row.id)?.id ?? null,
    });
  }
}

function resultOf(result: CommandResult): CustomResult {
  const said = result.type === 'refused' ? result.reason : result.type === 'done' ? result.announce : '';
  return Object.freeze({ isDone: result.type === 'done', said: said ?? '' });
}
