// Turns a message in the spool into a task, on the common write path: exactly one, however often it is tried. The task's id
// is derived from the list and the message, so that a write before a crash is found again.
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { deriveId, inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { Tables } from '../data/tables.ts';
import type { Blobs } from '../files/blobs.ts';
import type { FileLedger } from '../files/ledger.ts';
import type { Exchange } from '../sync/exchange.ts';
import { whereIs } from '../sharing/records.ts';
import { isLiving } from '../sync/living.ts';
import { unreadableDraft, type Draft } from './draft.ts';
import type { Reader } from './reader.ts';
import type { Scan } from './scan.ts';
import type { Spool, Spooled } from './spool.ts';

/** `known`: already a task. `nobody`: the recipient is gone. `refused`: it cannot become a task. */
export type Delivered = 'task' | 'known' | 'nobody' | 'refused';

/** What becomes of mail to an encrypted list. `files`: it has some, or is too long for a note, and nobody could seal what doesn't fit. */
export type SealedDelivery = 'task' | 'nobody' | 'refused' | 'files';

export interface DeliveryPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly newId: () => Id;
  readonly spool: Pick<Spool, 'read'>;
  readonly reader: Reader;
  readonly blobs: Pick<Blobs, 'put' | 'size'>;
  readonly fileLedger: Pick<FileLedger, 'add'>;
  readonly exchange: Pick<Exchange, 'carryOut'>;
}

/** The device that writes mail to the lists of a scope, for an account. */
export const mailDevice = (scope: Id, account: number): Id => deriveId('mail', scope, String(account));

/** The target of the task: the list, or the owner's Inbox if the list is gone meanwhile. */
interface Target {
  readonly scope: Id;
  readonly list: Id;
}

interface Receiver {
  readonly account: number;
  readonly personal: Id;
}

interface Letter {
  readonly arrival: Spooled;
  readonly draft: Draft;
  readonly messageId: string;
  /** The first one is the task's; if any of them exists, this message was already delivered. */
  readonly ids: readonly Id[];
}

interface StoredFile {
  readonly name: string;
  readonly fileType: string;
  readonly sizeBytes: number;
  readonly hash: string;
}

async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

