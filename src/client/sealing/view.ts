// The view of the dialog of encryption, and what can be done in it.
import type { Id } from '#core/ids.ts';
import type { FormValues } from '../dialogs/form-values.ts';

/** A device that asks for the key. */
export interface AskingDevice {
  readonly id: Id;
  readonly name: string;
  /** Since when it asks, milliseconds since 1970: two devices may be called the same. */
  readonly at: number;
}

/** What a code is shown for: turning encryption on, a code in place of another, a new key. */
export type CodePurpose = 'turnOn' | 'newCode' | 'rotate';

/** The key that everything is encrypted with: the first one, that of before, or a new one, as this device doesn’t have that of before. */
export type KeyToTurnOn = 'first' | 'again' | 'other';

/** A device that has the key, by its own word. */
export interface KeyDevice {
  readonly name: string;
  /** How it got the key, as the end of a sentence. */
  readonly how: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isThis: boolean;
}

/** Where the dialog is. `turnOn` goes through `check`, `code`, `type` and, where the server asks, `confirm` to `moving`. */
export type SealingStep =
  | { readonly type: 'asking' }
  /** Nothing can be done now. */
  | { readonly type: 'problem'; readonly text: string }
  /** What is sealed and what isn't, before anything is made. `shared`: names of lists that stay as they are. */
  /** `kept`: names of encrypted lists that the person is in, which a new key locks. */
  | {
      readonly type: 'check';
      readonly shared: readonly string[];
      readonly key: KeyToTurnOn;
      readonly kept: readonly string[];
    }
  /** A code, shown this once. */
  | {
      readonly type: 'code';
      readonly groups: readonly string[];
      readonly asked: readonly [number, number];
      readonly shared: readonly string[];
      readonly purpose: CodePurpose;
      readonly said: string | null;
    }
  | {
      readonly type: 'type';
      readonly asked: readonly [number, number];
      readonly purpose: CodePurpose;
      readonly error: string | null;
    }
  | { readonly type: 'confirm'; readonly wantsCode: boolean; readonly error: string | null }
  /**
   * `hasPasskey`: one opens it, too, and this browser knows passkeys. `isOutdated`: this device has the key of before. `isOff`: the
   * person’s own tasks are plain, and the key is for lists that stay encrypted. `isToTurnOn`: encryption is turned on after it.
   */
  | {
      readonly type: 'unlock';
      readonly hasPasskey: boolean;
      readonly isOutdated: boolean;
      readonly isOff: boolean;
      readonly isToTurnOn: boolean;
      readonly error: string | null;
    }
  /** Before everything is decrypted. `kept`: names of lists that stay encrypted all the same. */
  | { readonly type: 'off'; readonly kept: readonly string[] }
  /**
   * A new key. `dropped`: what opens the present one besides the code, and nothing from then on. `kept`: names of encrypted lists, which get
   * new keys as well. `published`: those of them whose public links end by it.
   */
  | {
      readonly type: 'rotate';
      readonly dropped: readonly string[];
      readonly kept: readonly string[];
      readonly published: readonly string[];
    }
  /**
   * Forgetting the key here. `isOn`: the person’s own rows become locked. `kept`: names of encrypted lists, which do so in any case. `isOnly`:
   * no other device said that it has the key. `isOffline`: no other device hears of it.
   */
  | {
      readonly type: 'forget';
      readonly isOn: boolean;
      readonly kept: readonly string[];
      readonly isOnly: boolean;
      readonly isOffline?: true;
    }
  /** Rows are being locked. */
  | { readonly type: 'forgetting' }
  /** A passphrase, typed twice. `has`: there is one already. */
  | { readonly type: 'passphrase'; readonly has: boolean; readonly error: string | null }
  /** This device asks for the key, and no other has answered. `picture`: what another one can read from the screen. */
  | { readonly type: 'askOther'; readonly picture: string }
  /** Devices that ask for the key; null: the server is asked. */
  | { readonly type: 'choose'; readonly devices: readonly AskingDevice[] | null }
  /** The picture on the other device is to be read by the camera. */
  | { readonly type: 'scan'; readonly error: string | null }
  /** One was chosen, and shows nothing yet. Null: its picture was read. */
  | { readonly type: 'waitForWords'; readonly device: string | null }
  /** The key was given, and the other device hasn't taken it yet. */
  | { readonly type: 'waitForTaking' }
  /** What both devices show. `gives`: this is the one with the key. `isConfirmed`: the other one has to be told as well. */
  | {
      readonly type: 'compare';
      readonly words: readonly string[];
      readonly digits: string;
      readonly gives: boolean;
      readonly isConfirmed: boolean;
    }
  /** Sealing, or opening again. `share` of what was to be done is done, 0 to 1; null: not known. */
  | {
      readonly type: 'moving';
      readonly isOn: boolean;
      /** With a new key. */
      readonly isAnew: boolean;
      readonly share: number | null;
    }
  | {
      readonly type: 'overview';
      readonly isOn: boolean;
      /** There is a key, of now or of before encryption was turned off. */
      readonly hasKeys: boolean;
      readonly isOpen: boolean;
      /** This device has the key of before. */
      readonly isOutdated: boolean;
      readonly hasPassphrase: boolean;
      readonly hasPasskey: boolean;
      readonly devices: readonly KeyDevice[];
      /** This browser knows passkeys. */
      readonly knowsPasskeys: boolean;
      /** Names of lists that others can read, or are about to: these aren't encrypted. */
      readonly shared: readonly string[];
      /** Names of encrypted lists that the person is in. */
      readonly kept: readonly string[];
      /** What the server did that no server should, said once. */
      readonly warning: string | null;
      readonly said: string | null;
    };

/** The dialog of encryption. */
export interface SealingView {
  readonly step: SealingStep;
  readonly busy: boolean;
}

/** An action in a step that gives the key to another device, or gets it. `read`: what stands in the picture of the other one. */
export type PairingAction =
  | { readonly action: 'same' | 'different' | 'scan' }
  | { readonly action: 'choose'; readonly id: Id }
  | { readonly action: 'read'; readonly text: string };

/** An action in the dialog. `next` is what its step came for. */
export type SealingAction =
  | { readonly action: 'next' | 'back' | 'copy' | 'save' | 'export' }
  | { readonly action: 'turnOn' | 'turnOff' | 'unlock' | 'newCode' | 'passphrase' | 'ask' | 'give' }
  | { readonly action: 'rotate' | 'forget' }
  /** To turn encryption on without the key of before. */
  | { readonly action: 'newKey' }
  | { readonly action: 'removePassphrase' | 'addPasskey' | 'removePasskeys' | 'usePasskey' }
  | PairingAction
  | { readonly action: 'send'; readonly values: FormValues };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly sealing: { readonly view: { readonly sealing: SealingView }; readonly action: SealingAction };
  }
}
