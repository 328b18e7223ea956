// Opens what is sealed by another library than the product's and without its code: written from the description of the format
// in docs/decisions/0032-sealing.md, over libsodium and Node's own crypto. It shows that the description is all one needs.
import { argon2Sync, createHmac, hkdfSync } from 'node:crypto';
import sodium from 'libsodium-wrappers';

await sodium.ready;

const text = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

function lengthPrefixed(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part as string);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

const number32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const hkdf = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length = 32) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

const open = (key: Uint8Array, nonce: Uint8Array, bound: Uint8Array, sealed: Uint8Array) =>
  sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed, bound, nonce, key);

export interface Where {
  readonly account: number;
  readonly scope: string;
}

export interface At extends Where {
  readonly id: string;
  readonly type: string;
  readonly register: string;
}

function readFrame(frame: Uint8Array) {
  let at7 = 0;
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = frame[at7++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(value);
    }
  };
  const [seq, device, length] = [number(), number(), number()];
  if (frame.subarray(at7 + length).some((byte) => byte !== 0)) throw new Error('no padding');
  return { value: JSON.parse(text(frame.subarray(at7, at7 + length))) as unknown, seq, device };
}

/** As `openEnvelope`, of what was sealed to the inbox of an account's scope. */
export function openInboxEnvelope(accountKey: Uint8Array, at: At, e: string) {
  const bytes = Buffer.from(e, 'base64url');
  if (bytes[0] !== 2) throw new Error('another version');
  const generation = bytes.readUInt32BE(1);
  const { account, scope, id, type, register } = at;
  const of = lengthPrefixed('inbox', String(account), scope, String(generation));
  const secret = hkdf(accountKey, Buffer.from('ph1 account'), of);
  const ephemeral = bytes.subarray(5, 37);
  const shared = sodium.crypto_scalarmult(secret, ephemeral);
  const bound = lengthPrefixed('ph1', String(account), scope, id, type, register, number32(generation));
  const salt = lengthPrefixed('ph1', 'inbox', ephemeral, sodium.crypto_scalarmult_base(secret));
  const key = hkdf(shared, salt, lengthPrefixed('value', bound));
  return { ...readFrame(open(key, bytes.subarray(37, 61), bound, bytes.subarray(61))), generation };
}

/** The value, the device and the sequence number of an envelope. Throws where it doesn't open. */
export function openEnvelope(generationKey: Uint8Array, at: At, e: string) {
  const bytes = Buffer.from(e, 'base64url');
  if (bytes[0] !== 1) throw new Error('another version');
  const generation = bytes.readUInt32BE(1);
  const { account, scope, id, type, register } = at;
  const salt = lengthPrefixed('ph1', 'generation', String(account), scope, String(generation));
  const key = hkdf(generationKey, salt, lengthPrefixed('row', id));
  const bound = lengthPrefixed('ph1', String(account), scope, id, type, register, number32(generation));
  const frame = open(key, bytes.subarray(5, 29), bound, bytes.subarray(29));
  return { ...readFrame(frame), generation };
}

/** Bytes of a wrap before its nonce. */
const HEADERS: Readonly<Record<string, number>> = { passphrase: 26, member: 34 };

function openWrap(wrapped: string, kind: string, secret: Uint8Array, of: readonly string[]): Uint8Array {
  const bytes = Buffer.from(wrapped, 'base64url');
  const header = HEADERS[kind] ?? 2;
  const info = lengthPrefixed(kind, bytes.subarray(2, header), ...of);
  const keys = hkdf(secret, Buffer.from('ph1 wrap'), info, 64);
  const commitment = createHmac('sha256', keys.subarray(32)).update(bytes.subarray(0, -32)).digest();
  if (!commitment.equals(bytes.subarray(-32))) throw new Error('another key');
  const nonce = bytes.subarray(header, header + 24);
  return open(keys.subarray(0, 32), nonce, bytes.subarray(0, header), bytes.subarray(header + 24, -32));
}

/** The account key in a wrap under what a passkey answers. */
export function openPasskeyWrap(wrapped: string, account: number, credential: string, answer: Uint8Array) {
  return openWrap(wrapped, 'passkey', answer, [String(account), credential]);
}

/** The account key in a wrap under a recovery code. */
export function openRecoveryWrap(wrapped: string, account: number, code: string): Uint8Array {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let value = 0n;
  for (const character of code.replaceAll('-', '')) value = value * 32n + BigInt(alphabet.indexOf(character));
  const secret = Buffer.from((value >> 12n).toString(16).padStart(32, '0'), 'hex');
  return openWrap(wrapped, 'recovery', secret, [String(account)]);
}

