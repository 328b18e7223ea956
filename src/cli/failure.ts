// An error that ends a command: an exit code that scripts can tell apart, and a sentence for people.
import { ApiError } from '#wire/api/client-core.ts';

/** Exit codes by kind of failure. Documented in docs/cli.md; a number never changes its meaning. */
export const exitCodes = {
  unexpected: { code: 1, meaning: "something went wrong that shouldn't have" },
  usage: { code: 2, meaning: 'the command line is wrong' },
  access: { code: 3, meaning: 'not signed in, or not allowed' },
  missing: { code: 4, meaning: "the task, list, or file doesn't exist" },
  refused: { code: 5, meaning: 'the server refused a value' },
  offline: { code: 6, meaning: "the server can't be reached; new tasks are saved and sent later" },
  limit: { code: 7, meaning: 'over a server limit; the server says when to try again' },
  files: { code: 8, meaning: "a file or folder can't be read or written, or the disk is full" },
  busy: { code: 9, meaning: 'another run holds the lock' },
} as const;
export type FailureKind = keyof typeof exitCodes;

/** An expected error of a command; run.ts prints its message and exits with the code of its kind. */
export class Failure extends Error {
  readonly kind: FailureKind;
  /** Milliseconds until a retry makes sense, where the server says so. */
  readonly retryMs: number | null;
  /** Something already has the id that was sent. */
  readonly isTaken: boolean;
  /** The token is valid but not allowed to do this: a retry changes nothing. */
  readonly isForbidden: boolean;

  constructor(
    kind: FailureKind,
    message: string,
    more: { retryMs?: number | null; isTaken?: boolean; isForbidden?: boolean } = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.kind = kind;
    this.retryMs = more.retryMs ?? null;
    this.isTaken = more.isTaken ?? false;
    this.isForbidden = more.isForbidden ?? false;
  }
}

const FILE_TROUBLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota of the disk is used up',
  EACCES: "you're not allowed to write there",
  EPERM: "you're not allowed to write there",
  EROFS: 'the disk is read-only',
  ENOENT: "the folder doesn't exist",
  ENOTDIR: "it isn't a folder",
  EISDIR: "it's a folder",
  EEXIST: "it's there already",
  EFBIG: 'the file is too large for the disk',
  EIO: 'the disk reports an error',
};

/** The Failure for an error of the file system at a path. Errors of anything else pass as they are. */
export function fileFailure(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = FILE_TROUBLE[code];
  return why === undefined ? error : new Failure('files', `Can't write ${path}: ${why} (${code}).`);
}

/** A Failure for a command line that is not right; `message` tells the person what to type instead. */
export const wrongUse = (message: string) => new Failure('usage', message);

function kindOf({ status, code }: ApiError): FailureKind {
  // An answer without a code came from a proxy, or from a server in trouble.
  if (code === '' || status >= 500) return 'offline';
  if (status === 401 || status === 403) return 'access';
  if (status === 404) return 'missing';
  return status === 429 ? 'limit' : 'refused';
}

function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** What the server says to a token that may not do something at all. */
const NOT_ALLOWED = "You're not allowed to do that.";

/** The Failure for an error of a call to the server at `url`. */
export function failureOf(error: unknown, url: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) {
    const kind = kindOf(error);
    const wait = error.retryAfter;
    if (kind === 'limit') {
      const again = wait === null ? '' : ` Try again in ${wait} s.`;
      return new Failure(kind, `The server allows no more for now.${again}`, {
        retryMs: (wait ?? 60) * 1_000,
      });
    }
    if (error.status === 401) return new Failure(kind, `${error.message} Sign in with: posthaste login`);
    if (error.status === 403) {
      // A reason of its own is the whole reason.
      const more = error.message === NOT_ALLOWED ? ' The token may be read-only.' : '';
      return new Failure(kind, `${error.message}${more}`, { isForbidden: true });
    }
    return new Failure(kind, error.message, { isTaken: error.status === 409 });
  }
  return new Failure('offline', `Can't reach the server at ${url} (${causeOf(error)}).`);
}
