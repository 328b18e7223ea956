// What ends a command before it is done: an exit code that scripts can tell apart, and a sentence for people.
import { ApiError } from '#wire/api/client-core.ts';

/** Documented in docs/cli.md; a number never changes its meaning. */
export const exitCodes = {
  unexpected: { code: 1, meaning: 'something went wrong that should not have' },
  usage: { code: 2, meaning: 'the command line is not right' },
  access: { code: 3, meaning: 'not signed in, or not allowed' },
  missing: { code: 4, meaning: 'there is no such task, list or file' },
  refused: { code: 5, meaning: 'the server refused a value' },
  offline: { code: 6, meaning: 'the server cannot be reached; what was to be added is kept and sent later' },
  limit: { code: 7, meaning: 'over a limit of the server; it says when to come again' },
} as const;
export type FailureKind = keyof typeof exitCodes;

export class Failure extends Error {
  readonly kind: FailureKind;
  /** Milliseconds until it is worth trying again, where the server says so. */
  readonly retryMs: number | null;
  /** The id that was sent belongs to something already. */
  readonly isTaken: boolean;

  constructor(kind: FailureKind, message: string, more: { retryMs?: number | null; isTaken?: boolean } = {}) {
    super(message);
    this.name = 'Failure';
    this.kind = kind;
    this.retryMs = more.retryMs ?? null;
    this.isTaken = more.isTaken ?? false;
  }
}

export const wrongUse = (message: string) => new Failure('usage', message);

function kindOf({ status, code }: ApiError): FailureKind {
  // An answer without a code came from something in between, or from a server that is not well.
  if (code === '' || status >= 500) return 'offline';
  if (status === 401 || status === 403) return 'access';
  if (status === 404) return 'missing';
  return status === 429 ? 'limit' : 'refused';
}

function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** What a call to the server at `url` failed with. */
export function failureOf(error: unknown, url: string): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ApiError) {
    const kind = kindOf(error);
    const wait = error.retryAfter;
    if (kind === 'limit') {
      const again = wait === null ? '' : ` Come again in ${wait} s.`;
      return new Failure(kind, `The server allows no more for now.${again}`, {
        retryMs: (wait ?? 60) * 1_000,
      });
    }
    if (error.status === 401) return new Failure(kind, `${error.message} Sign in with: posthaste login`);
    if (error.status === 403) return new Failure(kind, `${error.message} The token may be for reading only.`);
    return new Failure(kind, error.message, { isTaken: error.status === 409 });
  }
  return new Failure('offline', `The server at ${url} cannot be reached (${causeOf(error)}).`);
}
