// A visit to an encrypted list by its public link: what the server hands on is opened, and what the visitor does is sealed, with the secret that stands in
// the fragment of the address. Loaded by the page of such a link alone (site/public-list/sealed.ts); it asks no server.
import { deriveId, type Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Envelope, Sealer } from '#core/sealing/envelope.ts';
import { createNonces, type Random } from '#core/sealing/keys.ts';
import { openForVisitor, readVisitorSecret, visitorRing } from '#core/sealing/visitor-link.ts';
import { openRegister, sealRegister, type Subject } from '#sync/sealing/registers.ts';
import type { ShownList, ShownTask, VisitorChange } from '#wire/public-links.ts';
import { registerChecks } from '#wire/registers.ts';
import type { SealedChange, SealedHead, SealedTask } from '#wire/public-page/sealed-links.ts';

/** Tasks that are opened before keys and frames have their turn. */
const TURN_TASKS = 32;
/** Numbers of devices are lower: what visitors write is taken for no device's. */
const FIRST_VISITOR = 2 ** 48;

/** Why a list doesn't open: the address has no secret, or another one. */
export type KeyProblem = 'missing' | 'wrong';

/** Why a change can't be sealed: `locked` something here doesn't open; `long` what it says can't be saved. */
export type SealingProblem = 'locked' | 'long';

/** A note as the server has it, and its text. */
interface KnownNote {
  /** The sealed text; null: there is none. */
  readonly e: string | null;
  /** Null: it doesn't open. */
  readonly text: string | null;
}

/** Merges two texts that both came from a third. */
export type CarryText = (was: string, to: string, present: string) => string;

/** Loads the merging of notes. */
export const mergingNotes = async (): Promise<CarryText> =>
  (await import('#sync/notes/note-merge.ts')).carryText;

interface Ports {
  readonly random: Random;
  /** Loads what merges notes. */
  readonly merging: () => Promise<CarryText>;
  /** Lets keys and frames have their turn. */
  readonly breathe: () => Promise<void>;
}

const about = (id: Id): Subject => ({ id, type: 'task' });

/** One page's visit. */
export class SealedVisit {
  readonly #secret: ReturnType<typeof readVisitorSecret>;
  readonly #ports: Ports;
  readonly #device: number;
  readonly #nonce: () => Uint8Array;
  #seq = 0;
  #sealer: Sealer | null = null;
  #link = '';
  /** The wrap that was opened last. */
  #wrap = '';
  readonly #notes = new Map<string, KnownNote>();
  /** What is on its way, as it was sealed first: sent again it is the same. */
  readonly #sealed = new WeakMap<VisitorChange, SealedChange>();

  /** `secret`: as it stands in the address; null: there is none. */
  constructor(secret: string | null, ports: Ports) {
    this.#secret = secret === null ? null : readVisitorSecret(secret);
    this.#ports = ports;
    this.#nonce = createNonces(ports.random);
    const own = new Uint8Array(4);
    ports.random(own);
    this.#device = FIRST_VISITOR + new DataView(own.buffer).getUint32(0);
  }

