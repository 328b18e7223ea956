// Random histories of an account whose devices turn encryption on and off while they work, go offline, lose answers and are started anew,
// around a whole server: in the end all copies are equal, nothing is lost, and a sealed database holds no content.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { isKnown } from '#sync/rows/row.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import { listsOn } from '#sync/sealing/scope-state.ts';
import { callSharing, confirmEmail } from '../sharing.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { numbers } from './material.ts';
import { newDisk, SealedDevice, settled, type Disk } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

/** With a sign that no sealed text has. */
const CANARY = 'canary!';
const DEVICES = 3;
const STEPS = 60;
/** Rounds in which everybody is online: what was going on when the history ended comes to its end. */
const ROUNDS = 12;
/** From one of them to the next. */
const MINUTES_MS = 4 * 60_000;

/** How often something happened in a history. */
export type Occurred = Readonly<Record<string, number>>;

interface Place {
  readonly disk: Disk;
  device: SealedDevice;
}

/** What happens besides in a history. */
export interface HistoryKind {
  /** A program writes by the public API. */
  readonly hasProgram?: boolean;
  /** Lists are shared and made private. */
  readonly shares?: boolean;
  /** Tasks are moved between lists, shared or not. */
  readonly moves?: boolean;
}

class History {
  readonly #below: (below: number) => number;
  readonly #office: WholeOffice;
  readonly #places: Place[] = [];
  /** Whether a program writes, too. */
  readonly #hasProgram: boolean;
  readonly #named = new Map<Id, Set<string>>();
  readonly #words = new Map<Id, string[]>();
  readonly occurred: Record<string, number> = {};
  /** What happened, a line each. */
  readonly trace: string[] = [];
  #code: string | null = null;
  /** Codes of keys whose making got no answer. */
  readonly #unsure: string[] = [];
  #who = 0;
  #said = '';
  #serial = 0;

  /** Lists are shared and made private in it, too. */
  readonly #shares: boolean;
  readonly #moves: boolean;

  constructor(
    seed: number,
    office: WholeOffice,
    { hasProgram = false, shares = false, moves = false }: HistoryKind,
  ) {
    this.#below = numbers(seed);
    this.#hasProgram = hasProgram;
    this.#office = office;
    this.#shares = shares;
    this.#moves = moves;
  }

