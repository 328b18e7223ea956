// What the account's own safety asks of the server, as values. The platform's part is web/platform/safety-port.ts.
import type { Redemption } from '#wire/promo.ts';
import type { Security, TokenList } from '#wire/security.ts';

export type SafetyState = Omit<Security, 'success'>;
export type ApiTokens = TokenList['tokens'];
export type PromoRedemption = Redemption;
export type TokenAccess = ApiTokens[number]['access'];

export interface SafetyFailure {
  /** `confirm`: a fresh proof of who one is is wanted first. `code`: a one-time code is wanted too. */
  readonly type: 'confirm' | 'code' | 'offline' | 'refused' | 'cancelled';
  readonly message: string;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: SafetyFailure };

export interface SafetyPort {
  /** False where the browser has no passkeys, or the page came over plain HTTP from another machine. */
  readonly hasPasskeys: boolean;
  state(): Promise<Outcome<SafetyState>>;
  /** `code` empty: none was given. */
  confirm(password: string, code: string): Promise<Outcome<void>>;
  confirmByPasskey(): Promise<Outcome<void>>;
  setPassword(password: string): Promise<Outcome<void>>;
  askEmail(email: string): Promise<Outcome<string>>;
  proveEmail(code: string): Promise<Outcome<string>>;
  beginCodes(): Promise<Outcome<{ readonly secret: string; readonly uri: string }>>;
  confirmCodes(code: string): Promise<Outcome<readonly string[]>>;
  endCodes(): Promise<Outcome<void>>;
  renewRecovery(): Promise<Outcome<readonly string[]>>;
  addPasskey(name: string): Promise<Outcome<void>>;
  removePasskey(id: string): Promise<Outcome<void>>;
  tokens(): Promise<Outcome<ApiTokens>>;
  /** The token itself, which is shown this once. */
  makeToken(name: string, access: TokenAccess): Promise<Outcome<string>>;
  endToken(id: string): Promise<Outcome<void>>;
  /** What this account redeemed; null: nothing yet. */
  promo(): Promise<Outcome<Redemption | null>>;
  redeemPromo(code: string): Promise<Outcome<Redemption | null>>;
  /** When the account is erased unless somebody signs in before. All its sessions are over. */
  erase(): Promise<Outcome<number>>;
}
