// Commands in the palette: available ones by how well they match, others with the reason if the query clearly means
// them; and recent changes, to be undone.
import type { KeyContext } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import { openKeyEditor } from '../keys/lazy.ts';
import {
  type FoldedQuery,
  type Prepared,
  prepare,
  type Range,
  type Rank,
  rankFolded,
} from '../search/ranking.ts';
import { iconOfCommand } from './command-icons.ts';
import { presentOf } from './present.ts';
import { closing, type Item, itemOf, type Ranked, type Reach, type Source } from './item.ts';

const FITS_SELECTION = 80;
const PREFIX = 700;
/** From this score on, the query means the command, by title or alias. */
const MEANT = 400;
const MOST_DIMMED = 3;
const UNDO_SHOWN = 20;
const UNDO_MOST = 450;
/** Unavailable commands come behind available ones, unless their exact name was typed. */
const DIMMED = -250;
const NAMED = 960;
/** Cursor movement and the like is for keys: it comes behind commands for the palette. */
const KEYS_ONLY = -250;
/** Settings match many words; frequent commands come before them. */
const SETTING = -50;

function standing({ inPalette, id }: Command): number {
  if (!inPalette) return KEYS_ONLY;
  return id.startsWith('setting.') ? SETTING : 0;
}

export interface KeyPlaces {
  /** The contexts in which a command has keys, and the first of them there as keycaps. */
  readonly of: (
    command: string,
  ) => readonly { readonly context: KeyContext; readonly keys: readonly string[] }[];
  /** The active contexts where the palette was opened. */
  readonly now: () => readonly KeyContext[];
  readonly say: (context: KeyContext) => string;
}

export class CommandSource implements Source {
  readonly scopes = '>';
  readonly #reach: Reach;
  readonly #places: KeyPlaces;
  #prepared: ReadonlyMap<string, Prepared> = new Map();
  /** Current titles of commands that differ from their usual title. */
  readonly #worded = new Map<string, { readonly title: string; readonly prepared: Prepared }>();
  #revision: string | null = null;
  /** Those that are prepared. */
  #commands: Reach['commands'] | null = null;

  constructor(reach: Reach, places: KeyPlaces) {
    this.#reach = reach;
    this.#places = places;
  }

  refresh(): void {
    const { commands, names } = this.#reach;
    this.#reword();
    if (this.#revision === names.revision && this.#commands === commands) return;
    this.#revision = names.revision;
    this.#commands = commands;
    this.#prepared = new Map(
      [...commands.values()].map(({ id, title, aliases }) => [
        id,
        prepare({ title, aliases, own: names.of(`cmd.${id}`) }),
      ]),
    );
  }

  /** Makes current titles searchable: “Use keys of its own on this device” is found by its words. */
  #reword(): void {
    const { program, commands } = this.#reach;
    for (const command of commands.values()) {
      const { id, title } = command;
      const now = command.titleNow(program);
      if (now === title) this.#worded.delete(id);
      else if (this.#worded.get(id)?.title !== now)
        this.#worded.set(id, { title: now, prepared: prepare({ title: now, aliases: [] }) });
    }
  }

  #rank(query: FoldedQuery, id: string): Rank | null {
    const prepared = this.#prepared.get(id);
    const hit = prepared ? rankFolded(query, prepared) : null;
    if (hit) return hit;
    const worded = this.#worded.get(id);
    return worded ? rankFolded(query, worded.prepared) : null;
  }

  find(query: FoldedQuery): readonly Ranked[] {
    const found: Ranked[] = [];
    const dimmed: Ranked[] = [];
    const { commands } = this.#reach;
    const hasTask = this.#reach.hasTask();
    for (const command of commands.values()) {
      const hit = this.#rank(query, command.id);
      if (!hit || (!command.inPalette && hit.score < PREFIX)) continue;
      if (command.isListed?.(this.#reach.program) === false) continue;
      const unavailable = this.reasonOf(command);
      const fits = unavailable === null && hasTask && command.isAboutTask ? FITS_SELECTION : 0;
      const item = this.item(command, { heading: null, matches: hit.matches, unavailable });
      const dims = unavailable !== null && hit.score < NAMED ? DIMMED : 0;
      const bonus = fits + dims + standing(command) + this.#reach.habit(item.id);
      const ranked = { item, score: hit.score + bonus };
      if (unavailable === null || hit.score >= PREFIX) found.push(ranked);
      else if (hit.score >= MEANT) dimmed.push(ranked);
    }
    // A search for an unavailable command explains what to do first.
    const commandsFound =
      found.length > 0 ? found : dimmed.toSorted((a, b) => b.score - a.score).slice(0, MOST_DIMMED);
    return [...commandsFound, ...this.#undos(query)];
  }

  /** Why it cannot run now; null: it can. */
  reasonOf(command: Command): string | null {
    if (!command.inPalette) {
      const reason = this.#whereItWorks(command);
      if (reason !== null) return reason;
    }
    if (command.isAboutTask && !this.#reach.hasTask()) return 'Select a task first.';
    return command.when(this.#reach.program);
  }

  /** A command for keys alone works only in the contexts of its keys. */
  #whereItWorks({ id }: Command): string | null {
    const places = this.#places.of(id);
    const [first] = places;
    if (first === undefined) return 'You can only do this in its dialog.';
    const now = this.#places.now();
    if (places.some(({ context }) => now.includes(context))) return null;
    return `${this.#places.say(first.context)}: press ${first.keys.join(' ')}.`;
  }

  item(
    command: Command,
    found: { heading: string | null; matches: readonly Range[]; unavailable: string | null },
  ): Item {
    const { program, keysOf, names } = this.#reach;
    const title = command.titleNow(program);
    const id = `cmd.${command.id}`;
    const own = names.of(id);
    const second = {
      verb: 'change its key',
      run: closing(this.#reach, () => openKeyEditor(program, command.title, command.id)),
    };
    const asks = found.unavailable === null && command.args.length > 0;
    return itemOf({
      id,
      title,
      hint: [presentOf(program, command), ...own].filter((part) => part !== '').join(', '),
      icon: iconOfCommand(command) ?? 'command',
      kind: 'Commands',
      keys: keysOf(command.id)[0] ?? [],
      unavailable: found.unavailable,
      heading: found.heading,
      // The match may be in another wording.
      matches: title === command.title ? found.matches : [],
      choose: () => this.#reach.choose(command),
      second,
      ...(asks ? { refine: { verb: 'answer', run: () => this.#reach.ask(command) } } : {}),
    });
  }

  /** "Undo: completed ‘Plan launch’" undoes that change and everything after it. */
  #undos(query: FoldedQuery): readonly Ranked[] {
    const { program, run } = this.#reach;
    return program.undo.done.slice(0, UNDO_SHOWN).flatMap((group, later) => {
      const title = `Undo: ${group.label}`;
      const hit = later === 0 ? null : rankFolded(query, prepare({ title, aliases: [] }));
      if (!hit) return [];
      const item = itemOf({
        id: `undo.${group.id}`,
        title,
        hint: `and ${later} later`,
        icon: 'undo',
        kind: 'Undo',
        matches: hit.matches,
        choose: closing(this.#reach, () => {
          for (let left = later; left >= 0; left -= 1) run('edit.undo');
        }),
      });
      return [{ item, score: Math.min(hit.score, UNDO_MOST) - later }];
    });
  }
}