  async begin(): Promise<void> {
    await confirmEmail(this.#office.server, this.#office.account);
    for (let each = 0; each < DEVICES; each += 1) {
      const disk = newDisk();
      this.#places.push({ disk, device: await new SealedDevice(this.#office, disk).start() });
    }
    if (!this.#shares) return;
    for (const { device } of this.#places) {
      this.#add(device);
      await device.sync();
      if (this.#code === null) await this.#turn(device);
      await this.#unlock(device);
    }
  }

  async step(): Promise<void> {
    const at = this.#below(DEVICES);
    const place = must(this.#places[at], 'a device');
    this.#who = at;
    const { device } = place;
    const kind = this.#below(100);
    this.#said = '';
    if (this.#moves && this.#below(5) === 0) this.#place(device);
    else if (kind < 22) this.#add(device);
    else if (kind < 38) this.#rename(device);
    else if (kind < 54) this.#write(device);
    else if (kind < 60) this.#count('goes offline', () => (device.isOnline = false));
    else if (kind < 68) this.#count('comes back', () => (device.isOnline = true));
    else if (kind < 72) {
      this.#office.lost = this.#below(3);
      this.#said = `${this.#office.lost} answers are lost`;
    } else if (kind < 76) await this.#restart(place);
    else if (kind < 80) await this.#turn(device);
    else if (kind < 84) await this.#unlock(device);
    else if (this.#shares && kind < 91) await this.#share(device);
    else if (this.#shares && kind < 96) await this.#makePrivate(device);
    else if (this.#shares && kind < 97) await this.#stop(device);
    else if (device.isOnline) {
      await device.sync();
      this.#said = 'syncs';
    }
    if (this.#said !== '') this.trace.push(`${this.#who}: ${this.#said}`);
    if (this.#hasProgram && this.#below(5) === 0) await this.#program();
  }

  /** A program makes a list, or calls one otherwise. */
  async #program(): Promise<void> {
    const ids = [...this.#named.keys()];
    const id = ids[this.#below(2 * ids.length + 1)];
    const name = this.#text();
    const answer =
      id === undefined
        ? await this.#office.program('POST', '/lists', { name, notes: `${name} ${CANARY}` })
        : await this.#office.program('PATCH', `/lists/${id}`, { name });
    // A list that only a device knows so far.
    if (answer['status'] === 404 && id !== undefined) return;
    assert.equal(answer['status'], 200, JSON.stringify(answer));
    const { id: made } = answer['list'] as { readonly id: Id };
    if (id === undefined) this.#words.set(made, [name]);
    this.#named.set(made, new Set([...(this.#named.get(made) ?? []), name]));
    this.trace.push(`the program ${id === undefined ? 'makes' : 'calls'} ${made.slice(-4)} ${name}`);
    this.occurred['program wrote'] = (this.occurred['program wrote'] ?? 0) + 1;
    if (answer['list'] !== undefined && (answer['list'] as { name: string }).name === '')
      this.occurred['program wrote sealed'] = (this.occurred['program wrote sealed'] ?? 0) + 1;
  }

  #count(name: string, work: () => void): void {
    this.occurred[name] = (this.occurred[name] ?? 0) + 1;
    this.#said = name;
    work();
  }

  #text(): string {
    this.#serial += 1;
    return `${CANARY}${this.#serial}`;
  }

  #pick(device: SealedDevice): Id | null {
    const ids = [...this.#named.keys()].filter((id) => device.row(id) !== undefined);
    return ids[this.#below(Math.max(1, ids.length))] ?? null;
  }

  #add(device: SealedDevice): void {
    const name = this.#text();
    const parent = this.#shares && this.#below(3) > 0 ? this.#pick(device) : null;
    const id = parent === null ? device.add(name) : device.addTask(parent, name);
    this.#named.set(id, new Set([name]));
    this.#said = `makes ${id.slice(-4)}, ${name}`;
  }

  #rename(device: SealedDevice): void {
    const id = this.#pick(device);
    if (id === null) return;
    const name = this.#text();
    device.rename(id, name);
    this.#said = `calls ${id.slice(-4)} ${name}`;
    this.#named.get(id)?.add(name);
  }

  /** Adds a word to a note that this device can read. */
  #write(device: SealedDevice): void {
    const id = this.#pick(device);
    if (id === null || device.name(id) === 'Locked') return;
    if (lockedOf(device.row(id))?.['notes'] !== undefined) return;
    const word = this.#text();
    this.#said = `writes ${word} in ${id.slice(-4)} after “${device.notes(id)}”`;
    device.write(id, `${device.notes(id)} ${word}`);
    this.#words.set(id, [...(this.#words.get(id) ?? []), word]);
  }

  /** Puts a task somewhere else. */
  #place(device: SealedDevice): void {
    const [id, parent] = [this.#pick(device), this.#pick(device)];
    const row = id === null ? undefined : device.row(id);
    if (id === null || parent === null || row?.type !== 'task' || id === parent) return;
    const [verdict] = device.engine.replica.issue([{ a: 'place', id, place: { parent } }]).verdicts;
    const isAcross = row.scope !== device.row(parent)?.scope;
    this.#count(`${isAcross ? 'moves across' : 'moves'}, ${verdict}`, () => undefined);
    this.#said += `: ${id.slice(-4)} to ${parent.slice(-4)}`;
  }

  async #restart(place: Place): Promise<void> {
    const { device, disk } = place;
    await settled();
    await device.close();
    place.device = await new SealedDevice(this.#office, disk).start();
    this.#count('restarts', () => undefined);
  }

  /** Somebody turns encryption on or off; where it can't be done now, nothing happens. */
  async #turn(device: SealedDevice): Promise<void> {
    if (!device.isOnline) return;
    await device.keys.load();
    const answer = await device.keys.refresh();
    if (!answer.ok) return;
    const { phase } = answer.value.state;
    if (phase === 'sealed' && this.#below(2) === 0) {
      await this.#rotate(device);
      return;
    }
    if (phase === 'plain' && (this.#code === null || device.keys.key !== null)) {
      const prepared = await device.turnOn().catch(() => null);
      if (prepared === null) return;
      this.#code = prepared.code;
      this.#count('turned on', () => undefined);
    } else if (phase === 'sealed' && device.keys.key !== null && (!this.#shares || this.#below(3) === 0)) {
      if ((await device.turning.end()).ok) this.#count('turned off', () => undefined);
    }
  }

  /** Whether this device shares lists now, and says which: `sealed` with their help. Null: it can't. */
  async #ready(device: SealedDevice): Promise<'plain' | 'sealed' | null> {
    await device.keys.load();
    const answer = device.isOnline ? await device.keys.refresh() : null;
    if (answer?.ok !== true) return null;
    const { phase } = answer.value.state;
    return phase === 'plain' ? 'plain' : phase === 'sealed' && device.keys.key !== null ? 'sealed' : null;
  }

  async #call(list: Id, call: string): Promise<string> {
    const { server, session } = this.#office;
    const answer = await callSharing(server, session, `POST sharing/lists/${list}${call}`);
    const { state, code } = (await answer.json()) as { readonly state?: string; readonly code?: string };
    return answer.status === 200 ? String(state) : `refused, ${code}`;
  }

  /** Has a list go another way, as the dialogs do. */
  async #send(device: SealedDevice, list: Id, way: 'open' | 'await', call: string): Promise<void> {
    const ready = await this.#ready(device);
    if (ready === null) return;
    if (ready === 'sealed') {
      const isSent = await device.move(list, way).then(
        () => true,
        () => false,
      );
      if (!isSent) return;
    }
    const said = await this.#call(list, call);
    if (said.startsWith('refused') && ready === 'sealed')
      await device.move(list, 'close').catch(() => undefined);
    this.#count(`${way === 'open' ? 'shares' : 'makes private'}, ${ready}`, () => undefined);
    this.#said += ` ${list.slice(-4)}: ${said}`;
  }

  #pickIn(device: SealedDevice, isOwn: boolean): Id | undefined {
    const { scope } = this.#office;
    const ids = [...this.#named.keys()].filter((id) => {
      const row = device.row(id);
      return row?.type === 'list' && (row.scope === scope) === isOwn;
    });
    return ids[this.#below(Math.max(1, ids.length))];
  }

  async #share(device: SealedDevice): Promise<void> {
    const id = this.#pickIn(device, true);
    if (id !== undefined) await this.#send(device, id, 'open', '');
  }

  async #makePrivate(device: SealedDevice): Promise<void> {
    const id = this.#pickIn(device, false);
    if (id !== undefined) await this.#send(device, id, 'await', '/private');
  }

  async #stop(device: SealedDevice): Promise<void> {
    if ((await this.#ready(device)) !== 'sealed') return;
    const [list] = listsOn(device.keys.state, 'open');
    if (list === undefined) return;
    await device.move(list, 'close').catch(() => undefined);
    this.#count('stops sharing', () => undefined);
  }

  /** Somebody makes a new key. Where no answer came nobody knows whether its code is in force. */
  async #rotate(device: SealedDevice): Promise<void> {
    if (device.keys.key === null) return;
    const prepared = prepareNewKey({ random: (bytes) => void randomFillSync(bytes) });
    const done = await device.turning.rotate(prepared);
    if (done.ok) {
      this.#code = prepared.code;
      this.#count('new key', () => undefined);
    } else this.#unsure.push(prepared.code);
  }

  async #unlock(device: SealedDevice): Promise<void> {
    if (this.#code === null || !device.isOnline) return;
    await device.keys.load();
    await device.keys.refresh();
    if (device.keys.key !== null && !device.keys.isBehind) return;
    for (const code of [this.#code, ...this.#unsure]) {
      if (!(await device.keys.unlock(code)).ok) continue;
      this.#count('unlocked', () => undefined);
      break;
    }
    await device.sync();
  }

  /** Everybody is online, and has the key. */
  async end(): Promise<void> {
    this.#office.lost = 0;
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { device } of this.#places) {
        device.isOnline = true;
        // Nobody moves what is still awaited.
        device.now += MINUTES_MS;
        await this.#unlock(device);
        await device.sync();
      }
  }

  async check(): Promise<void> {
    const devices = this.#places.map(({ device }) => device);
    const { state } = await this.#state();
    assert.ok(state.phase === 'plain' || state.phase === 'sealed', `it stays ${state.phase}`);
    assert.equal(state.lists, undefined, `lists stay on their way: ${JSON.stringify(state.lists)}`);
    for (const device of devices) {
      const { pending } = device.engine.facts();
      assert.equal(pending.length, 0, `${pending.length} changes wait`);
      // A name that another one took the place of is kept there, and of two tasks that were moved beneath each other one move; nothing else.
      const isKept = ({ operation, verdict }: RecoveredItem) =>
        verdict === 'superseded' || (operation.a === 'place' && verdict === 'cycle');
      const refused = device.engine.recovered.get().filter((item) => !isKept(item));
      assert.deepEqual(refused, []);
    }
    for (const [id, names] of this.#named) {
      const shown = new Set(devices.map((device) => device.name(id)));
      assert.equal(shown.size, 1, `${id} is called ${[...shown].join(' and ')}`);
      const [name] = shown;
      assert.ok(names.has(String(name)), `${id} is called ${String(name)}`);
      const notes = new Set(devices.map((device) => device.notes(id)));
      assert.equal(notes.size, 1, `notes differ: ${[...notes].join(' | ')}`);
      const aside = devices.flatMap((device) =>
        device.engine.recovered
          .get()
          .flatMap(({ operation }) => (operation.a === 'note' ? [operation.text] : [])),
      );
      for (const word of this.#words.get(id) ?? []) {
        if ([...notes].every((text) => text.includes(word))) continue;
        const isAside = aside.some((text) => text.includes(word));
        assert.ok(isAside, `${word} is missing in ${[...notes].join()}`);
        this.#count('kept in Recovered', () => undefined);
      }
    }
    const { rows } = await this.#kept();
    if (state.phase === 'sealed') assert.doesNotMatch(rows, new RegExp(CANARY));
    // What came by the inbox was sealed anew, or brought back with the rest.
    assert.ok(!rows.includes(String.raw`{\"e\":\"Ag`), 'nothing stays sealed to the inbox');
    this.#count(`ends ${state.phase}`, () => undefined);
    for (const { disk } of this.#places) assert.equal(disk.store.kept?.replays ?? 0, 0, 'no false alarm');
    for (const device of devices)
      for (const row of device.disk.contents.rows.values())
        assert.ok(!isKnown(row) || !('~locked' in row.fields), 'a row stays locked');
  }

  async #state() {
    const read = await this.#office.routes.read();
    assert.ok(read.ok);
    return read.value;
  }

  async #kept(): Promise<{ readonly rows: string }> {
    const { server, scope } = this.#office;
    const found = await server.database.db
      .selectFrom('entity')
      .select('fields')
      .where('scope', '=', scope)
      .execute();
    return { rows: JSON.stringify(found) };
  }

  async close(): Promise<void> {
    for (const { device } of this.#places) await device.close();
  }
}

/** Lives through the history of a seed. Rejects with what was broken. */
export async function liveSealed(seed: number, kind: HistoryKind = {}): Promise<Occurred> {
  const office = await WholeOffice.open();
  const history = new History(seed, office, kind);
  try {
    await history.begin();
    for (let step = 0; step < (kind.shares === true ? 2 * STEPS : STEPS); step += 1) await history.step();
    await history.end();
    await history.check();
    return history.occurred;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n${history.trace.join('\n')}`, { cause: error });
  } finally {
    await history.close();
    await office.close();
  }
}
