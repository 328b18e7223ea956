// Copies of one note and the authority over it, small enough for thousands of histories: production's replica, session and
// `apply`, with neither disk nor network between them. Every character put in is a different one, so none can hide.
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, type Id } from '#core/ids.ts';
import { apply, type ApplyState } from '#sync/rows/apply.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import { mergeNote } from '#sync/notes/note-merging.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { flattened, noteDocOf, type NoteEpoch } from '#sync/notes/note.ts';
import type { Action, Operation, Verdict } from '#sync/rows/operation.ts';
import { DeviceReplica } from '#sync/replica/replica.ts';
import { asRow, fieldOf, registerStamp, type Row } from '#sync/rows/row.ts';
import { receive } from '#sync/exchange/taking-in.ts';

export const SCOPE = '0193b3a0-0000-7000-8000-000000000001' as Id;
export const NOTE = '0193b3a0-0000-7000-8000-000000000002' as Id;

export interface Dice {
  /** Uniform below `limit`. */
  below(limit: number): number;
}

/** Characters of two units, right-to-left ones and plain ones, each only once. */
export class Characters {
  private next = 0;

  take(): string {
    const n = this.next;
    this.next += 1;
    if (n % 3 === 0) return String.fromCodePoint(0x20000 + n);
    return n % 3 === 1 ? String.fromCodePoint(0x1e900 + n) : String.fromCharCode(0x4e00 + n);
  }
}

const textOf = (row: Row | undefined): string => fieldOf(row, 'notes') ?? '';

/** The server's part: rows, kept epochs, versions. */
export class Authority {
  row: Row;
  version = 1;
  time = 1_000;
  readonly epochs = new Map<Id, NoteEpoch>();
  readonly state: ApplyState;

  constructor(text: string) {
    const fields = text === '' ? { title: 'A' } : { title: 'A', notes: text };
    this.row = asRow({
      id: NOTE,
      type: 'task',
      scope: SCOPE,
      version: 1,
      fields,
      stamp: [1, 1, 9, 1],
      createdAt: 1,
      updatedAt: 1,
    });
    this.state = {
      mergeNote,
      checks: registerChecks,
      noteEpoch: (_note, seed) => this.epochs.get(seed),
      keepNoteEpoch: (_note, epoch) => this.keep(epoch),
      row: (id) => (id === NOTE ? this.row : undefined),
      absence: () => 'unknown',
      neighbour: () => undefined,
      put: (row) => {
        this.row = { ...row, updatedAt: row.version };
      },
    };
  }

  get text(): string {
    return textOf(this.row);
  }

  apply(operation: Pick<Operation, 'q' | 'b' | 't'> & Action, device: number): Verdict {
    this.time += 1;
    const writer = {
      version: this.version + 1,
      time: operation.t,
      device,
      seq: operation.q,
      base: operation.b,
    };
    const verdict = apply(this.state, operation, { ...writer, scope: SCOPE, account: 1 });
    if (verdict === 'ok') this.version += 1;
    return verdict;
  }

  /** What housekeeping does. */
  flatten(): void {
    const doc = noteDocOf(this.row);
    if (doc === undefined) return;
    this.keep({ ...doc, text: this.text });
    this.version += 1;
    this.row = flattened(this.row, this.version);
  }

  private keep(epoch: NoteEpoch): void {
    const before = this.epochs.get(epoch.seed);
    const isKnown = epoch.state === null && before !== undefined && before.state !== null;
    this.epochs.set(epoch.seed, isKnown ? { ...epoch, state: before.state, text: before.text } : epoch);
  }
}

/** One copy, with somebody typing into it. */
export class Copy {
  readonly replica: DeviceReplica;
  readonly recovered: string[] = [];
  readonly number: number;
  private session: NoteSession;
  private group: Id;
  private readonly dice: Dice;
  private readonly authority: Authority;

  constructor(authority: Authority, number: number, dice: Dice) {
    this.authority = authority;
    this.number = number;
    this.dice = dice;
    const random = {
      fill: (bytes: Uint8Array) => {
        for (let index = 0; index < bytes.length; index += 1) bytes[index] = dice.below(256);
      },
      fraction: () => 0.5,
    };
    const clock = { now: () => authority.time, monotonic: () => authority.time };
    const newId = createIdSource({ now: () => authority.time, random: (bytes) => random.fill(bytes) });
    const meta = {
      device: newId(),
      deviceNumber: number,
      scope: SCOPE,
      account: 1,
      seq: 0,
      acked: 0,
      cursors: {},
      clockOffsetMs: 0,
    };
    this.replica = new DeviceReplica(meta, [], { checks: registerChecks, clock, random });
    this.replica.learnToMerge(mergeNote);
    this.session = this.newSession();
    this.group = this.replica.newId();
    this.receive([]);
  }

  get text(): string {
    return textOf(this.replica.row(NOTE));
  }

  /** Closes the editor and opens it again. */
  reopen(): void {
    this.session = this.newSession();
    this.group = this.replica.newId();
  }

  edit(change: (text: string) => string): void {
    const row = this.replica.row(NOTE) as Row;
    this.session.load(this.text, noteDocOf(row));
    const to = change(this.text);
    if (to === this.text) return;
    const isConfirmed = registerStamp(row, 'notes')[0] !== Number.MAX_SAFE_INTEGER;
    const edit = this.session.change(to, isConfirmed);
    this.replica.issue([{ a: 'note', id: NOTE, ...edit }], { group: this.group });
  }

  /** Sends at most `most` operations and takes in the answer. */
  sync(most = Infinity): void {
    this.replica.compact(0);
    const sent = this.replica.pending.slice(0, most);
    this.receive(
      sent.map((operation) => [operation.q, this.authority.apply(operation, this.number)] as const),
    );
  }

  private receive(results: readonly (readonly [number, Verdict])[]): void {
    const { version, row } = this.authority;
    const from = this.replica.meta.cursors[SCOPE]?.version ?? 0;
    const rows = row.version > from ? [rowToWire(row)] : [];
    const change = { scope: SCOPE, generation: 'g', from, to: version, rows, gone: [], more: false };
    const { refused } = receive(this.replica, {
      results,
      changes: [change],
      left: [],
      deviceNumber: this.number,
      clockOffsetMs: 0,
    });
    for (const { operation, verdict } of refused) {
      if (verdict !== 'superseded') throw new Error(`an edit was refused: ${verdict}`);
      if (operation.a === 'note') this.recovered.push(operation.text);
    }
  }

  private newSession(): NoteSession {
    return new NoteSession(() => this.dice.below(2 ** 31) * 2 + this.dice.below(2));
  }
}
