// What programs and mail have written reaches a device sealed to the inbox of the scope. Here the first device that opens it seals it anew, as
// its own writes are. Which registers wait for that is kept on the disk, as the replica holds only what was opened.
import type { Id } from '#core/ids.ts';
import { inboxGenerationOf, isEnvelope } from '#core/sealing/envelope.ts';
import { sealingLimits, type Reencode } from '#wire/sealing.ts';
import type { InboxMeta } from '../replica/ports.ts';
import { asItCame, lockedOf } from '../rows/locked.ts';
import { isKnown, registersOf, registerStamp, type Row, type StoredRow } from '../rows/row.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { SealingHost, SealingServer } from './ports.ts';
import { writerOf } from './reencoding.ts';
import { sealRegister } from './registers.ts';

/** How many turns a run waits for rows that are being taken in. */
const MOST_TURNS = 50;

type Item = Reencode['items'][number];

interface Ports {
  readonly keys: DeviceKeys;
  readonly server: SealingServer;
  readonly host: Pick<SealingHost, 'inbox' | 'keepInbox' | 'confirmed' | 'breathe'>;
}

/** The registers of a row, as its server has it, that are sealed to an inbox. */
export function inboxRegisters(row: StoredRow): readonly string[] {
  const came = asItCame(row);
  if (!isKnown(came)) return [];
  return Object.entries(registersOf(came)).flatMap(([name, value]) =>
    isEnvelope(value) && inboxGenerationOf(value) !== null ? [name] : [],
  );
}

/** Seals anew what came by the inbox. */
export class InboxDesk {
  readonly #ports: Ports;
  /** What was noted before this run of the app: a row of it that isn't here any more doesn't come. */
  #earlier: ReadonlySet<string> | null = null;
  #isRunning = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Notes what is sealed to the inbox in rows that are about to be taken in. */
  note(rows: readonly StoredRow[]): void {
    const { host } = this.#ports;
    this.#earlier ??= new Set(Object.keys(host.inbox));
    const noted: Record<Id, InboxMeta[Id]> = {};
    for (const row of rows) {
      const names = inboxRegisters(row);
      if (names.length > 0) noted[row.id] = { version: row.version, names };
    }
    if (Object.keys(noted).length > 0) host.keepInbox({ ...host.inbox, ...noted });
  }

  /** Begins where something waits. Does nothing while it runs. */
  start(): void {
    const { host, keys } = this.#ports;
    const isDue = keys.sealer !== null && keys.walked.phase === 'sealed';
    if (this.#isRunning || !isDue || Object.keys(host.inbox).length === 0) return;
    this.#isRunning = true;
    void this.run().finally(() => {
      this.#isRunning = false;
    });
  }

  /** One run: all that is here by then, some hundred registers at a time. What has no answer stays for the next one. */
  async run(): Promise<void> {
    const { host, keys, server } = this.#ports;
    this.#earlier ??= new Set(Object.keys(host.inbox));
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      await host.breathe();
      const { items, rows } = this.#batch();
      if (rows.size === 0) continue;
      if (items.length > 0) {
        const answer = await server.reencode({ state: keys.walked, items: [...items] });
        if (!answer.ok) return;
      }
      // What came for the same row meanwhile is still to be done.
      const isLeft = ([id, { version }]: [string, InboxMeta[Id]]) => rows.get(id) !== version;
      host.keepInbox(Object.fromEntries(Object.entries(host.inbox).filter(isLeft)));
      if (Object.keys(host.inbox).length === 0) return;
    }
  }

  /** Rows that can be dealt with now, with the versions they were noted in, and what is sent for them. */
  #batch(): { readonly items: readonly Item[]; readonly rows: ReadonlyMap<string, number> } {
    const { host } = this.#ports;
    const items: Item[] = [];
    const rows = new Map<string, number>();
    for (const [id, { version, names }] of Object.entries(host.inbox) as [Id, InboxMeta[Id]][]) {
      const row = host.confirmed(id);
      const isHere = row !== undefined && row.version >= version;
      if (!isHere && !(row === undefined && this.#earlier?.has(id))) continue;
      const made = isHere ? this.#itemsOf(row, names) : [];
      if (items.length + made.length > sealingLimits.reencodings) break;
      // What doesn't open yet waits for its key.
      if (isHere && names.some((name) => lockedOf(row)?.[name] !== undefined)) continue;
      rows.set(id, version);
      items.push(...made);
    }
    return { items, rows };
  }

  #itemsOf(row: Row, names: readonly string[]): readonly Item[] {
    const { sealer } = this.#ports.keys;
    if (sealer === null) return [];
    const fields = registersOf(row);
    return names.flatMap((name): Item[] => {
      const value = fields[name];
      if (value === undefined || value === null) return [];
      const stamp = registerStamp(row, name);
      const subject = { id: row.id, type: row.type, fields };
      const sealed = sealRegister({ sealer, writer: writerOf(stamp) }, subject, { name, value });
      if (!sealed.ok) return [];
      const to = { name: sealed.value.name, value: sealed.value.value };
      return [{ id: row.id, from: name, to, stamp: [...stamp] } as Item];
    });
  }
}
