// Random histories of two people with two devices each in a list that stays encrypted: they work, attach files, move tasks to their own lists and back, go
// offline, lose answers, are started anew, and make new keys of the list and of their accounts. `SEALED_SEED` lives through one, `SEALED=500` through so many.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { another, SECRET, settle, World, type Somebody } from './encrypted-list.ts';
import { numbers } from './material.ts';
import { SealedDevice } from './sealed-device.ts';

const ONLY = Number(process.env['SEALED_SEED'] ?? 0);
const COUNT = Number(process.env['SEALED'] ?? 6);
/** A device with an account key of before that told its public keys again, and a device that missed a change of both keys. */
const TOLD = [22, 1];
const STEPS = 60;
const ROUNDS = 6;
/** Until contents have the key of where they are. */
const FILE_ROUNDS = 12;

interface Place {
  readonly person: Somebody;
  device: SealedDevice;
}

class History {
  readonly #below: (below: number) => number;
  readonly #world: World;
  readonly #places: Place[] = [];
  readonly #titles = new Map<Id, Set<string>>();
  readonly #words = new Map<Id, string[]>();
  /** A list of their own of each person. */
  readonly #own = new Map<Somebody, Id>();
  /** Tasks that were moved, so that others may have written what comes too late. */
  readonly #moved = new Set<Id>();
  /** Attachments with what they contain. */
  readonly #files = new Map<Id, string>();
  readonly #codes = new Map<Somebody, string>();
  readonly occurred = new Map<string, number>();
  #serial = 0;

  constructor(seed: number, world: World) {
    this.#below = numbers(seed);
    this.#world = world;
  }

  async begin(): Promise<void> {
    const { ida } = this.#world;
    const ben = await this.#world.joined('ben');
    for (const person of [ida, ben]) {
      this.#own.set(person, person.device.add(`${SECRET} own`));
      await settle(person);
      const second = await another(person);
      await settle(second);
      this.#places.push({ person, device: person.device }, { person, device: second.device });
    }
  }

