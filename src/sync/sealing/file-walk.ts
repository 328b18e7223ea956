// The walk over contents of attachments that are not in the form of their scope: once the scope is sealed, or plain again, every device with the
// keys brings one after the other there, beside other work. It goes on after any interruption, as each row says in which form its content is,
// and with which key; a content is forgotten only once the row names the new one.
import type { SealedContent } from '#core/model.ts';
import type { Id } from '#core/ids.ts';
import type { AttachmentRow } from '../rows/row.ts';
import { registerStamp } from '../rows/row.ts';
import { lockedOf } from '../rows/locked.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { ContentWork, SealingHost, SealingServer } from './ports.ts';
import { sealRegister } from './registers.ts';
import { writerOf } from './reencoding.ts';
import {
  hasLists,
  isFileInForm,
  isFileSealed,
  neverSealed,
  openForm,
  sealsIn,
  type ScopeSealing,
} from './scope-state.ts';
import type { SealedFiles } from './sealed-files.ts';

/** Answers of the server after which all rows are looked at again, also where no attachment came with them. */
const LOOK_AGAIN = 32;
/** Runs after attachments came: with the first they may not be taken in yet. */
const RUNS = 2;

interface Ports {
  /** Of somebody's own scope. */
  readonly keys: DeviceKeys;
  /** Of lists that stay encrypted, by their scopes. */
  readonly lists: ReadonlyMap<Id, DeviceKeys>;
  readonly server: Pick<SealingServer, 'formFile'>;
  readonly host: Pick<SealingHost, 'attachments' | 'namesFile' | 'scope' | 'breathe'>;
  /** Loads what contents are sealed, kept and sent by. */
  readonly files: () => Promise<Files>;
}

interface Files {
  /** What seals and opens with these keys. */
  readonly by: (keys: DeviceKeys) => SealedFiles;
  readonly work: ContentWork;
}

/** A content in its new form, as the row is to name it. */
interface Formed {
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly content: SealedContent | null;
}

/** `skipped`: nothing can be done about it for now. `stopped`: nor about the others. */
type Outcome = 'done' | 'skipped' | 'stopped';

/** The keys of a scope; undefined: it is plain. */
const keysOf = (scope: Id, { keys, lists, host }: Ports): DeviceKeys | undefined =>
  scope === host.scope ? keys : lists.get(scope);

/** Where a row stands: the person's own scope and encrypted lists have a state, all others are plain. */
const stateOf = (row: AttachmentRow, ports: Ports): ScopeSealing =>
  keysOf(row.scope, ports)?.walked ?? neverSealed;

/** Whether a content has the form that the state leads to, sealed with the key of its scope. */
function isInPlace(form: ScopeSealing, { scope, fields }: AttachmentRow, own: Id): boolean {
  if (!isFileInForm(form, fields)) return false;
  const { content } = fields;
  return content === undefined || content === null || (content.scope ?? own) === scope;
}

/** Goes through attachments, one content at a time. */
export class FileWalk {
  readonly #ports: Ports;
  /** Contents that can't be brought into their form here: tried again after a restart, or when their rows change. */
  readonly #skipped = new Set<string>();
  #isRunning = false;
  /** Runs that look at all rows. */
  #due = RUNS;
  #heard = 0;
  /** Scopes whose contents could be brought into their form when this was asked last. */
  #ready = '';

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Attachments came: there may be something to do. */
  look(): void {
    this.#due = RUNS;
  }

