// The FilesPort of a browser: content in a database of its own, so that large files do not slow the tasks down, and a queue
// that sends it whenever there is a connection. Content that the server has is kept as long as there is room for it.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { pictureType, safeFileName, SIGNATURE_BYTES } from '#core/file-types.ts';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type {
  FileContent,
  FileRef,
  FilesPort,
  FollowedContents,
  KeptFile,
  NamedContent,
  SealContent,
  SendState,
} from '#client/files/port.ts';
import { FileSending, type Sent, type UnsentFile } from '#client/files/sending.ts';
import { createSignal } from '#client/app/signal.ts';
import { closeContent, type KeptContent, openContent } from '../disk-seal/contents.ts';
import { saveBlob } from '../files.ts';

/** Told from the databases of profiles by its name. */
const DATABASE = 'attached-files';
const LOCK = 'posthaste-files-sending';
/** Of content that the server has too. */
const CACHED_BYTES = 200 * 1_048_576;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** As it is kept: on an encrypted disk it is encrypted, under the hash that it has when it is open. */
export interface Content extends KeptContent {
  readonly hash: string;
  readonly usedAt: number;
}

interface FilesSchema extends DBSchema {
  content: { key: string; value: Content };
  unsent: { key: [scope: Id, hash: string]; value: UnsentFile };
}