class Deliveries {
  readonly #ports: DeliveryPorts;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  async deliver(admitted: Spooled): Promise<Delivered> {
    const arrival = await this.#whereItIs(admitted);
    const raw = await this.#ports.spool.read(arrival.id);
    const receiver = await this.#receiver(arrival.scope);
    if (raw === null || receiver === null) return 'nobody';
    const { scan, draft } = await this.#ports.reader.read(raw);
    if (draft === null) return this.#unreadable(arrival, receiver, scan);
    const done = await this.#write(this.#letter(arrival, draft, scan), receiver);
    return done === 'refused' ? this.#unreadable(arrival, receiver, scan) : done;
  }

  /** As `deliver`, for a message that is on no disk and goes into an encrypted scope. */
  async deliverSealed(arrival: Spooled, raw: Uint8Array<ArrayBuffer>): Promise<SealedDelivery> {
    const receiver = await this.#receiver(arrival.scope);
    if (receiver === null) return 'nobody';
    const { scan, draft } = await this.#ports.reader.read(raw);
    if (draft === null || draft.files.length > 0) return draft === null ? 'refused' : 'files';
    // An id that is derived from the text would tell who guesses it that the guess is right.
    const letter = this.#letter(arrival, draft, scan === null ? null : { ...scan, digest: '' });
    const done = await this.#write(letter, receiver);
    return done === 'known' ? 'task' : done;
  }

  /** The list may have been shared, or made private again, since the mail was admitted. */
  async #whereItIs(arrival: Spooled): Promise<Spooled> {
    const at = await whereIs(this.#ports.db, arrival.list);
    return at === undefined ? arrival : { ...arrival, scope: at.scope };
  }

  async #unreadable(arrival: Spooled, receiver: Receiver, scan: Scan | null): Promise<Delivered> {
    const raw = await this.#ports.spool.read(arrival.id);
    return raw === null ? 'nobody' : this.#write(this.#letter(arrival, unreadableDraft(raw), scan), receiver);
  }

  #letter(arrival: Spooled, draft: Draft, scan: Scan | null): Letter {
    const own = deriveId('mail', arrival.id);
    const messageId = scan?.messageId ?? null;
    const ids =
      scan === null || messageId === null
        ? [own]
        : [deriveId('mail', arrival.list, messageId, scan.digest), own];
    return { arrival, draft, messageId: (messageId ?? '').replaceAll(/[^\u0020-\u007e]/g, '?'), ids };
  }

  async #receiver(scope: Id): Promise<Receiver | null> {
    const row = await this.#ports.db
      .selectFrom('scope')
      .innerJoin('account', 'account.id', 'scope.owner')
      .select(['account.id', 'account.personal_scope', 'account.deleted_at'])
      .where('scope.id', '=', scope)
      .executeTakeFirst();
    return row && row.deleted_at === null ? { account: row.id, personal: row.personal_scope } : null;
  }

  async #write(letter: Letter, receiver: Receiver): Promise<Delivered> {
    const inbox: Target = { scope: receiver.personal, list: inboxId(receiver.personal) };
    let target = await this.#targetOf(letter.arrival, receiver);
    for (;;) {
      const files = await this.#store(letter.draft, target.scope);
      const outcome = await this.#carryOut(letter, receiver, { target, inbox, files });
      if (outcome !== 'list gone') return outcome;
      if (target.list === inbox.list) return 'refused';
      target = inbox;
    }
  }

  /** The list where it is by now: it may have been shared, or made private again, while the message waited. */
  async #targetOf({ scope, list }: Spooled, { account }: Receiver): Promise<Target> {
    const now = await this.#ports.db
      .selectFrom('directory')
      .innerJoin('member', 'member.scope', 'directory.scope')
      .select('directory.scope')
      .where('directory.id', '=', list)
      .where('member.account', '=', account)
      .executeTakeFirst();
    return { scope: now?.scope ?? scope, list };
  }

  /** Content first: a task never names missing content. Accepted mail is stored even if the account is over its quota. */
  async #store({ files }: Draft, scope: Id): Promise<readonly StoredFile[]> {
    const { blobs, fileLedger } = this.#ports;
    const stored: StoredFile[] = [];
    for (const { name, type, content } of files) {
      const hash = createHash('sha256').update(content).digest('hex');
      const put = await blobs.put(hash, once(content), content.length);
      if (!put.ok) throw new Error(`An attached file was not stored: ${put.problem}`);
      await fileLedger.add({ scope, hash, bytes: content.length }, Number.MAX_SAFE_INTEGER);
      stored.push({ name, fileType: type, sizeBytes: content.length, hash });
    }
    return stored;
  }

  async #carryOut(
    letter: Letter,
    { account, personal }: Receiver,
    to: { readonly target: Target; readonly inbox: Target; readonly files: readonly StoredFile[] },
  ): Promise<Delivered | 'list gone'> {
    const { target, inbox, files } = to;
    const { scope } = target;
    const device = mailDevice(scope, account);
    const actor: AccountActor = {
      type: 'account',
      account,
      session: device,
      kind: 'api',
      access: 'write',
      personalScope: personal,
      roles: new Map([[scope, 'owner']]),
    };
    const { newId, exchange } = this.#ports;
    const [x, g] = [newId(), newId()];
    let found: 'known' | 'list gone' | null = null;
    const refusal = await exchange.carryOut(actor, device, {
      scopes: [scope],
      want: {
        rows: letter.ids.map((id) => ({ scope, id })),
        ancestors: [{ scope, id: target.list }],
        siblings: [],
      },
      decide: (view) => {
        found = null;
        const isKnown = (id: Id) =>
          view.row(scope, id) !== undefined || view.absence(scope, id) !== 'unknown';
        if (letter.ids.some(isKnown)) found = 'known';
        else if (target.list !== inbox.list && !isLiving(scope, target.list, (id) => view.row(scope, id)))
          found = 'list gone';
        if (found !== null) return null;
        const isMissing = target.list === inbox.list && view.row(scope, inbox.list) === undefined;
        return [...(isMissing ? [inboxCreation(scope)] : []), ...this.#actions(letter, target, files)].map(
          (action) => ({ scope, action, u: newId(), x, g }),
        );
      },
    });
    if (refusal === null) return 'task';
    if (refusal === 'by plan') return found ?? 'refused';
    if (refusal === 'device') throw new Error('The device of mail belongs to another account');
    return refusedBy(refusal.verdict);
  }

  #actions(
    { arrival, draft, messageId, ids }: Letter,
    target: Target,
    files: readonly StoredFile[],
  ): Action[] {
    const [task = arrival.id] = ids;
    const origin = { from: draft.from || arrival.from, messageId, at: arrival.at };
    const creation: Action = {
      a: 'create',
      id: task,
      type: 'task',
      fields: { title: draft.title, ...(draft.notes === '' ? {} : { notes: draft.notes }), origin },
      place: { parent: target.list, at: 'end' },
    };
    return [
      creation,
      ...files.map((file, index): Action => ({
        a: 'create',
        id: deriveId('mail', task, String(index)),
        type: 'attachment',
        fields: { ...file },
        place: { parent: task },
      })),
    ];
  }
}

const inboxCreation = (scope: Id): Action => ({
  a: 'create',
  id: inboxId(scope),
  type: 'list',
  fields: { listType: 'inbox' },
  place: { parent: listsRoot(scope), at: 'start' },
});

/** A target that is gone is determined again; any other refusal is due to the message. */
function refusedBy(verdict: Verdict | 'encrypted'): Delivered | 'list gone' {
  return verdict === 'gone' || verdict === 'badparent' ? 'list gone' : 'refused';
}

/** Turns messages into tasks. Rejects where the storage fails; then nothing is written. */
export function createDelivery(ports: DeliveryPorts): Pick<Deliveries, 'deliver' | 'deliverSealed'> {
  return new Deliveries(ports);
}
