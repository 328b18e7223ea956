// The keys of encrypted accounts in the folder of the command line: one file for each account, readable by its owner alone (mode 0600), beside
// the token. The key is in no argument, environment, log or message.
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Id } from '#core/ids.ts';
import { isRecord } from '#core/json.ts';
import { keyWays } from '#sync/sealing/directory.ts';
import type { KeptKeys, KeyStore } from '#sync/sealing/ports.ts';
import { copySelfSchema, type CopySelf } from '#wire/api/copy.ts';
import { scopeSealingSchema } from '#wire/sync.ts';
import { idSchema } from '#wire/values.ts';
import { Failure } from '../failure.ts';
import type { PrivateFolder } from '../private-folder.ts';

const FOLDER = 'keys';
const KEY_BYTES = 32;

/** Bytes as the file has them. */
const bytesSchema = z.object({ base64: z.string() });

const keySchema = bytesSchema.check(
  z.refine(({ base64 }) => Buffer.from(base64, 'base64url').length === KEY_BYTES),
);

/** What is kept beside a key that this doesn't name stays as it is. */
const keptSchema = z.looseObject({
  key: keySchema,
  next: z.optional(keySchema),
  pin: z.nullable(z.object({ n: z.number(), mac: z.string(), state: scopeSealingSchema })),
  directory: z.nullable(z.object({ body: z.string(), mac: z.string() })),
  holder: z.optional(z.object({ id: idSchema, how: z.enum(keyWays), at: z.number() })),
});

const fileSchema = z.object({
  /** Address of the API. */
  url: z.string(),
  scope: idSchema,
  account: z.int(),
  /** What tokens of the account are, by a mark that doesn't reveal them. */
  tokens: z.record(z.string(), copySelfSchema),
  kept: keptSchema,
  /** The same of lists that stay encrypted, by their scopes. */
  lists: z.optional(z.record(z.string(), keptSchema)),
});
type KeyFile = z.infer<typeof fileSchema>;

/** A value with its bytes as text. */
function written(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64url') };
  if (Array.isArray(value)) return value.map(written);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
}

/** The value of which `written` made this. */
function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read);
  if (!isRecord(value)) return value;
  const bytes = bytesSchema.safeParse(value);
  if (bytes.success && Object.keys(value).length === 1)
    return new Uint8Array(Buffer.from(bytes.data.base64, 'base64url'));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, read(part)]));
}

/** An account at a server. */
export interface KeyPlace {
  readonly url: string;
  readonly scope: Id;
  readonly account: number;
}

/** All key files. */
export class KeyFiles {
  readonly #folder: PrivateFolder;

  constructor(folder: PrivateFolder) {
    this.#folder = folder;
  }

  #nameOf = (scope: string) => join(FOLDER, `${scope}.json`);

  #read(scope: string): KeyFile | null {
    return this.#folder.read(this.#nameOf(scope), fileSchema);
  }

  /**
   * Of accounts at a server. Throws a Failure if a file can't be read: without its key, what is written would go out in the open.
   */
  at(url: string): readonly KeyPlace[] {
    return this.#folder.names(FOLDER).flatMap((name): KeyPlace[] => {
      const path = join(FOLDER, name);
      const file = this.#folder.read(path, fileSchema);
      if (file === null)
        throw new Failure(
          'files',
          `The key in ${join(this.#folder.path, path)} can't be read. Delete the file, then: posthaste key add`,
        );
      return file.url === url ? [{ url, scope: file.scope as Id, account: file.account }] : [];
    });
  }

  /** What is known of a token; null: nothing. */
  tokenOf({ scope }: KeyPlace, mark: string): CopySelf | null {
    return this.#read(scope)?.tokens[mark] ?? null;
  }

  /** Keeps what the server says of a token. */
  keepToken({ scope }: KeyPlace, mark: string, self: CopySelf): void {
    const file = this.#read(scope);
    if (file !== null)
      this.#folder.write(this.#nameOf(scope), { ...file, tokens: { ...file.tokens, [mark]: self } });
  }

  /** Makes the file private again. True: others could read it. */
  close({ scope }: KeyPlace): boolean {
    return this.#folder.close(this.#nameOf(scope));
  }

  /** The keys of one account. */
  of({ url, scope, account }: KeyPlace): KeyStore {
    const name = this.#nameOf(scope);
    return {
      read: () => {
        const file = this.#read(scope);
        // What it says was checked with the file.
        return Promise.resolve(file === null || file.url !== url ? null : (read(file.kept) as KeptKeys));
      },
      write: (kept) => {
        const { tokens = {}, lists } = this.#read(scope) ?? {};
        const others = lists === undefined ? {} : { lists };
        this.#folder.write(name, { url, scope, account, tokens, kept: written(kept), ...others });
        return Promise.resolve();
      },
      erase: () => {
        this.#folder.remove(name);
        return Promise.resolve();
      },
    };
  }

  /** The keys of a list that stays encrypted, beside those of an account: what is written once these are gone is kept nowhere. */
  ofList({ url, scope }: KeyPlace, list: Id): KeyStore {
    const own = () => {
      const file = this.#read(scope);
      return file?.url === url ? file : null;
    };
    const keep = (file: KeyFile, kept: KeptKeys | null) => {
      const { [list]: _, ...others } = file.lists ?? {};
      const lists = kept === null ? others : { ...others, [list]: written(kept) };
      this.#folder.write(this.#nameOf(scope), { ...file, lists });
    };
    return {
      read: () => {
        const kept = own()?.lists?.[list];
        return Promise.resolve(kept === undefined ? null : (read(kept) as KeptKeys));
      },
      write: (kept) => {
        const file = own();
        if (file !== null) keep(file, kept);
        return Promise.resolve();
      },
      erase: () => {
        const file = own();
        if (file?.lists?.[list] !== undefined) keep(file, null);
        return Promise.resolve();
      },
    };
  }
}