  /** Begins where there is something to do. Does nothing while it runs. */
  start(): void {
    const { keys } = this.#ports;
    this.#heard += 1;
    if (this.#heard % LOOK_AGAIN === 0) this.look();
    const ready = [...this.#readyScopes()].join(' ');
    if (ready !== this.#ready) this.look();
    this.#ready = ready;
    if (this.#isRunning || this.#due === 0 || keys.ring === null || ready === '') return;
    this.#isRunning = true;
    void this.run().finally(() => {
      this.#isRunning = false;
    });
  }

  #readyScopes(): readonly Id[] {
    const { keys, lists, host } = this.#ports;
    return [[host.scope, keys] as const, ...lists].flatMap(([scope, { walked, ring, sealer }]) => {
      const { phase, generation } = walked;
      // While something is on its way out of the scope or back, it is opened.
      const isSealed = phase === 'sealed' && !hasLists(walked) && sealer !== null;
      return ring !== null && (isSealed || (phase === 'plain' && generation > 0)) ? [scope] : [];
    });
  }

  /** Where contents can be brought into their form now: sealed scopes, and plain ones while the own scope is at rest. */
  #isReady(scope: Id, ready: ReadonlySet<Id>): boolean {
    return ready.has(keysOf(scope, this.#ports) === undefined ? this.#ports.host.scope : scope);
  }

  /** One run over all that is left. Resolves with how many contents it has brought into their form. */
  async run(): Promise<number> {
    this.#due = Math.max(0, this.#due - 1);
    // What came with the answer is taken in first.
    await this.#ports.host.breathe();
    const ready = new Set(this.#readyScopes());
    const rows = this.#ports.host
      .attachments()
      .filter((row) => this.#isReady(row.scope, ready) && this.#isLeft(row));
    if (rows.length === 0) return 0;
    const files = await this.#ports.files();
    let done = 0;
    for (const row of rows) {
      await this.#ports.host.breathe();
      const outcome = await this.#bring(row, files);
      if (outcome === 'done') done += 1;
      else if (outcome === 'skipped') this.#skipped.add(keyOf(row));
      else {
        this.look();
        return done;
      }
    }
    return done;
  }

  /**
   * Opens the contents of these rows that are on their way out of the scope. Returns those that can't be opened now; null: the server couldn't
   * be asked.
   */
  async open(rows: ReadonlySet<Id>): Promise<ReadonlySet<Id> | null> {
    const { host, keys } = this.#ports;
    const sealed = host
      .attachments()
      .filter((row) => rows.has(row.id) && row.scope === host.scope && isFileSealed(row.fields));
    const left = new Set<Id>();
    if (sealed.length === 0) return left;
    const files = await this.#ports.files();
    for (const row of sealed) {
      await host.breathe();
      const form = openForm(keys.walked);
      const outcome = this.#skipped.has(keyOf(row)) ? 'skipped' : await this.#bring(row, files, form);
      if (outcome === 'stopped') return null;
      if (outcome === 'done') continue;
      this.#skipped.add(keyOf(row));
      left.add(row.id);
    }
    return left;
  }

  #isLeft(row: AttachmentRow): boolean {
    if (lockedOf(row)?.['content'] !== undefined || this.#skipped.has(keyOf(row))) return false;
    return !isInPlace(stateOf(row, this.#ports), row, this.#ports.host.scope);
  }

  async #bring(row: AttachmentRow, files: Files, form = stateOf(row, this.#ports)): Promise<Outcome> {
    // It may have been turned meanwhile.
    if (isInPlace(form, row, this.#ports.host.scope)) return 'done';
    const formed = sealsIn(form) ? await this.#sealed(row, files) : await this.#open(row, files);
    if (typeof formed === 'string') return formed;
    if (formed.hash !== row.fields.hash) {
      const sent = await files.work.send(row.scope, formed.hash, formed.bytes);
      if (sent !== 'sent') return sent === 'refused' ? 'skipped' : 'stopped';
    }
    return await this.#point(row, formed, { form, files });
  }

  async #sealed(row: AttachmentRow, files: Files): Promise<Formed | Outcome> {
    const keys = keysOf(row.scope, this.#ports);
    if (keys === undefined) return 'stopped';
    const sealing = files.by(keys);
    if (isFileSealed(row.fields)) {
      // With the key of the scope from which it came.
      const open = await this.#open(row, files);
      if (typeof open === 'string') return open;
      const anew = await sealing.seal(row.id, open.bytes);
      return anew.ok ? anew.value : 'stopped';
    }
    const content = await contentOf(row, files);
    if (typeof content === 'string') return content;
    // A row that has lost the word of it.
    const says = await sealing.unsaid(row.id, content);
    if (says !== null) return { hash: row.fields.hash ?? '', bytes: content, content: says };
    const sealed = await sealing.seal(row.id, content);
    return sealed.ok ? sealed.value : 'stopped';
  }

  async #open(row: AttachmentRow, files: Files): Promise<Formed | Outcome> {
    const { content: says } = row.fields;
    if (!isFileSealed(row.fields) || says === undefined || says === null) return 'skipped';
    const { hash } = says;
    const kept = await files.work.kept(hash);
    if (kept !== null && (await files.work.digest(kept)) === hash)
      return { hash, bytes: kept, content: null };
    const keys = keysOf(says.scope ?? this.#ports.host.scope, this.#ports);
    if (keys === undefined || keys.ring === null) return 'skipped';
    const content = await contentOf(row, files);
    if (typeof content === 'string') return content;
    const opened = await files.by(keys).open(says, content);
    return opened.ok ? { hash, bytes: opened.value, content: null } : 'skipped';
  }

  /** Makes the row name the new content. */
  async #point(
    row: AttachmentRow,
    { hash, bytes, content }: Formed,
    { form, files }: { readonly form: ScopeSealing; readonly files: Files },
  ): Promise<Outcome> {
    const { server } = this.#ports;
    const keys = keysOf(row.scope, this.#ports) ?? this.#ports.keys;
    const { hash: from = '' } = row.fields;
    let register: unknown = null;
    if (sealsIn(form)) {
      const { sealer } = keys;
      if (sealer === null) return 'stopped';
      const writer = writerOf(registerStamp(row, 'hash'));
      const subject = { id: row.id, type: row.type, fields: row.fields };
      const sealed = sealRegister({ sealer, writer }, subject, { name: 'content', value: content });
      if (!sealed.ok) return 'stopped';
      register = sealed.value.value;
    }
    const to = { hash, sizeBytes: bytes.length, content: register as null };
    const state = stateOf(row, this.#ports);
    const answer = await server.formFile({ scope: row.scope, state, id: row.id, from, to });
    if (!answer.ok) {
      if (answer.problem.type === 'moved') await keys.refresh();
      return answer.problem.type === 'refused' ? 'skipped' : 'stopped';
    }
    const { done } = answer.value;
    if (done === 'form' || done === 'missing') return 'skipped';
    // Where another attachment has the same content, this device may be the only one that holds it.
    if (!this.#ports.host.namesFile(row.scope, from, row.id)) await files.work.settled(row.scope, from);
    return 'done';
  }
}

const keyOf = ({ id, version }: AttachmentRow) => `${id} ${version}`;

/** A content as the server has it, from this device if it is here. */
async function contentOf(row: AttachmentRow, { work }: Files): Promise<Uint8Array | Outcome> {
  const { hash = '' } = row.fields;
  const content = (await work.kept(hash)) ?? (await work.atServer(row.scope, row.id));
  if (content === 'offline') return 'stopped';
  // Its device hasn't sent it, or it was damaged: nothing is made of what isn't the content.
  return content === 'missing' || (await work.digest(content)) !== hash ? 'skipped' : content;
}
