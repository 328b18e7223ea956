// What a device needs to take part in a sealed scope: where its keys are kept, the routes of its server, and the replica that it opens rows
// for. Every port is implemented outside of this folder.
import type { Id } from '#core/ids.ts';
import type { EntityType, UnknownType } from '#core/model.ts';
import type { Result } from '#core/result.ts';
import type { FileCipher } from '#core/sealing/files.ts';
import type { AccountKey, Random } from '#core/sealing/keys.ts';
import type { PublicIdentity } from '#core/sealing/identity.ts';
import type { PasskeySecret, Passphrase, WrapProblem } from '#core/sealing/wraps.ts';
import type { RegisterChecks } from '#wire/registers.ts';
import type {
  FileForm,
  FileFormed,
  Reencode,
  Reencoded,
  Sealing,
  SealingLeft,
  SealingStep,
  WrapChange,
} from '#wire/sealing.ts';
import type { InboxMeta } from '../replica/ports.ts';
import type { AttachmentRow, Row, StoredRow } from '../rows/row.ts';
import type { DirectoryPin, KeyHolder, SealedDirectory } from './directory.ts';
import type { SaidMember } from './lists/list-people.ts';

/** What a device keeps of an account's keys. */
export interface KeptKeys {
  readonly key: AccountKey;
  /** The latest directory that it has followed; null: it has none yet. */
  readonly pin: DirectoryPin | null;
  readonly directory: SealedDirectory | null;
  /** The key that is to take this one's place, while it isn't known here whether the server has heard of it. */
  readonly next?: AccountKey;
  /** How the key came here, and by which id this device says that it has it. */
  readonly holder?: Holder;
  /** Values that the server gave back in the place of later ones, since the person was told. */
  readonly replays?: number;
  /** The person wants this device to forget the key: first its rows are locked. */
  readonly isLeaving?: true;
}

/** This device among those that have the key. */
export interface Holder extends Pick<KeyHolder, 'how' | 'at'> {
  readonly id: Id;
}

/** Where the keys of one copy are kept. What is written is durable when the promise resolves. */
export interface KeyStore {
  /** Null: this device has no key. */
  read(): Promise<KeptKeys | null>;
  write(kept: KeptKeys): Promise<void>;
  /** Forgets the key for good: when the account leaves this device. */
  erase(): Promise<void>;
}

/**
 * Why a request about sealing had no success. `moved`: another device was first. `unfinished`: registers are left. `unconfirmed`: the
 * person has to show once more who they are. `message` is for people.
 */
export interface SealingFailure {
  readonly type: 'offline' | 'moved' | 'unfinished' | 'unconfirmed' | 'refused';
  readonly message: string;
  /** Of `moved` and `unfinished`: how everything stands instead, where the server has said so. */
  readonly now?: Sealing;
}

type Answered<T> = Promise<Result<T, SealingFailure>>;

/** The routes about sealing (wire/sealing.ts). They never reject. */
export interface SealingServer {
  read(): Answered<Sealing>;
  step(step: SealingStep): Answered<Sealing>;
  changeWraps(change: WrapChange): Answered<Sealing>;
  /** Puts a later directory of the present state in the place of the kept one. */
  tell(directory: SealedDirectory): Answered<Sealing>;
  /** Rows that hold registers in the earlier form, as the server has them. `list`: those of a list that is opened. */
  left(after: Id | null, limit: number, list?: Id): Answered<SealingLeft>;
  reencode(request: Reencode): Answered<Reencoded>;
  /** Makes an attachment name its content in the new form, which was sent before. */
  formFile(request: FileForm): Answered<FileFormed>;
}

/** The same routes about the scope of a list that stays encrypted, and those about its people. */
export interface ListServer extends SealingServer {
  /** The members that the server knows, with the public keys of their accounts. */
  members(): Answered<readonly SaidMember[]>;
  /** Tells others the public keys of this account. */
  tellIdentity(identity: PublicIdentity): Answered<null>;
}

/** What a device has for lists that stay encrypted, by their scopes. */
export interface ListPlatform {
  server(scope: Id): ListServer;
  /** Erased with the keys of the account. */
  keys(scope: Id): KeyStore;
  /** False: a program, which leaves it to devices to make a new key for a list. */
  readonly makesKeys?: false;
}

/**
 * Wrapping keys under passphrases and opening them, which takes a second and more: not on the thread that answers keys. `missing`: what
 * does it can't be had now.
 */
