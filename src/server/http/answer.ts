// The form of answers: `{success: true, …}`, or a refusal with a code from one closed list and its status.
// The status table of the whole server is here.
import { bodyText } from '#api/kept-texts.ts';
import type { ErrorCode } from '#wire/api/error-codes.ts';
import { TextAnswer } from './text-answer.ts';

const statusByCode: Readonly<Record<ErrorCode, number>> = {
  unauthorized: 401,
  signed_out: 401,
  wrong_credentials: 401,
  otp_required: 401,
  payment_required: 402,
  account_disabled: 403,
  confirm_first: 403,
  email_unconfirmed: 403,
  forbidden: 403,
  wrong_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  conflict: 409,
  encrypted: 409,
  moved: 409,
  unfinished: 409,
  device_conflict: 409,
  too_large: 413,
  quota_reached: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_new: 426,
  too_old: 426,
  upgrade_required: 426,
  rate_limited: 429,
  internal: 500,
  busy: 503,
  storage_full: 507,
};

/** 308 is permanent. Never cached, so that it can be changed. */
export const redirect = (status: 302 | 308, location: string): Response =>
  new Response(null, { status, headers: { location, 'cache-control': 'no-cache' } });

export interface RefusalOptions {
  /** The field of the body concerned. */
  readonly field?: string;
  readonly retryAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What else the body says. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** A 200 answer with `success: true` added to the body. */
export function success(
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ success: true, ...body }), {
    headers: { 'content-type': JSON_TYPE, ...headers },
  });
}

/** As `success`, for the answers that programs ask for most. */
export function quickSuccess(body: Readonly<Record<string, unknown>>, status: 200 | 202 = 200): TextAnswer {
  return new TextAnswer(bodyText({ success: true, ...body }), status, { 'content-type': JSON_TYPE });
}

/** A body without `success`: the replication routes. */
export function plainJson(body: unknown): TextAnswer {
  return new TextAnswer(JSON.stringify(body), 200, { 'content-type': JSON_TYPE });
}

/** A refusal with its status. `message` is shown to people; programs read `code`. `retryAfterMs` becomes Retry-After. */
export function refusal(code: ErrorCode, message: string, options: RefusalOptions = {}): Response {
  const { field, retryAfterMs, headers, more } = options;
  const named = field === undefined ? {} : { field };
  const body = { success: false, error: message, message, code, ...named, ...more };
  return new Response(JSON.stringify(body), {
    status: statusByCode[code],
    headers: {
      'content-type': JSON_TYPE,
      ...(retryAfterMs === undefined
        ? {}
        : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }),
      ...headers,
    },
  });
}
