// The browser's half of passkeys: its own dialog, and what comes of it as JSON. Loaded with the first one.
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Null: the person cancelled, or has none that fits. */
async function orNull<T>(ceremony: Promise<T>): Promise<T | null> {
  try {
    return await ceremony;
  } catch (error) {
    // The library wraps what the browser throws; either way it is a refusal by the person or the device.
    if (error instanceof Error) return null;
    throw error;
  }
}

/** What passkeys are asked for their secret. It never changes: another question would have another answer. */
const QUESTION = new TextEncoder().encode('posthaste account key 1');
const CHALLENGE_BYTES = 32;

/**
 * What one of this site's passkeys answers to a question of ours, and tells nobody else (WebAuthn, extension PRF). Null: the person
 * cancelled, or passkey or browser know no such answers. Nothing is proved to a server by it.
 */
export async function secretOf(): Promise<{
  readonly credential: string;
  readonly answer: Uint8Array;
} | null> {
  const challenge = crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES));
  const proof = await orNull(
    startAuthentication({
      optionsJSON: {
        challenge: challenge.toBase64({ alphabet: 'base64url', omitPadding: true }),
        rpId: location.hostname,
        userVerification: 'required',
        extensions: { prf: { eval: { first: QUESTION } } },
      } as PublicKeyCredentialRequestOptionsJSON,
    }),
  );
  const first = proof?.clientExtensionResults.prf?.results?.first;
  if (!proof || first === undefined) return null;
  return { credential: proof.id, answer: new Uint8Array(first as ArrayBuffer) };
}

export const isPossible = (): boolean => browserSupportsWebAuthn();

/** A new passkey: one that can answer with a secret of its own, where machine and browser know that. */
export async function create(options: unknown) {
  const asked = options as PublicKeyCredentialCreationOptionsJSON;
  const optionsJSON = { ...asked, extensions: { ...asked.extensions, prf: {} } };
  return await orNull(startRegistration({ optionsJSON }));
}

export const prove = (options: unknown) =>
  orNull(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
