// Random histories of two people with two devices each in a list that stays encrypted: they work, go offline, lose answers, are started anew, and make new
// keys of the list and of their accounts. `SEALED_SEED` lives through one, `SEALED=500` through so many.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { lockedOf } from '#sync/rows/locked.ts';
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
    const kind = this.#below(100);
    if (kind < 20) this.#add(device);
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
    const [first, ...others] = devices();
    for (const [id, titles] of this.#titles) {
      const title = String(first?.name(id));
      assert.ok(titles.has(title), `${id} is called what it was called last: ${title}`);
      for (const device of others) assert.equal(device.name(id), title);
      for (const device of others) assert.equal(device.notes(id), first?.notes(id));
      for (const word of this.#words.get(id) ?? []) assert.match(first?.notes(id) ?? '', new RegExp(word));
    }
    for (const device of devices()) {
      const refused = device.engine.recovered.get().filter(({ verdict }) => verdict !== 'superseded');
      assert.deepEqual(refused, []);
      assert.deepEqual(device.engine.facts().pending, []);
    }
    assert.equal(await this.#world.has(SECRET), false);
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
    ])
      assert.ok((met.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...met])}`);
  });
});
