// The platform's port for attached files: content is stored on this device first, and sent from there whenever
// possible. The platform implements it in web/platform/storage/file-store.ts.
import type { Id } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import type { Signal } from '../app/signal.ts';

/** A file that somebody chose, dropped or pasted. */
export interface FileContent {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The platform's own object, such as a Blob. */
  readonly content: unknown;
}

/** Seals a content before it is kept, or says why not. */
export type SealContent = (
  content: Uint8Array,
) => Promise<Result<{ readonly bytes: Uint8Array; readonly hash: string }, string>>;

/** What is known of a file once this device has it. */
export interface KeptFile {
  /** SHA-256, hexadecimal, of what is kept and sent. */
  readonly hash: string;
  /** Of what is kept and sent. */
  readonly sizeBytes: number;
  /** Detected from its bytes; empty: not a picture type that can be shown. */
  readonly fileType: string;
}

/** How a sealed content is opened. */
export interface FileOpening {
  /** SHA-256 of the content once it is open: a device that has it so needs nothing else. */
  readonly hash: string;
  /** The whole content, or why there is none, as a sentence. */
  open(sealed: Uint8Array): Promise<Result<Uint8Array, string>>;
}

/** Identifies an attached file for the platform. */
export interface FileRef {
  readonly scope: Id;
  /** Id of the attachment. */
  readonly id: Id;
  readonly hash: string;
  readonly name: string;
  /** Null: the content is as it is. */
  readonly opening: FileOpening | null;
}

/** An attached file whose content may have to be sent again. */
export interface NamedContent extends Pick<FileRef, 'scope' | 'hash'> {
  readonly isSealed: boolean;
}

/** Where attachments that name a content are by now. */
export interface FollowedContents {
  scopesOf(hash: string): readonly Id[];
  /** Whether a scope takes sealed contents only: others wait until they are. */
  isSealing(scope: Id): boolean;
}

/** Upload state of a file that the server does not have yet. */
export type SendState =
  /** Waiting for a connection and an account. */
  | { readonly type: 'waiting' }
  /** From 0 to 1. */
  | { readonly type: 'sending'; readonly share: number }
  /** The server does not accept it. */
  | { readonly type: 'refused'; readonly message: string };

/** Stores and sends attached files. The platform implements it; failures are sentences for the person. */
export interface FilesPort {
  /** Asks the person; empty when they canceled. */
  pick(): Promise<readonly FileContent[]>;
  /** Pictures and files on the clipboard; null when reading it was denied. */
  clipboard(): Promise<readonly FileContent[] | null>;
  /** Resolves once it is on this device's disk; with a sentence if it cannot be stored. `seal`: what is stored instead of the content. */
  keep(scope: Id, file: FileContent, seal: SealContent | null): Promise<Result<KeptFile, string>>;
  /** Files that the server does not have, by hash. */
  readonly unsent: Signal<ReadonlyMap<string, SendState>>;
  /** Where attachments that name a content are by now: what waits is sent there. */
  follow(contents: FollowedContents): void;
  /** Of these files, what this device holds is sent again: the server may have lost it. */
  sendAgain(files: readonly NamedContent[]): void;
  /** Sends a refused file once more. */
  retry(hash: string): void;
  /** Address of a picture for as long as the page lives; null when it is no picture, or unavailable now. */
  picture(file: FileRef): Promise<string | null>;
  /** Offers it for saving. A sentence if it is unavailable now. */
  save(file: FileRef): Promise<string | null>;
}
