// What attaching files asks of the platform, as values: content is kept on this device first, and sent from there whenever
// that can be. The platform's part is web/platform/file-store.ts.
import type { Id } from '#core/ids.ts';
import type { Signal } from '../signal.ts';

/** A file that somebody chose, dropped or pasted. */
export interface FileContent {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** As the platform holds it. */
  readonly content: unknown;
}

export interface KeptFile {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Told from its bytes; empty: none of the pictures that can be shown. */
  readonly fileType: string;
}

export interface FileRef {
  readonly scope: Id;
  /** The attachment. */
  readonly id: Id;
  readonly hash: string;
  readonly name: string;
}

export type SendState =
  /** Until there is a connection and an account. */
  | { readonly type: 'waiting' }
  /** From 0 to 1. */
  | { readonly type: 'sending'; readonly share: number }
  /** The server does not take it. */
  | { readonly type: 'refused'; readonly message: string };

export interface FilesPort {
  /** Asks the person; empty when they cancelled. */
  pick(): Promise<readonly FileContent[]>;
  /** Pictures and files on the clipboard; null when reading it was refused. */
  clipboard(): Promise<readonly FileContent[] | null>;
  /** Resolves when it is on this device's disk; with a sentence when that cannot be. */
  keep(scope: Id, file: FileContent): Promise<KeptFile | string>;
  /** By hash: what has not reached the server. */
  readonly unsent: Signal<ReadonlyMap<string, SendState>>;
  /** Sends what was refused once more. */
  retry(hash: string): void;
  /** Address of a picture for as long as the page lives; null when it is none, or cannot be had now. */
  picture(file: FileRef): Promise<string | null>;
  /** Offers it for saving. A sentence when it cannot be had now. */
  save(file: FileRef): Promise<string | null>;
}
