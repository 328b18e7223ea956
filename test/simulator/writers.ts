// People of a simulated world who write notes, as the app does it. Every character they put in is a different one: what is
// lost shows, and what is doubled.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { noteDocOf, noteTextOf } from '#sync/notes/note.ts';
import { mergeNote, NoteSession } from '#sync/notes/note-session.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { byOrder } from '#sync/tabs/sequences.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { isKnown, registerStamp, type Row } from '#sync/rows/row.ts';
import { Characters } from '../model/note-world.ts';
import type { SimulatedDevice } from './device.ts';
import type { Hits } from './hits.ts';
import type { SeededRandom } from './random.ts';

/** People write in the same few notes, which is where they meet. */
const FAVOURITES = 3;

interface OpenNote {
  readonly engine: Engine;
  readonly id: Id;
  readonly group: Id;
  readonly session: NoteSession;
}

interface Word {
  readonly task: Id;
  /** The operation that first held it. */
  readonly operation: Id;
  /** Its author's. */
  readonly account: number;
}

/** A server that was put back. */
interface PutBack {
  /** The last start of the one before. */
  readonly start: number;
  /** The devices that held a word at that moment, as long as they do. */
  readonly held: ReadonlyMap<string, Set<SimulatedDevice>>;
}

interface Ended {
  readonly devices: readonly SimulatedDevice[];
  readonly rows: ReadonlyMap<Id, Row>;
  /** Operations that were dropped on purpose. */
  readonly dropped: ReadonlySet<Id>;
  /** How often the server went back. */
  readonly restores: number;
  /** Accounts that had to leave a list: what the server forgot of their words there, their devices had let go of. */
  readonly removed?: ReadonlySet<number>;
}

export class Writers {
  private readonly random: SeededRandom;
  private readonly hits: Hits;
  private readonly characters = new Characters();
  private readonly open = new Map<SimulatedDevice, OpenNote>();
  private readonly words = new Map<string, Word>();
  /** Somebody took them out, or replaced the whole text. */
  private readonly removed = new Set<string>();
  private readonly restored: PutBack[] = [];
  /** Words that are held only where nothing may come from. */
  private readonly outOfReach = new Set<string>();
  /** Texts that the server's history keeps since a later one came back from a device. */
  private readonly kept: string[] = [];

  constructor(random: SeededRandom, hits: Hits) {
    this.random = random;
    this.hits = hits;
  }

  /** One edit of one note on the device. */
  write(device: SimulatedDevice): void {
    const { engine } = device;
    if (engine === null || !device.isReady) return;
    const { replica } = engine;
    replica.learnToMerge(mergeNote);
    const note = this.noteOn(device, engine);
    if (note === null) return;
    const row = replica.row(note.id);
    if (row === undefined) return;
    const text = noteTextOf(row);
    note.session.load(text, noteDocOf(row));
    const put: string[] = [];
    const to = this.edited(text, put);
    if (to === text) return;
    const isConfirmed = registerStamp(row, 'notes')[0] !== Number.MAX_SAFE_INTEGER;
    const action = { a: 'note', id: note.id, ...note.session.change(to, isConfirmed) } as const;
    const { operations } = replica.issue([action], { group: note.group });
    const operation = (operations[0] as Operation).u;
    for (const word of put) this.words.set(word, { task: note.id, operation, account: device.actor.account });
    this.hits.hit('word put in', put.length);
  }

  /** Somebody else wrote the whole text, perhaps without having seen all of it: what was in it may be gone. */
  replaced(task: Id): void {
    for (const [word, at] of this.words) if (at.task === task) this.removed.add(word);
  }

  /**
   * After somebody joined or left a list, or after a restore. What the server (`stored`: all of its rows) lacks and only devices
   * hold of people who have left the list that it is in comes back from nobody: they bring nothing back (SHARE-267).
   */
  lookForLost(
    devices: readonly SimulatedDevice[],
    mayRead: (device: SimulatedDevice, scope: Id) => boolean,
    stored: string,
  ): void {
    for (const [word, { task, operation }] of this.words) {
      const held = devices.flatMap((device) => {
        const { contents, engine, isReady } = device;
        const rows = [contents.rows.get(task), isReady ? engine?.replica.row(task) : undefined];
        const said = rows.filter((row) => row && isKnown(row) && noteTextOf(row).includes(word));
        const waiting = [...contents.outbox.values()].filter(({ u }) => u === operation);
        return [...said, ...waiting].flatMap((each) => (each ? [mayRead(device, each.scope)] : []));
      });
      // Who no longer holds it has heard that they left; who joins again before that brings it back.
      if (stored.includes(word) || held.includes(true)) this.outOfReach.delete(word);
      else if (held.length > 0) this.outOfReach.add(word);
    }
  }

