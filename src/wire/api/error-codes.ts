// The codes by which a server says why it refuses something. Their statuses are server/http/answer.ts.
import type { SyncErrorCode } from '../sync.ts';

/** Codes of refusals. Clients branch on them, so a code never changes its meaning. */
export type ErrorCode =
  | SyncErrorCode
  | 'unauthorized'
  | 'wrong_credentials'
  | 'account_disabled'
  | 'otp_required'
  | 'confirm_first'
  | 'email_unconfirmed'
  | 'forbidden'
  | 'wrong_origin'
  | 'not_found'
  | 'method_not_allowed'
  | 'email_taken'
  | 'conflict'
  | 'encrypted'
  | 'moved'
  | 'unfinished'
  | 'unsupported_media_type'
  | 'upgrade_required'
  | 'rate_limited'
  | 'storage_full'
  | 'quota_reached'
  /** The plan of the account has lapsed: what makes new things waits until it is paid again. */
  | 'payment_required'
  | 'internal';
