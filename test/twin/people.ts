// People who edit files and the account at random. Every word they type is different, so that it can be looked for afterwards: a word that
// somebody saw and took out may be gone, any other must not be.
import type { Id } from '#core/ids.ts';
import type { TwinTask } from '#client/twin/model.ts';
import type { SeededRandom } from '../simulator/random.ts';
import type { World } from './world.ts';

const WORD = /\b[fs]\d+w\b/g;
const TASK = /^(\s*)- \[(.)\] (.*?)((?: (?:due|start|for):\S+| #\S+)*)( \^[0-9a-f]{12})?$/;
const CONFLICT = ['<<<<<<< HEAD', '=======', '>>>>>>> other'];

function counts(words: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return found;
}

export class People {
  readonly #world: World;
  readonly #random: SeededRandom;
  /** Words that must be somewhere. */
  readonly words = new Set<string>();
  #count = 0;

  constructor(world: World, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
  }

  #word(side: 'f' | 's'): string {
    const word = `${side}${(this.#count += 1)}w`;
    this.words.add(word);
    return word;
  }

  /** Does an edit; words that it took out need not be anywhere anymore. */
  #seeing(words: () => readonly string[], work: () => void): void {
    const others = new Set(this.words);
    const before = counts(words());
    work();
    const after = counts(words());
    const typed = [...this.words].filter((word) => !others.has(word));
    // A task on its way from one file to another is in both for a moment: the word is meant in either.
    for (const word of [...before.keys(), ...typed])
      if ((after.get(word) ?? 0) < (before.get(word) ?? 1)) this.words.delete(word);
  }

  #fileWords = (): readonly string[] =>
    [...this.#world.files.values()].flatMap((text) => text.match(WORD) ?? []);

  #accountWords = (): readonly string[] =>
    [...this.#world.account.tasks.values()].flatMap(
      ({ title, notes }) => `${title}\n${notes}`.match(WORD) ?? [],
    );

  inFiles = (): ReadonlySet<string> => new Set(this.#fileWords());

  inAccount = (): ReadonlySet<string> => new Set(this.#accountWords());

  wordsOf = (texts: readonly string[]): ReadonlySet<string> =>
    new Set(texts.flatMap((text) => text.match(WORD) ?? []));

  editAccount(): void {
    this.#seeing(this.#accountWords, () => this.#editAccount());
  }

  editFiles(): void {
    this.#seeing(this.#fileWords, () => this.#editFile());
  }

  /** Puts back what is half done, so that everything can come into step. */
  settle(): void {
    for (const [path, text] of this.#world.files)
      this.#world.files.set(
        path,
        text
          .split('\n')
          .filter((line) => !CONFLICT.includes(line.trimEnd()))
          .join('\n'),
      );
  }

  #edited(text: string, side: 'f' | 's'): string {
    const words = text.split(' ').filter((word) => word !== '');
    const at = this.#random.below(words.length + 1);
    words.splice(at, this.#random.chance(0.4) ? 1 : 0, this.#word(side));
    return words.join(' ');
  }

  #editAccount(): void {
    const { account, newId } = this.#world;
    const random = this.#random;
    const lists = [...account.lists.values()];
    const task = random.pick([...account.tasks.values()]);
    const list = random.pick(lists.filter(({ isFolder }) => !isFolder));
    if (list === undefined) return;
    const kind = random.below(14);
    if (kind < 3 || task === undefined) {
      const parent = task !== undefined && random.chance(0.4) ? task.id : null;
      const place = { list: parent === null ? list.id : (task?.list ?? list.id), parent };
      const siblings = account.under(parent ?? list.id);
      const after = random.chance(0.5) ? 'end' : (random.pick([...siblings]) ?? null);
      account.put({ ...this.#newTask(), ...place, id: newId() }, after);
      return;
    }
    if (kind < 10) return void account.tasks.set(task.id, { ...task, ...this.#changed(task, kind) });
    if (kind === 10) return account.remove(task.id);
    if (kind === 11) return this.#moveInAccount(task);
    if (kind === 12)
      return void account.lists.set(list.id, { ...list, name: `List ${this.#random.below(50)}` });
    if (random.chance(0.2)) account.removeList(list.id);
    else this.#newList(random.pick(lists.filter(({ isFolder }) => isFolder))?.id ?? null);
  }

  #newList(folder: Id | null): void {
    const { account, newId } = this.#world;
    const isFolder = this.#random.chance(0.3);
    const id = newId();
    account.lists.set(id, { id, name: `List ${this.#random.below(50)}`, isFolder, parent: folder });
  }

  #newTask(): Omit<TwinTask, 'id' | 'list' | 'parent'> {
    return {
      title: this.#edited('Water plants', 's'),
      isDone: false,
      due: this.#random.chance(0.3) ? '2026-12-01' : null,
      start: null,
      snooze: null,
      repeat: this.#random.chance(0.1) ? 'every 2 weeks' : null,
      minutes: null,
      labels: [],
      notes: this.#random.chance(0.3) ? this.#word('s') : '',
    };
  }

  #changed(task: TwinTask, kind: number): Partial<TwinTask> {
    const random = this.#random;
    if (kind < 5) return { title: this.#edited(task.title, 's') };
    if (kind < 7) {
      const lines = task.notes.split('\n');
      lines.splice(random.below(lines.length + 1), random.below(2), this.#word('s'));
      return { notes: lines.join('\n').trim() };
    }
    if (kind === 7) return { isDone: !task.isDone };
    if (kind === 8) return { due: random.pick([null, '2026-12-24', '2027-01-01T16:00:00.000Z']) };
    return { labels: random.pick([[], ['phone'], ['big errand', 'phone']]) };
  }

  #moveInAccount(task: TwinTask): void {
    const { account } = this.#world;
    const to = this.#random.pick([...account.tasks.values()]);
    for (let at: Id | null = to?.id ?? null; at !== null; at = account.tasks.get(at)?.parent ?? null)
      if (at === task.id) return;
    const parent = this.#random.chance(0.5) ? to : undefined;
    const list = parent?.list ?? to?.list ?? task.list;
    account.put({ ...task, list, parent: parent?.id ?? null }, this.#random.chance(0.5) ? 'end' : null);
  }

  #editFile(): void {
    const { files } = this.#world;
    const random = this.#random;
    const path = random.pick([...files.keys()]);
    const text = files.get(path);
    if (path === undefined || text === undefined || random.chance(0.03))
      return void files.set(`New ${random.below(50)}.md`, `- [ ] ${this.#word('f')}\n`);
    if (random.chance(0.04)) return this.#moveFile(path, text);
    if (random.chance(0.01)) return void files.delete(path);
    const lines = text.split('\n');
    for (let count = random.between(1, 3); count > 0; count -= 1) this.#editLines(lines);
    files.set(path, lines.join(random.chance(0.03) ? '\r\n' : '\n'));
  }

  /** A copy has words of its own: who deletes one of two copies means only that. */
  #copied(line: string): string {
    return line.replaceAll(WORD, () => this.#word('f'));
  }

  #moveFile(path: string, text: string): void {
    const { files } = this.#world;
    const dir = this.#random.chance(0.5) ? '' : `Folder ${this.#random.below(3)}/`;
    const to = `${dir}List ${this.#random.below(50)}.md`;
    if (files.has(to)) return;
    files.delete(path);
    files.set(to, text);
  }

  #editLines(lines: string[]): void {
    const random = this.#random;
    const first = lines.lastIndexOf('---') + 1;
    const at = first + random.below(Math.max(1, lines.length - first));
    const line = lines[at] ?? '';
    const found = TASK.exec(line);
    const kind = random.below(12);
    if (kind < 2 || !found) {
      const indent = random.pick(['', '', '  ', '    ']);
      const end = random.pick(['', '', ' due:2026-12-05', ' #phone', ' #"big errand"', ' for:20m']);
      lines.splice(at, 0, `${indent}- [ ] ${this.#word('f')}${end}`);
    } else if (kind < 6) {
      const [, indent = '', box = ' ', title = '', words = '', mark = ''] = found;
      lines[at] = `${indent}- [${box}] ${this.#edited(title, 'f')}${words}${mark}`;
    } else if (kind === 6) lines.splice(at + 1, 0, `${found[1] ?? ''}  ${this.#word('f')}`);
    else if (kind === 7) lines.splice(at, 1);
    else if (kind === 8) {
      const [taken = ''] = lines.splice(at, 1);
      lines.splice(first + random.below(Math.max(1, lines.length - first)), 0, taken);
    } else if (kind === 9) lines[at] = line.replace(/\[.\]/, random.pick(['[x]', '[ ]']));
    else if (kind === 10) lines.splice(at, 0, random.pick(['## Heading', this.#copied(line), ...CONFLICT]));
    else lines[at] = random.pick([`  ${line}`, line.replace(/^ {2}/, ''), line.replace(/ \^\w+$/, '')]);
  }
}