export interface PassphraseWork {
  wrap(key: AccountKey, passphrase: Passphrase): Promise<Result<string, { readonly type: 'missing' }>>;
  open(
    wrapped: string,
    passphrase: Passphrase,
  ): Promise<Result<AccountKey, WrapProblem | { readonly type: 'missing' }>>;
}

/** A passkey of the account that answers with a secret of its own. */
export interface PasskeyWork {
  readonly isPossible: boolean;
  /** Asks the person for one. Null: cancelled, or it has no secret. */
  secret(): Promise<Omit<PasskeySecret, 'account'> | null>;
}

/** Contents of attachments, as this device keeps them and the server has them. None of it rejects but for a failure of the platform. */
export interface ContentWork {
  readonly cipher: FileCipher;
  /** SHA-256, hex. */
  digest(content: Uint8Array): Promise<string>;
  /** What this device keeps under a hash, without looking at it; null: nothing. */
  kept(hash: string): Promise<Uint8Array | null>;
  /** What the server has of an attachment. `missing`: nothing, or not for this account. */
  atServer(scope: Id, attachment: Id): Promise<Uint8Array | 'missing' | 'offline'>;
  /** `refused`: the server doesn't take it, such as for its size or for room. */
  send(scope: Id, hash: string, content: Uint8Array): Promise<'sent' | 'offline' | 'refused'>;
  /** A content needs to be sent to a scope no more: another one has taken its place there. */
  settled(scope: Id, hash: string): Promise<void>;
}

/** What the device itself brings: loaded when a sealed scope is first heard of. */
export interface SealingPlatform {
  readonly keys: KeyStore;
  readonly server: SealingServer;
  readonly lists: ListPlatform;
  readonly passphrases: PassphraseWork;
  readonly passkeys: PasskeyWork;
  readonly random: Random;
  readonly checks: RegisterChecks;
  newId(): Id;
  /** Milliseconds since 1970. */
  now(): number;
  /** What this device is called: its browser and its system. */
  readonly name: string;
  /** Loaded with the first content. */
  readonly files: () => Promise<ContentWork>;
}

/** The replica and its loop, as far as sealing asks and tells them. */
export interface SealingHost {
  /** The person's own scope, and the account's number. */
  readonly scope: Id;
  readonly account: number;
  /** The server's number of a device that this copy sends as; 0 before it is known. */
  numberOf(device: Id): number;
  /** The type of an entity, predictions included; undefined where it isn't known. */
  typeOf(id: Id): EntityType | UnknownType | undefined;
  /** Whether rows may exist that aren't here yet: a scope is being read, or is yet to be. */
  readonly isReading: boolean;
  confirmed(id: Id): Row | undefined;
  /** A row with what is predicted of it. */
  row(id: Id): Row | undefined;
  /** Confirmed rows of the scope. */
  held(): readonly StoredRow[];
  /** Confirmed attachments of all scopes. */
  attachments(): readonly AttachmentRow[];
  /** Whether an attachment of a scope names a content, predictions included. `besides`: one that doesn't count. */
  namesFile(scope: Id, hash: string, besides: Id): boolean;
  /** Takes the place of confirmed rows: their content as it is opened now. */
  put(rows: readonly StoredRow[]): void;
  /**
   * The highest version that this copy saw of the scope before this generation of the server began: confirmed rows above it have come in that
   * generation. Null: the copy isn't in it.
   */
  seenBefore(generation: string): number | null;
  /** Resolves once everything that was put is on the disk. */
  saved(): Promise<void>;
  /** Whether this copy has ever heard that the scope is sealed. `remember` keeps it. */
  readonly wasSealed: boolean;
  remember(): void;
  /** Whether this scope isn't plain, and whether this device takes rows from it to others and back all the same. */
  standApart(isApart: boolean, isBridge: boolean): void;
  /** What came by the inbox and isn't sealed anew yet. `keepInbox` puts this in its place. */
  readonly inbox: InboxMeta;
  keepInbox(inbox: InboxMeta): void;
  /** Scopes of lists that this copy has heard are encrypted. */
  readonly lists: readonly Id[];
  /** This copy as the scope of such a list sees it. */
  list(scope: Id): SealingHost;
  /** Whether the copy reads this scope. It no longer does with a list that its person has left. */
  readonly isHeld: boolean;
  /** Whether this device can read the list; absent: it is somebody's own scope. */
  showsKey?(hasKey: boolean): void;
  /** Lets keys and frames have their turn. */
  breathe(): Promise<void>;
  /** Something can be sent or fetched now. */
  wake(): void;
}
