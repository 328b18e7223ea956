// The server's port for account safety, as values. The platform implements it in web/platform/account/safety-port.ts.
import type { Result } from '#core/result.ts';
import type { PromoTerms, Redemption } from '#wire/api/promo.ts';
import type { Security, TokenList } from '#wire/security.ts';

/** The safety settings of the account, as the server reports them. */
export type SafetyState = Omit<Security, 'success'>;
export type ApiTokens = TokenList['tokens'];
/** The promo code that the account has redeemed. */
export type PromoRedemption = Redemption;
export type TokenAccess = ApiTokens[number]['access'];

/** Why a request failed, with a sentence for the person. */
export interface SafetyFailure {
  /** `confirm`: identity must be confirmed first. `code`: a one-time code is required too. */
  readonly type: 'confirm' | 'code' | 'offline' | 'refused';
  readonly message: string;
}

/** Result of a request; failures are values. */
export type Outcome<T> = Result<T, SafetyFailure>;

/**
 * Requests about the account's safety. Those that need a recent confirmation fail with `confirm` until `confirm` or
 * `confirmByPasskey` succeeded.
 */
export interface SafetyPort {
  /** False if the browser has no passkeys, or the page came over plain HTTP from another machine. */
  readonly hasPasskeys: boolean;
  state(): Promise<Outcome<SafetyState>>;
  /** `code` may be empty. */
  confirm(password: string, code: string): Promise<Outcome<void>>;
  confirmByPasskey(): Promise<Outcome<void>>;
  /** `endsTokens`: also revokes all API tokens. */
  setPassword(password: string, endsTokens: boolean): Promise<Outcome<void>>;
  askEmail(email: string): Promise<Outcome<string>>;
  proveEmail(code: string): Promise<Outcome<string>>;
  beginCodes(): Promise<Outcome<{ readonly secret: string; readonly uri: string }>>;
  confirmCodes(code: string): Promise<Outcome<readonly string[]>>;
  endCodes(): Promise<Outcome<void>>;
  renewRecovery(): Promise<Outcome<readonly string[]>>;
  addPasskey(name: string): Promise<Outcome<void>>;
  removePasskey(id: string): Promise<Outcome<void>>;
  tokens(): Promise<Outcome<ApiTokens>>;
  /** Resolves with the token itself, which is shown only this once. */
  makeToken(name: string, access: TokenAccess): Promise<Outcome<string>>;
  endToken(id: string): Promise<Outcome<void>>;
  /** The code that this account redeemed; null: none yet. */
  promo(): Promise<Outcome<Redemption | null>>;
  redeemPromo(code: string): Promise<Outcome<Redemption | null>>;
  /** The value of a code, also without an account; null: no such code, or it has expired. */
  promoTerms(code: string): Promise<Outcome<PromoTerms | null>>;
  /** Schedules erasing; resolves with its time. Signing in before that cancels it. All sessions are over. */
  erase(): Promise<Outcome<number>>;
}