/** The account key in a wrap under a passphrase. */
export function openPassphraseWrap(wrapped: string, account: number, passphrase: string): Uint8Array {
  const bytes = Buffer.from(wrapped, 'base64url');
  const [memory, passes] = [bytes.readUInt32BE(2), bytes.readUInt32BE(6)];
  const secret = argon2Sync('argon2id', {
    message: Buffer.from(passphrase.normalize('NFKC')),
    nonce: bytes.subarray(10, 26),
    parallelism: 1,
    tagLength: 32,
    memory,
    passes,
  });
  return openWrap(wrapped, 'passphrase', secret, [String(account)]);
}

/** The key of a generation in its wrap. */
export function openGenerationWrap(
  wrapped: string,
  accountKey: Uint8Array,
  { account, scope }: Where,
  generation: number,
): Uint8Array {
  const secret = hkdf(accountKey, Buffer.from('ph1 account'), lengthPrefixed('wrap'));
  return openWrap(wrapped, 'generation', secret, [String(account), scope, String(generation)]);
}

/** The name that a register has for the server. */
export function hiddenName(accountKey: Uint8Array, { account, scope }: Where, id: string, register: string) {
  const key = hkdf(accountKey, Buffer.from('ph1 account'), lengthPrefixed('names', String(account), scope));
  return createHmac('sha256', key).update(lengthPrefixed(id, register)).digest('base64url');
}

/** The key of a list in a member's wrap. */
export function openMemberWrap(
  wrapped: string,
  accountKey: Uint8Array,
  { account, scope }: Where,
  generation: number,
): Uint8Array {
  const of = lengthPrefixed('identity', 'agree', String(account));
  const secret = hkdf(accountKey, Buffer.from('ph1 account'), of);
  const ephemeral = Buffer.from(wrapped, 'base64url').subarray(2, 34);
  const shared = sodium.crypto_scalarmult(secret, ephemeral);
  const salt = lengthPrefixed('ph1', 'member', ephemeral, sodium.crypto_scalarmult_base(secret));
  const root = createHmac('sha256', salt).update(shared).digest();
  return openWrap(wrapped, 'member', root, [String(account), scope, String(generation)]);
}

/** The key of a list in a wrap under the account key. */
export function openOwnWrap(
  wrapped: string,
  accountKey: Uint8Array,
  { account, scope }: Where,
  generation: number,
): Uint8Array {
  const secret = hkdf(accountKey, Buffer.from('ph1 account'), lengthPrefixed('list'));
  return openWrap(wrapped, 'own', secret, [String(account), scope, String(generation)]);
}

/** The key of a list in a wrap under the secret of a link, and the public key of that link. */
export function openInvitationWrap(
  wrapped: string,
  secret: Uint8Array,
  { scope, generation }: { readonly scope: string; readonly generation: number },
) {
  const from = (purpose: string) => hkdf(secret, Buffer.from('ph1 invitation'), lengthPrefixed(purpose));
  const key = openWrap(wrapped, 'invitation', from('wrap'), [scope, String(generation)]);
  return {
    key,
    verify: Buffer.from(sodium.crypto_sign_seed_keypair(from('sign')).publicKey).toString('base64url'),
  };
}

/** The public keys of an account. */
export function identityIn(accountKey: Uint8Array, account: number) {
  const from = (purpose: string) =>
    hkdf(accountKey, Buffer.from('ph1 account'), lengthPrefixed('identity', purpose, String(account)));
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  return {
    agree: text(sodium.crypto_scalarmult_base(from('agree'))),
    verify: text(sodium.crypto_sign_seed_keypair(from('sign')).publicKey),
  };
}

/** Whether a signature is of these parts. */
export function isSignature(verify: string, signature: string, ...parts: readonly string[]): boolean {
  const [made, key] = [Buffer.from(signature, 'base64url'), Buffer.from(verify, 'base64url')];
  return sodium.crypto_sign_verify_detached(made, lengthPrefixed('ph1', ...parts), key);
}

/** The key of a generation in a wrap for visitors of a public link. */
export function openVisitorWrap(wrapped: string, secret: Uint8Array, scope: string, generation: number) {
  const derived = hkdf(secret, Buffer.from('ph1 public link'), lengthPrefixed('wrap'));
  return openWrap(wrapped, 'visitor', derived, [scope, String(generation)]);
}

/** The secret of a public link under the key of its list. */
export function openVisitorSecretWrap(
  wrapped: string,
  listKey: Uint8Array,
  scope: string,
  generation: number,
) {
  const derived = hkdf(listKey, Buffer.from('ph1 account'), lengthPrefixed('list'));
  return openWrap(wrapped, 'own', derived, ['public link', scope, String(generation)]);
}