  /** Opens the key of the list. Null: the list can be read. */
  open({ scope, generation, wrap, link }: SealedHead): KeyProblem | null {
    if (this.#secret === null) return 'missing';
    if (this.#sealer !== null && wrap === this.#wrap) return null;
    const key = openForVisitor(wrap, this.#secret, { scope, generation });
    if (!key.ok) return 'wrong';
    this.#sealer = { ring: visitorRing(key.value, { scope, generation }), nonce: this.#nonce };
    this.#link = link;
    this.#wrap = wrap;
    return null;
  }

  /** The list without its tasks. It has no logo: a server would read it. */
  list({ list, name, may }: SealedHead): ShownList {
    const opened = name === null ? '' : this.#opened({ id: list, type: 'list' }, 'name', name);
    return { name: typeof opened === 'string' ? opened : 'Encrypted list', logo: null, may };
  }

  /** Many tasks, a few at a time. */
  async tasks(sealed: readonly SealedTask[]): Promise<ShownTask[]> {
    const opened: ShownTask[] = [];
    for (const task of sealed) {
      if (opened.length > 0 && opened.length % TURN_TASKS === 0) await this.#ports.breathe();
      opened.push(this.task(task));
    }
    return opened;
  }

  /** A task. What was sealed for another place, list or key doesn't open: it is locked. */
  task({ id, parent, key, title, notes, isDone, due, start, repeats }: SealedTask): ShownTask {
    const subject = about(id);
    const read = { title, notes, due, start };
    const values = new Map<string, unknown>();
    let isLocked = false;
    for (const [name, envelope] of Object.entries(read)) {
      if (envelope === undefined) continue;
      const value = this.#opened(subject, name, envelope);
      if (value === undefined) isLocked = true;
      else values.set(name, value);
    }
    const text = notes === undefined ? '' : (values.get('notes') ?? null);
    this.#notes.set(id, { e: notes?.e ?? null, text: text as string | null });
    const { title: name = '', ...others } = Object.fromEntries(values) as Partial<ShownTask>;
    return {
      ...others,
      id,
      parent,
      key,
      title: name,
      ...(isDone === true ? { isDone } : {}),
      ...(repeats === true ? { repeats } : {}),
      ...(isLocked ? { isLocked: true as const } : {}),
    };
  }

  /** Undefined: it doesn't open, or isn't what may stand there. */
  #opened(subject: Subject, name: string, value: Envelope): unknown {
    if (this.#sealer === null) return undefined;
    const opening = { ring: this.#sealer.ring, checks: registerChecks, acceptsPlain: false };
    const opened = openRegister(opening, subject, { name, value });
    return opened.ok ? opened.value.value : undefined;
  }

  /** The id that the server gives to a task that is added: nothing else can be sealed for it. */
  #idOf(key: Id): Id {
    return deriveId('public task', `${this.#link} ${key}`);
  }

  /** A change as it is sent. `named`: the same with ids of the server. */
  async seal(change: VisitorChange, named: VisitorChange): Promise<Result<SealedChange, SealingProblem>> {
    const known = this.#sealed.get(change);
    const made = known === undefined ? await this.#made(named) : ok(known);
    if (made.ok) this.#sealed.set(change, made.value);
    return made;
  }

  /** The note has another text by now, which was read: the change is sealed anew, with what others wrote. */
  again(change: VisitorChange): void {
    this.#sealed.delete(change);
  }

  async #made(named: VisitorChange): Promise<Result<SealedChange, SealingProblem>> {
    switch (named.do) {
      case 'complete':
      case 'reopen':
        return ok({ do: named.do, id: named.id as Id });
      case 'title': {
        const id = named.id as Id;
        const title = this.#value(id, 'title', named.title);
        return title.ok ? ok({ do: 'title', id, title: title.value }) : title;
      }
      case 'add': {
        const title = this.#value(this.#idOf(named.key), 'title', named.title);
        if (!title.ok) return title;
        const { key, parent, after } = named;
        const where = {
          ...(parent === undefined ? {} : { parent: parent as Id }),
          ...(after === undefined ? {} : { after: after as Id }),
        };
        return ok({ do: 'add', key, title: title.value, ...where });
      }
      case 'notes':
        return await this.#note(named);
    }
  }

  async #note({
    id: named,
    was,
    notes,
  }: VisitorChange & { readonly do: 'notes' }): Promise<Result<SealedChange, SealingProblem>> {
    const id = named as Id;
    const { e, text: present } = this.#notes.get(id) ?? { e: null, text: '' };
    if (present === null) return failed('locked');
    const text = present === was ? notes : (await this.#ports.merging())(was, notes, present);
    if (text === '') return ok({ do: 'notes', id, was: e, notes: null });
    const value = this.#value(id, 'notes', text);
    return value.ok ? ok({ do: 'notes', id, was: e, notes: value.value }) : value;
  }

  #value(id: Id, name: 'title' | 'notes', value: string): Result<Envelope, SealingProblem> {
    if (this.#sealer === null) return failed('locked');
    if (registerChecks.register('task', name, value) !== null) return failed('long');
    this.#seq += 1;
    const writer = { device: this.#device, seq: this.#seq };
    const sealed = sealRegister({ sealer: this.#sealer, writer }, about(id), { name, value });
    return sealed.ok ? ok(sealed.value.value as Envelope) : failed('locked');
  }
}