  /** What no device holds at this moment the server alone has: once it was put back, nobody. `start`: its last one. */
  lookAround(devices: readonly SimulatedDevice[], start: number): void {
    const held = new Map<string, Set<SimulatedDevice>>();
    for (const [word, { task, operation }] of this.words) {
      const isHeld = ({ contents, engine, isReady }: SimulatedDevice): boolean =>
        [contents.rows.get(task), isReady ? engine?.replica.row(task) : undefined].some(
          (row) => row !== undefined && isKnown(row) && noteTextOf(row).includes(word),
        ) || [...contents.outbox.values()].some(({ u }) => u === operation);
      const holders = devices.filter(isHeld);
      if (holders.length === 0) this.removed.add(word);
      else held.set(word, new Set(holders));
    }
    this.restored.push({ start, held });
  }

  /**
   * What a server said before it was put back arrives after that: somebody took these rows where the device may not follow, and it lets
   * go of them. If it was the last device to hold a word, the word is with the server that is no more, as in `lookAround`: those
   * who may read it where it went have not heard of it. A word that one other device holds, or that this one still
   * shows or sends, must come back.
   */
  letGo(device: SimulatedDevice, rows: ReadonlySet<Id>, start: number): void {
    const { engine, isReady, contents } = device;
    if (engine === null || !isReady) return;
    const waiting = new Set([...contents.outbox.values()].map(({ u }) => u));
    for (const { held } of this.restored.filter((restored) => start <= restored.start))
      for (const [word, holders] of held) {
        const at = this.words.get(word);
        if (at === undefined || !rows.has(at.task) || waiting.has(at.operation)) continue;
        const row = engine.replica.row(at.task);
        if (row !== undefined && noteTextOf(row).includes(word)) continue;
        if (!holders.delete(device) || holders.size > 0) continue;
        this.removed.add(word);
        this.hits.hit('word let go of by a late answer');
      }
  }

  /** The server keeps this text of a note in its history, where a device gave back a later one. */
  keptInHistory(text: unknown): void {
    if (typeof text === 'string') this.kept.push(text);
  }

  /** Throws, saying what is wrong. */
  check({ devices, rows, dropped, restores, removed }: Ended): void {
    const durable = new Set(devices.flatMap(({ disk }) => [...disk.durable.keys()]));
    const recovered = devices.map(recoveredTextOf).join('');
    const kept = this.kept.join('');
    for (const [word, { task, operation, account }] of this.words) {
      const row = rows.get(task);
      if (row === undefined) continue;
      const count = noteTextOf(row).split(word).length - 1;
      if (dropped.has(operation)) {
        assert.equal(count, 0, `a word that was dropped with its operation is in the note of ${task}`);
        continue;
      }
      // What its author sends again may have come back with the text of another device before, with each restore.
      if (count > 1) this.hits.hit('word doubled by a restore');
      assert.ok(count <= 1 + restores, `a word is in the note of ${task} ${count} times`);
      if (count === 1 || this.removed.has(word) || !durable.has(operation)) continue;
      if (devices.some((device) => hasRewritten(device, task, operation))) continue;
      if (recovered.includes(word)) this.hits.hit('word kept in Recovered');
      else if (restores === 0 || !(removed?.has(account) === true || this.outOfReach.has(word))) {
        assert.ok(kept.includes(word), `a word of the note of ${task} is lost`);
        this.hits.hit('word kept in the history');
      }
    }
  }

  private noteOn(device: SimulatedDevice, engine: Engine): OpenNote | null {
    const { random } = this;
    const open = this.open.get(device);
    if (open?.engine === engine && random.chance(0.7)) return open;
    const { replica } = engine;
    const tasks = [...replica.all()].filter(
      ({ type, fields }) => type === 'task' && fields['del'] === undefined,
    );
    if (tasks.length === 0) return null;
    const { id } = random.pick(tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, FAVOURITES));
    const session = new NoteSession(() => random.below(0x1_0000_0000));
    const note = { engine, id, group: replica.newId(), session };
    this.open.set(device, note);
    return note;
  }

  /** Puts in, takes out or replaces some. */
  private edited(text: string, put: string[]): string {
    const { random } = this;
    const points = [...text];
    const at = random.below(points.length + 1);
    const remove = random.chance(0.3) ? random.below(4) : 0;
    if (remove === 0 || random.chance(0.5))
      for (let count = random.between(1, 4); count > 0; count -= 1) put.push(this.characters.take());
    for (const point of points.slice(at, at + remove)) this.removed.add(point);
    points.splice(at, remove, ...put);
    return points.join('');
  }
}

/** Whether the author of an edit wrote the whole note anew after it: what became of that does not bring the edit back. */
function hasRewritten({ disk }: SimulatedDevice, task: Id, operation: Id): boolean {
  const edit = disk.durable.get(operation);
  return (
    edit !== undefined &&
    [...disk.durable.values()].some(
      (own) => own.a === 'set' && own.id === task && own.field === 'notes' && byOrder(own, edit) > 0,
    )
  );
}

function recoveredTextOf({ contents }: SimulatedDevice): string {
  const texts = [...contents.recovered.values()].map(({ operation }) => {
    if (operation.a === 'note') return operation.text;
    return operation.a === 'set' && operation.field === 'notes' ? String(operation.value) : '';
  });
  return texts.join('');
}