/** Opens the database of contents. Who opens it closes it. */
export function openFiles(): Promise<IDBPDatabase<FilesSchema>> {
  return openDB<FilesSchema>(DATABASE, 1, {
    upgrade(db) {
      db.createObjectStore('content', { keyPath: 'hash' });
      db.createObjectStore('unsent', { keyPath: ['scope', 'hash'] });
    },
    // Somebody deletes it, or needs another version: let them. The next use opens it anew.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
}

/** What waits under one scope waits under another from now on: the tasks of a profile became those of an account. */
export async function moveUnsent(from: Id, to: Id): Promise<void> {
  const db = await openFiles();
  const transaction = db.transaction('unsent', 'readwrite');
  for (const each of await transaction.store.getAll()) {
    if (each.scope !== from) continue;
    await transaction.store.put({ ...each, scope: to });
    await transaction.store.delete([from, each.hash]);
  }
  await transaction.done;
  db.close();
}

/** Keeps a content on this device. */
export async function storeContent(hash: string, content: Uint8Array): Promise<void> {
  const kept = await closeContent(hash, new Blob([new Uint8Array(content)]));
  const db = await openFiles();
  await db.put('content', { hash, ...kept, usedAt: Date.now() });
  db.close();
}

/** Content that the server has too, and will have no longer: what is here of it waits to be sent again, and so stays here. */
export async function keepContent(scope: Id, hashes: Iterable<string>): Promise<void> {
  const db = await openFiles();
  const transaction = db.transaction(['content', 'unsent'], 'readwrite', { durability: 'strict' });
  for (const hash of new Set(hashes))
    if ((await transaction.objectStore('content').getKey(hash)) !== undefined)
      void transaction.objectStore('unsent').put({ scope, hash, refused: null });
  await transaction.done;
  db.close();
}

const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function hashOf(blob: Blob): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
}

async function typeOf(blob: Blob): Promise<string> {
  return pictureType(new Uint8Array(await blob.slice(0, SIGNATURE_BYTES).arrayBuffer())) ?? '';
}

const contentOf = (file: File): FileContent => ({ name: file.name, size: file.size, content: file });

const contentsOf = (files: Iterable<File>): readonly FileContent[] => Array.from(files, contentOf);

function messageOf(text: string): string | null {
  try {
    const body = JSON.parse(text) as { readonly message?: unknown };
    return typeof body.message === 'string' ? body.message : null;
  } catch {
    // A page of somebody between us and the server.
    return null;
  }
}

/** Sends a content to a scope. Not fetch: only this tells how much has gone. */
export function sendContent(
  scope: Id,
  { hash, blob }: { readonly hash: string; readonly blob: Blob },
  onShare: (share: number) => void = () => undefined,
): Promise<Sent> {
  const request = new XMLHttpRequest();
  request.open('POST', `/app/api/files/${scope}/${hash}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total);
  return new Promise((resolve) => {
    request.onerror = () => resolve({ type: 'later' });
    request.ontimeout = () => resolve({ type: 'later' });
    request.onload = () => {
      const { status, responseText } = request;
      const message = messageOf(responseText);
      if (status === 200) resolve({ type: 'sent' });
      else if (status === 404) resolve({ type: 'noScope' });
      else if ((status === 413 || status === 422) && message !== null) resolve({ type: 'refused', message });
      else resolve({ type: 'later' });
    };
    request.send(blob);
  });
}

type FilesDb = IDBPDatabase<FilesSchema>;

/** A browser closes what is open when a person clears its data, or when it needs room: then it is opened anew. */
class OpenFiles {
  #db: FilesDb;

  constructor(db: FilesDb) {
    this.#db = db;
  }

  async use<T>(work: (db: FilesDb) => Promise<T>): Promise<T> {
    try {
      return await work(this.#db);
    } catch (error) {
      const isClosed = error instanceof DOMException && error.name === 'InvalidStateError';
      if (!isClosed) throw error;
      this.#db = await openFiles();
      return work(this.#db);
    }
  }
}

class FileStore implements FilesPort {
  readonly unsent = createSignal<ReadonlyMap<string, SendState>>(new Map());
  readonly #files: OpenFiles;
  readonly #canSend: () => boolean;
  readonly #pictures = new Map<string, string>();
  readonly #sending: FileSending;
  #contents: FollowedContents = { scopesOf: () => [], isSealing: () => false };
  #isSending = false;
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(db: FilesDb, canSend: () => boolean) {
    this.#files = new OpenFiles(db);
    this.#canSend = canSend;
    this.#sending = new FileSending({
      unsent: () => this.#files.use((each) => each.getAll('unsent')),
      isHeld: ({ sealed }, to) => sealed !== true && this.#contents.isSealing(to),
      scopesOf: (hash) => this.#contents.scopesOf(hash),
      send: (file, to) => this.#send(file, to),
      drop: (file) => this.#drop(file),
      refuse: async (file, message) => {
        await this.#files.use((each) => each.put('unsent', { ...file, refused: message }));
        this.#show(file.hash, { type: 'refused', message });
      },
    });
    window.addEventListener('online', () => this.#sendSoon(0));
    this.#readUnsent().then(
      () => this.#sendSoon(0),
      () => this.#rest(),
    );
  }

  pick(): Promise<readonly FileContent[]> {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    return new Promise((resolve) => {
      input.addEventListener('cancel', () => resolve([]));
      input.addEventListener('change', () => resolve(contentsOf(input.files ?? [])));
      input.click();
    });
  }

  async clipboard(): Promise<readonly FileContent[] | null> {
    let items: ClipboardItems;
    try {
      items = await navigator.clipboard.read();
    } catch {
      // Refused by the person or the browser: the answer says so.
      return null;
    }
    const files: FileContent[] = [];
    for (const item of items) {
      const type = item.types.find((each) => each.startsWith('image/'));
      if (type === undefined) continue;
      const blob = await item.getType(type);
      files.push(contentOf(new File([blob], `clipboard.${type.slice('image/'.length)}`, { type })));
    }
    return files;
  }

  async keep(
    scope: Id,
    { name, content }: FileContent,
    seal: SealContent | null,
  ): Promise<Result<KeptFile, string>> {
    const blob = content as Blob;
    if (!('subtle' in crypto)) return failed('Files need a secure connection. Open Posthaste over HTTPS.');
    try {
      // A copy: what was dropped or pasted may be gone when it is to be sent.
      const bytes = await blob.arrayBuffer();
      const fileType = await typeOf(new Blob([bytes]));
      const sealed = seal === null ? null : await seal(new Uint8Array(bytes));
      if (sealed?.ok === false) return sealed;
      const own = new Blob([sealed === null ? bytes : new Uint8Array(sealed.value.bytes)]);
      const hash = sealed === null ? await hashOf(own) : sealed.value.hash;
      const kept = await closeContent(hash, own);
      const unsent: UnsentFile = { scope, hash, refused: null, ...(sealed === null ? {} : { sealed: true }) };
      await this.#files.use(async (db) => {
        const transaction = db.transaction(['content', 'unsent'], 'readwrite', { durability: 'strict' });
        void transaction.objectStore('content').put({ hash, ...kept, usedAt: Date.now() });
        void transaction.objectStore('unsent').put(unsent);
        await transaction.done;
      });
      this.#show(hash, { type: 'waiting' });
      this.#sendSoon(0);
      return ok({ hash, sizeBytes: own.size, fileType });
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      const isFull = error.name === 'QuotaExceededError';
      return failed(
        isFull
          ? `There’s no room on this device for “${name}”.`
          : `“${name}” couldn’t be read. Choose it again.`,
      );
    }
  }

  follow(contents: FollowedContents): void {
    this.#contents = contents;
    this.#sending.forget();
    this.#sendSoon(0);
  }

  sendAgain(files: readonly NamedContent[]): void {
    const keep = async (db: FilesDb) => {
      const transaction = db.transaction(['content', 'unsent'], 'readwrite');
      for (const { scope, hash, isSealed } of files)
        if ((await transaction.objectStore('content').getKey(hash)) !== undefined)
          void transaction
            .objectStore('unsent')
            .put({ scope, hash, refused: null, ...(isSealed ? { sealed: true } : {}) });
      await transaction.done;
    };
    void this.#files
      .use(keep)
      .then(() => this.#readUnsent())
      .then(
        () => this.#sendSoon(0),
        () => this.#rest(),
      );
  }

  retry(hash: string): void {
    this.#sending.forget();
    void this.#forAll(hash, (each) => ({ ...each, refused: null })).then(() => {
      this.#show(hash, { type: 'waiting' });
      this.#sendSoon(0);
    });
  }

  async picture(file: FileRef): Promise<string | null> {
    const of = file.opening?.hash ?? file.hash;
    const known = this.#pictures.get(of);
    if (known !== undefined) return known;
    const content = await this.#content(file);
    const type = content.ok && (await typeOf(content.value));
    if (!content.ok || !type) return null;
    const url = URL.createObjectURL(new Blob([content.value], { type }));
    if (of !== '') this.#pictures.set(of, url);
    return url;
  }

  async save(file: FileRef): Promise<string | null> {
    const content = await this.#content(file);
    if (!content.ok) return content.problem;
    // As content without a type: the browser saves it and opens nothing.
    saveBlob(safeFileName(file.name), new Blob([content.value], { type: 'application/octet-stream' }));
    return null;
  }

  /** The content as a person has it, or why there is none. */
  async #content(file: FileRef): Promise<Result<Blob, string>> {
    const { opening } = file;
    // What was here before its account was encrypted.
    const open = opening === null ? null : await this.#held(opening.hash);
    if (open !== null) return ok(open);
    const blob = await this.#sent(file);
    if (blob === null)
      return failed(
        navigator.onLine
          ? 'This file hasn’t synced yet. Go online on the device that attached it.'
          : 'This file isn’t on this device. Go online and try again.',
      );
    if (opening === null) return ok(blob);
    const opened = await opening.open(new Uint8Array(await blob.arrayBuffer()));
    return opened.ok ? ok(new Blob([new Uint8Array(opened.value)])) : opened;
  }

  /** The content as the server has it; null when it is neither here nor to be had. */
  async #sent({ scope, id, hash }: FileRef): Promise<Blob | null> {
    const held = await this.#held(hash);
    if (held) return held;
    const response = await fetch(`/app/api/files/${scope}/${id}`, { cache: 'no-store' }).catch(() => null);
    if (!response?.ok) return null;
    const blob = await response.blob();
    if ('subtle' in crypto && (await hashOf(blob)) !== hash) return null;
    await this.#cache({ hash, ...(await closeContent(hash, new Blob([blob]))), usedAt: Date.now() });
    return blob;
  }

  /** What this device keeps under a hash; null: nothing that opens. */
  async #held(hash: string): Promise<Blob | null> {
    const held = await this.#files.use((db) => db.get('content', hash));
    return held ? openContent(hash, held) : null;
  }

  async #cache(content: Content): Promise<void> {
    try {
      await this.#files.use((db) => db.put('content', content));
      await this.#files.use((db) => this.#makeRoom(db));
    } catch (error) {
      // Without room it is fetched again the next time.
      if (!(error instanceof DOMException)) throw error;
    }
  }

  async #makeRoom(db: FilesDb): Promise<void> {
    const waiting = new Set((await db.getAll('unsent')).map(({ hash }) => hash));
    const all = await db.getAll('content');
    let bytes = all.reduce((sum, { blob }) => sum + blob.size, 0);
    for (const { hash, blob } of all.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= CACHED_BYTES) return;
      if (waiting.has(hash)) continue;
      await db.delete('content', hash);
      bytes -= blob.size;
    }
  }

  async #readUnsent(): Promise<void> {
    const states = new Map<string, SendState>();
    for (const { hash, refused } of await this.#files.use((db) => db.getAll('unsent')))
      states.set(hash, refused === null ? { type: 'waiting' } : { type: 'refused', message: refused });
    this.unsent.set(states);
  }

  #show(hash: string, state: SendState | null): void {
    const states = new Map(this.unsent.get());
    if (state) states.set(hash, state);
    else states.delete(hash);
    this.unsent.set(states);
  }

  async #forAll(hash: string, change: (each: UnsentFile) => UnsentFile): Promise<void> {
    await this.#files.use(async (db) => {
      const transaction = db.transaction('unsent', 'readwrite');
      for (const each of await transaction.store.getAll())
        if (each.hash === hash) await transaction.store.put(change(each));
      await transaction.done;
    });
  }

  #sendSoon(inMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#sendAll().catch(() => this.#rest()), inMs);
  }

  /** The disk does not answer: what is on it is sent later. */
  #rest(): void {
    this.#isSending = false;
    this.#sendSoon(LONGEST_RETRY_MS);
  }

  /** One tab sends at a time; the others look again later. */
  async #sendAll(): Promise<void> {
    if (this.#isSending || !this.#canSend()) return;
    this.#isSending = true;
    const work = async (lock: Lock | null) => lock !== null && (await this.#sending.run());
    const isDone =
      'locks' in navigator
        ? await navigator.locks.request(LOCK, { ifAvailable: true }, work)
        : await this.#sending.run();
    this.#isSending = false;
    if (isDone) this.#retryMs = FIRST_RETRY_MS;
    else {
      this.#sendSoon(this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
      await this.#readUnsent();
    }
  }

  async #send({ hash }: UnsentFile, to: Id): Promise<Sent | { readonly type: 'gone' }> {
    const blob = await this.#held(hash);
    if (!blob) return { type: 'gone' };
    this.#show(hash, { type: 'sending', share: 0 });
    const sent = await sendContent(to, { hash, blob }, (share) =>
      this.#show(hash, { type: 'sending', share }),
    );
    if (sent.type === 'later' || sent.type === 'noScope') this.#show(hash, { type: 'waiting' });
    return sent;
  }

  /** The same content may wait for another scope, too. */
  async #drop({ scope, hash }: UnsentFile): Promise<void> {
    const others = await this.#files.use(async (db) => {
      await db.delete('unsent', [scope, hash]);
      return db.getAll('unsent');
    });
    if (!others.some((each) => each.hash === hash)) this.#show(hash, null);
  }
}

/** `canSend`: there is an account to send to. */
export async function createFileStore(canSend: () => boolean): Promise<FilesPort> {
  return new FileStore(await openFiles(), canSend);
}
