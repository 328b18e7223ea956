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

export const isPossible = (): boolean => browserSupportsWebAuthn();

export const create = (options: unknown) =>
  orNull(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));

export const prove = (options: unknown) =>
  orNull(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