  #count(what: string): void {
    this.occurred.set(what, (this.occurred.get(what) ?? 0) + 1);
  }

  #some(device: SealedDevice): Id | undefined {
    const ids = [...this.#titles.keys()].filter((id) => device.row(id) !== undefined);
    return ids[this.#below(Math.max(1, ids.length))];
  }

  #text(): string {
    this.#serial += 1;
    return `${SECRET} ${this.#serial}`;
  }

  #add(device: SealedDevice): void {
    const title = this.#text();
    const { replica } = device.engine;
    const id = replica.newId();
    const place = { parent: this.#world.list };
    const { verdicts } = replica.issue([{ a: 'create', id, type: 'task', fields: { title }, place }]);
    if (verdicts[0] !== 'ok') return;
    this.#titles.set(id, new Set([title]));
    this.#count('adds');
  }

  #rename(device: SealedDevice): void {
    const id = this.#some(device);
    if (id === undefined) return;
    const title = this.#text();
    const { verdicts } = device.engine.replica.issue([{ a: 'set', id, field: 'title', value: title }]);
    if (verdicts[0] !== 'ok') return;
    this.#titles.get(id)?.add(title);
    this.#count('renames');
  }

  #write(device: SealedDevice): void {
    const id = this.#some(device);
    if (id === undefined || lockedOf(device.row(id))?.['notes'] !== undefined) return;
    this.#serial += 1;
    const word = `word${this.#serial}x`;
    device.write(id, `${device.notes(id)} ${word} ${SECRET}`);
    this.#words.set(id, [...(this.#words.get(id) ?? []), word]);
    this.#count('writes');
  }

  /** The task goes to the list of its person, or from there to the shared one. */
  #move({ person, device }: Place): void {
    const id = this.#some(device);
    const own = this.#own.get(person);
    if (id === undefined || own === undefined) return;
    const isOwn = device.row(id)?.scope === person.office.scope;
    const parent = isOwn ? this.#world.list : own;
    const { verdicts } = device.engine.replica.issue([{ a: 'place', id, place: { parent } }]);
    if (verdicts[0] !== 'ok') return;
    this.#moved.add(id);
    this.#count(isOwn ? 'moves back' : 'moves away');
  }

  async #attach({ person, device }: Place): Promise<void> {
    const parent = this.#below(2) === 0 ? this.#world.list : this.#own.get(person);
    const scope = parent === undefined ? undefined : device.row(parent)?.scope;
    if (parent === undefined || scope === undefined) return;
    const isList = scope === this.#world.scope;
    if ((await device.files(isList ? scope : null)).form !== 'sealed') return;
    if (isList && device.engine.facts().lists?.[scope] !== 'open') return;
    const text = `${this.#text()} file`;
    const file = await device.attach(text, new TextEncoder().encode(text), parent);
    const task = placeOf(device.row(file))?.parent;
    if (task === undefined) return;
    this.#files.set(file, text);
    this.#titles.set(task, new Set([text]));
    this.#count('files');
  }

  async #renew({ device }: Place): Promise<void> {
    if (!device.isOnline) return;
    if ((await device.lists.renew(this.#world.scope)).ok) this.#count('new key of the list');
  }

  async #rotate({ person, device }: Place): Promise<void> {
    if (!device.isOnline) return;
    await person.office.confirm();
    await device.keys.load();
    const prepared = prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });
    if (!(await device.turning.rotate(prepared)).ok) return;
    this.#codes.set(person, prepared.code);
    this.#count('new account key');
  }

  async #unlock({ person, device }: Place): Promise<void> {
    const code = this.#codes.get(person);
    if (code !== undefined && device.isOnline && (await device.keys.unlock(code)).ok) this.#count('unlocks');
  }

  async #restart(place: Place): Promise<void> {
    const { isOnline, disk } = place.device;
    await place.device.close();
    place.device = new SealedDevice(place.person.office, disk);
    place.device.isOnline = isOnline;
    await place.device.start();
    this.#count('restarts');
  }

  async step(): Promise<void> {
    const place = must(this.#places[this.#below(this.#places.length)], 'a device');
    const { device, person } = place;
    const kind = this.#below(112);
    if (kind >= 104) this.#move(place);
    else if (kind >= 100) await this.#attach(place);
    else if (kind < 20) this.#add(device);
    else if (kind < 36) this.#rename(device);
    else if (kind < 52) this.#write(device);
    else if (kind < 58) device.isOnline = false;
    else if (kind < 66) device.isOnline = true;
    else if (kind < 70) person.office.lost = this.#below(3);
    else if (kind < 74) await this.#restart(place);
    else if (kind < 78) await this.#renew(place);
    else if (kind < 80) await this.#rotate(place);
    else if (kind < 83) await this.#unlock(place);
    else if (device.isOnline) await device.sync();
  }

  /** Everybody is online again. */
  async end(): Promise<void> {
    for (const place of this.#places) {
      place.person.office.lost = 0;
      place.device.isOnline = true;
      await this.#unlock(place);
    }
    const devices = () => this.#places.map(({ device }) => device);
    for (let round = 0; round < ROUNDS; round += 1) await settle(...devices());
    assert.equal((await this.#world.state())?.phase, 'sealed');
    assert.deepEqual(await this.#world.left(), []);
    for (const [id, titles] of this.#titles) this.#look(id, titles);
    for (const device of devices()) {
      const refused = device.engine.recovered.get().filter(({ verdict }) => verdict !== 'superseded');
      const others = refused.filter(({ operation: { id } }) => !this.#moved.has(id));
      assert.deepEqual(others, []);
      assert.deepEqual(device.engine.facts().pending, []);
    }
    await this.#lookAtFiles();
    assert.equal(await this.#world.has(SECRET), false);
    for (const { person } of this.#places) {
      const asked = person.office.asked.filter((body) => body.includes(SECRET));
      assert.deepEqual(asked, []);
      assert.ok(person.office.sentFiles.every((sent) => !Buffer.from(sent).includes(SECRET)));
    }
  }

  /** A task is the same at all devices that have it: those of everybody, or those of one person. */
  #look(id: Id, titles: ReadonlySet<string>): void {
    const having = this.#places.filter(({ device }) => device.row(id) !== undefined);
    const [first] = having;
    assert.ok(first, `${id} is somewhere`);
    const isShared = first.device.row(id)?.scope === this.#world.scope;
    assert.equal(
      having.length,
      isShared ? this.#places.length : 2,
      `${id} is at all devices that may have it`,
    );
    const title = String(first.device.name(id));
    assert.ok(titles.has(title), `${id} is called what it was called last: ${title}`);
    const notes = first.device.notes(id);
    for (const { device } of having) assert.deepEqual([device.name(id), device.notes(id)], [title, notes]);
    // What was written to a task that had gone meanwhile is kept where it was written.
    const kept = JSON.stringify(this.#places.map(({ device }) => device.engine.recovered.get()));
    for (const word of this.#words.get(id) ?? [])
      assert.ok(notes.includes(word) || (this.#moved.has(id) && kept.includes(word)), `${id} has ${word}`);
  }

  /** Everybody who has a file opens it, with the key of where it is. */
  async #lookAtFiles(): Promise<void> {
    const isInPlace = (id: Id) =>
      this.#places.every(({ person, device }) => {
        const row = device.row(id);
        if (row?.type !== 'attachment') return true;
        const { scope } = row.fields.content ?? { scope: 'none' };
        return scope === (row.scope === person.office.scope ? undefined : row.scope);
      });
    const files = [...this.#files.keys()];
    for (let round = 0; round === 0 || (round < FILE_ROUNDS && !files.every(isInPlace)); round += 1) {
      for (const { device } of this.#places)
        for (const id of files) {
          const row = device.row(id);
          const { hash = '' } = row?.type === 'attachment' ? row.fields : {};
          if (row !== undefined && device.disk.files.unsent.has(hash)) await device.send(hash, row.scope);
        }
      await settle(...this.#places.map(({ device }) => device));
    }
    for (const [id, text] of this.#files) {
      assert.ok(isInPlace(id), `${id} has the key of where it is`);
      for (const { device } of this.#places)
        if (device.row(id) !== undefined) assert.equal(await device.read(id), text);
    }
  }

  async close(): Promise<void> {
    for (const { device } of this.#places) await device.close();
  }
}

describe('histories of two people in an encrypted list', () => {
  test(`[SEAL-257] ${COUNT} of them end with equal copies, nothing lost, and no word of it at the server`, async () => {
    const met = new Map<string, number>();
    const first = Array.from({ length: COUNT }, (_, at) => at + 1);
    const seeds = ONLY > 0 ? [ONLY] : [...new Set([...TOLD, ...first])];
    for (const seed of seeds) {
      const world = await World.open();
      await world.share();
      const history = new History(seed, world);
      try {
        await history.begin();
        for (let step = 0; step < STEPS; step += 1) await history.step();
        await history.end();
      } catch (error) {
        throw new Error(`SEALED_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      for (const [what, times] of history.occurred) met.set(what, (met.get(what) ?? 0) + times);
      await history.close();
      await world.close();
    }
    if (ONLY > 0) return;
    for (const what of [
      'adds',
      'renames',
      'writes',
      'restarts',
      'new key of the list',
      'new account key',
      'unlocks',
      'files',
      'moves away',
      'moves back',
    ])
      assert.ok((met.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...met])}`);
  });
});
