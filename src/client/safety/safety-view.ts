// What the dialog of the account's safety draws.
import type { ApiTokens, PromoRedemption, SafetyState } from './port.ts';

/** What is being asked for in the dialog of the account's safety. */
export type SafetyStepView =
  | { readonly type: 'password' | 'email' | 'erase' | 'passkey'; readonly error: string | null }
  | { readonly type: 'confirm'; readonly wantsCode: boolean; readonly error: string | null }
  | { readonly type: 'emailCode'; readonly email: string; readonly error: string | null }
  | { readonly type: 'codes'; readonly secret: string; readonly uri: string; readonly error: string | null }
  | { readonly type: 'recovery'; readonly codes: readonly string[] }
  | {
      readonly type: 'tokens';
      readonly tokens: ApiTokens;
      readonly said: string | null;
      readonly error: string | null;
    }
  | {
      readonly type: 'promo';
      /** What the account has redeemed; null: it may redeem one. */
      readonly redemption: PromoRedemption | null;
      /** What the field begins with. */
      readonly code: string;
      readonly error: string | null;
    }
  | { readonly type: 'newToken'; readonly error: string | null }
  | { readonly type: 'token'; readonly token: string; readonly isCopied: boolean };

export interface SafetyView {
  /** Null until the server has said it. */
  readonly state: SafetyState | null;
  /** Why there is none. */
  readonly problem: string | null;
  readonly hasPasskeys: boolean;
  readonly step: SafetyStepView | null;
  readonly busy: boolean;
  readonly said: { readonly text: string; readonly isError: boolean } | null;
}
