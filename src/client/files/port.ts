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

/** What is known of a file once this device has it. */
export interface KeptFile {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Detected from its bytes; empty: not a picture type that can be shown. */
  readonly fileType: string;
}

/** Identifies an attached file for the platform. */
export interface FileRef {
  readonly scope: Id;
  /** Id of the attachment. */
  readonly id: Id;
  readonly hash: string;
  readonly name: string;
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
  /** Resolves once it is on this device's disk; with a sentence if it cannot be stored. */
  keep(scope: Id, file: FileContent): Promise<Result<KeptFile, string>>;
  /** Files that the server does not have, by hash. */
  readonly unsent: Signal<ReadonlyMap<string, SendState>>;
  /** Where attachments that name a content are by now: what waits is sent there. */
  follow(scopesOf: (hash: string) => readonly Id[]): void;
  /** Of these files, what this device holds is sent again: the server may have lost it. */
  sendAgain(files: readonly Pick<FileRef, 'scope' | 'hash'>[]): void;
  /** Sends a refused file once more. */
  retry(hash: string): void;
  /** Address of a picture for as long as the page lives; null when it is no picture, or unavailable now. */
  picture(file: FileRef): Promise<string | null>;
  /** Offers it for saving. A sentence if it is unavailable now. */
  save(file: FileRef): Promise<string | null>;
}
