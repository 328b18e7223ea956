// Contents of attachments on one device: sealed before they leave it, and opened once they are here. Where contents are kept and how they
// travel is a port (ports.ts); which of them are still in their earlier form is the walk's (file-walk.ts).
import type { Id } from '#core/ids.ts';
import type { SealedContent } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { SealProblem } from '#core/sealing/envelope.ts';
import { openFile, sealFile } from '#core/sealing/files.ts';
import { isListGeneration, type Keyring, type Random } from '#core/sealing/keys.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { ContentWork } from './ports.ts';

const SALT_BYTES = 32;

/** A content as it is sent, and what its row says of it. */
export interface FileSealed {
  readonly bytes: Uint8Array;
  /** SHA-256 of these bytes, hex. */
  readonly hash: string;
  readonly content: SealedContent;
}

/** Why a content isn't sealed or opened. `other`: it opens, and is another content than the row says. */
export type FileProblem = SealProblem | { readonly type: 'other' };

type Keys = Pick<DeviceKeys, 'ring' | 'sealer' | 'seals'>;

/** The list that a ring is of; nothing where it is that of somebody's own scope. */
const listOf = ({ newest, scope }: Keyring): Pick<SealedContent, 'scope'> =>
  isListGeneration(newest) ? { scope } : {};

/** Seals and opens contents with the keys of this device. */
export class SealedFiles {
  readonly #keys: Keys;
  readonly #work: Pick<ContentWork, 'cipher' | 'digest'>;
  readonly #random: Random;

  constructor(
    keys: Keys,
    { work, random }: { readonly work: Pick<ContentWork, 'cipher' | 'digest'>; readonly random: Random },
  ) {
    this.#keys = keys;
    this.#work = work;
    this.#random = random;
  }

  /** How contents of a scope that isn't plain leave this device. `locked`: not at all, as it has no key to seal them with. */
  get form(): 'sealed' | 'plain' | 'locked' {
    const { ring, sealer, seals } = this.#keys;
    if (ring === null || (seals && sealer === null)) return 'locked';
    return seals ? 'sealed' : 'plain';
  }

  /** Seals the content of an attachment. What it gives was opened again before: the content may be forgotten elsewhere then. */
  async seal(attachment: Id, content: Uint8Array): Promise<Result<FileSealed, FileProblem>> {
    const { sealer } = this.#keys;
    if (sealer === null) return failed({ type: 'no-key', generation: 0 });
    const salt = new Uint8Array(SALT_BYTES);
    this.#random(salt);
    const { cipher, digest } = this.#work;
    const sealed = await sealFile(cipher, { ring: sealer.ring, attachment, salt }, content);
    if (!sealed.ok) return sealed;
    const hash = await digest(content);
    const says = { hash, bytes: content.length, of: attachment, ...listOf(sealer.ring) };
    const again = await this.open(says, sealed.value);
    if (!again.ok) return again;
    return ok({ bytes: sealed.value, hash: await digest(sealed.value), content: says });
  }

  /** Opens a content, whole: it is the one that the row says, or nothing of it is given. */
  async open(
    { hash, bytes, of }: SealedContent,
    sealed: Uint8Array,
  ): Promise<Result<Uint8Array, FileProblem>> {
    const { ring } = this.#keys;
    if (ring === null) return failed({ type: 'no-key', generation: 0 });
    const opened = await openFile(this.#work.cipher, ring, of, sealed);
    if (!opened.ok) return opened;
    const isSaid = opened.value.length === bytes && (await this.#work.digest(opened.value)) === hash;
    return isSaid ? opened : failed({ type: 'other' });
  }

  /** What a content opens to that is sealed for an attachment although its row doesn't say so; null: it isn't sealed, or not for it. */
  async unsaid(attachment: Id, sealed: Uint8Array): Promise<SealedContent | null> {
    const { ring } = this.#keys;
    const opened = ring === null ? null : await openFile(this.#work.cipher, ring, attachment, sealed);
    if (ring === null || opened?.ok !== true) return null;
    const hash = await this.#work.digest(opened.value);
    return { hash, bytes: opened.value.length, of: attachment, ...listOf(ring) };
  }
}
