// The keys of encrypted accounts in the folder of the command line: one file for each account, readable by its owner alone (mode 0600), beside
// the token. The key is in no argument, environment, log or message.
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Id } from '#core/ids.ts';
import type { AccountKey } from '#core/sealing/keys.ts';
import type { KeptKeys, KeyStore } from '#sync/sealing/ports.ts';
import { copySelfSchema, type CopySelf } from '#wire/api/copy.ts';
import { scopeSealingSchema } from '#wire/sync.ts';
import { idSchema } from '#wire/values.ts';
import { Failure } from '../failure.ts';
import type { PrivateFolder } from '../private-folder.ts';

const FOLDER = 'keys';
const KEY_BYTES = 32;

const keySchema = z.string().check(
  z.refine((text) => {
    return Buffer.from(text, 'base64url').length === KEY_BYTES;
  }),
);

const keptSchema = z.object({
  key: keySchema,
  next: z.optional(keySchema),
  pin: z.nullable(z.object({ n: z.number(), mac: z.string(), state: scopeSealingSchema })),
  directory: z.nullable(z.object({ body: z.string(), mac: z.string() })),
  holder: z.optional(
    z.object({
      id: idSchema,
      how: z.enum(['made', 'code', 'passphrase', 'passkey', 'pairing', 'unknown']),
      at: z.number(),
    }),
  ),
  replays: z.optional(z.number()),
  isLeaving: z.optional(z.literal(true)),
});

const fileSchema = z.object({
  /** Address of the API. */
  url: z.string(),
  scope: idSchema,
  account: z.int(),
  /** What tokens of the account are, by a mark that doesn't reveal them. */
  tokens: z.record(z.string(), copySelfSchema),
  kept: keptSchema,
});
type KeyFile = z.infer<typeof fileSchema>;

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')) as AccountKey;
const textOf = (key: AccountKey) => Buffer.from(key).toString('base64url');

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
        return Promise.resolve(file === null || file.url !== url ? null : keptOf(file.kept));
      },
      write: ({ key, next, pin, directory, holder, replays, isLeaving }) => {
        const tokens = this.#read(scope)?.tokens ?? {};
        const kept: KeyFile['kept'] = {
          key: textOf(key),
          ...(next && { next: textOf(next) }),
          pin: pin === null ? null : { ...pin, state: pin.state },
          directory,
          ...(holder && { holder }),
          ...(replays !== undefined && { replays }),
          ...(isLeaving && { isLeaving }),
        } as KeyFile['kept'];
        this.#folder.write(name, { url, scope, account, tokens, kept } satisfies KeyFile);
        return Promise.resolve();
      },
      erase: () => {
        this.#folder.remove(name);
        return Promise.resolve();
      },
    };
  }
}

function keptOf({ key, next, pin, directory, holder, replays, isLeaving }: KeyFile['kept']): KeptKeys {
  return {
    key: bytesOf(key),
    ...(next !== undefined && { next: bytesOf(next) }),
    pin: pin as KeptKeys['pin'],
    directory,
    ...(holder && { holder: { ...holder, id: holder.id as Id } }),
    ...(replays !== undefined && { replays }),
    ...(isLeaving && { isLeaving }),
  };
}
