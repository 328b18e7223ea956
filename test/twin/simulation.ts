// One random life of a twin: people edit files and the account between and during its rounds, which are cut off at any step. In the end
// files and account must be the same, and every word that nobody took out must be there.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { readFile } from '#client/twin/file.ts';
import { linesOf } from '#client/twin/model.ts';
import { SeededRandom } from '../simulator/random.ts';
import { People } from './people.ts';
import { Crash, World } from './world.ts';

export interface Life {
  readonly crashes: number;
  readonly edits: number;
  readonly rounds: number;
}

function begin(world: World, random: SeededRandom): void {
  const { account, newId } = world;
  const folder = newId();
  account.lists.set(folder, { id: folder, name: 'Folder 0', isFolder: true, parent: null });
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const id = newId();
    account.lists.set(id, {
      id,
      name: `List ${count}`,
      isFolder: false,
      parent: random.pick([null, folder]),
    });
  }
}

/** Lives through one seed. Throws when something is not as it should be. */
export async function live(seed: number): Promise<Life> {
  const random = new SeededRandom(seed);
  const world = new World(random.fork());
  const people = new People(world, random.fork());
  begin(world, random);
  let crashes = 0;
  let edits = 0;
  const edit = () => {
    edits += 1;
    if (random.chance(0.5)) people.editAccount();
    else people.editFiles();
  };
  const rounds = random.between(4, 12);
  for (let round = 0; round < rounds; round += 1) {
    for (let count = random.below(6); count > 0; count -= 1) edit();
    world.crashIn = random.chance(0.4) ? random.below(12) : null;
    world.onStep = () => {
      if (random.chance(0.04)) people.editFiles();
    };
    try {
      await world.round(random.chance(0.1)); // oxlint-disable-line no-await-in-loop
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      crashes += 1;
    }
  }
  world.crashIn = null;
  world.onStep = () => undefined;
  people.settle();
  const settled = await settle(world);
  check(world, people);
  return { crashes, edits, rounds: rounds + settled };
}

/** Rounds until nothing is left to do. */
async function settle(world: World): Promise<number> {
  for (let round = 1; round <= 8; round += 1) {
    const { sent, written } = await world.round(true); // oxlint-disable-line no-await-in-loop
    if (sent === 0 && written === 0) return round;
  }
  throw new Error('it never comes to rest');
}

function check(world: World, people: People): void {
  const tree = world.account.tree();
  const lists = [...world.account.lists.values()].filter(({ isFolder }) => !isFolder);
  const reading = { now: Date.UTC(2026, 10, 27), zone: 'Europe/Paris', labels: world.account.labels };
  const files = [...world.files.values()].map((text) => readFile(text, reading, () => null));
  for (const { id } of lists) {
    const file = files.find(({ list }) => list === id);
    assert.ok(file, 'every list has a file');
    const inFile = file.blocks.map(({ mark, parent, content: { labels, ...content } }) => ({
      ...content,
      labels: labels.join(),
      mark,
      parent: parent?.mark ?? null,
    }));
    const stored = linesOf(tree, id).map(({ id: own, parent, labels, title, isDone, notes, ...dates }) => ({
      title,
      isDone,
      notes,
      due: dates.due,
      start: dates.start,
      snooze: dates.snooze,
      repeat: dates.repeat,
      minutes: dates.minutes,
      labels: labels.join(),
      mark: own.slice(-12),
      parent: (parent as Id | null)?.slice(-12) ?? null,
    }));
    assert.deepEqual(inFile, stored);
  }
  // Text that is no task stays in its file, or in the file that was set aside.
  const kept = new Set([...people.inAccount(), ...people.inFiles(), ...people.wordsOf(world.aside)]);
  const lost = [...people.words].filter((word) => !kept.has(word));
  assert.deepEqual(lost, [], 'words that were typed are there');
}
