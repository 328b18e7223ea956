// View of the account dialog.
import type { FormValues } from '../dialogs/form-values.ts';
import type { ApiTokens, PromoRedemption, SafetyState } from './port.ts';

/** The step of the account dialog that asks for something. */
export type SafetyStepView =
  | { readonly type: 'password' | 'email' | 'erase' | 'passkey'; readonly error: string | null }
  | { readonly type: 'confirm'; readonly wantsCode: boolean; readonly error: string | null }
  | { readonly type: 'emailCode'; readonly email: string; readonly error: string | null }
  | { readonly type: 'codes'; readonly secret: string; readonly uri: string; readonly error: string | null }
  | {
      readonly type: 'recovery';
      readonly codes: readonly string[];
      /** The person tried to close it without confirming that the codes are saved. */
      readonly isAsked: boolean;
    }
  | {
      readonly type: 'tokens';
      readonly tokens: ApiTokens;
      readonly said: string | null;
      readonly error: string | null;
    }
  | {
      readonly type: 'promo';
      /** The code that the account has redeemed; null: it may redeem one. */
      readonly redemption: PromoRedemption | null;
      /** The initial content of the field. */
      readonly code: string;
      readonly error: string | null;
    }
  | { readonly type: 'newToken'; readonly error: string | null }
  | { readonly type: 'token'; readonly token: string; readonly isCopied: boolean };

/** Forms, named by their effect. */
export type SafetyForm =
  | 'confirm'
  | 'setPassword'
  | 'setEmail'
  | 'proveEmail'
  | 'confirmCodes'
  | 'addPasskey'
  | 'makeToken'
  | 'redeem'
  | 'eraseNow';

/** An action in the account dialog. */
export type SafetyAction =
  /** Returns from a step to the account. */
  | { readonly action: 'back' }
  /** Opens a form. */
  | { readonly action: 'password' | 'email' | 'passkey' | 'erase' | 'newToken' }
  | { readonly action: 'tokens' | 'promo' | 'confirmPasskey' }
  /** Asks the server, and shows the next step. */
  | { readonly action: 'verifyEmail' | 'codes' | 'codesOff' | 'recovery' }
  /** `id`: of the passkey or the token. */
  | { readonly action: 'removePasskey' | 'endToken'; readonly id: string }
  | { readonly action: SafetyForm; readonly values: FormValues };

/** The account dialog: the safety settings, and the current step. */
export interface SafetyView {
  /** Null until the server has answered. */
  readonly state: SafetyState | null;
  /** Why there is no state; null: there is one. */
  readonly problem: string | null;
  readonly hasPasskeys: boolean;
  readonly step: SafetyStepView | null;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}
