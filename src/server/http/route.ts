// What a route is. Every route of the server is a row of one table, and a row without an access rule does not compile;
// tests are generated from the table. Not here: the table (app.ts) and what happens around a handler (pipeline.ts).
import type { AccountActor, Actor, RouteRule, TokenAccess } from '../access/authorise.ts';
import type { Client } from '../accounts/accounts.ts';
import type { FoundSession } from '../accounts/sessions.ts';
import type { RateName } from '../limits/rates.ts';

/** What a request is identified by, and who may come with it. A route reads this one carrier and ignores the other. */
export type RouteAccess =
  | {
      readonly carrier: 'cookie';
      readonly rule:
        | Extract<RouteRule, { type: 'anybody' }>
        | { readonly type: 'account'; readonly kind: 'web'; readonly confirmed?: true };
    }
  | {
      readonly carrier: 'bearer';
      readonly rule:
        | Extract<RouteRule, { type: 'anybody' }>
        | { readonly type: 'account'; readonly kind: 'api'; readonly access: TokenAccess };
    }
  | { readonly carrier: 'none'; readonly rule: Extract<RouteRule, { type: 'anybody' | 'this-machine' }> };

export type BodyRule =
  | { readonly type: 'none' }
  /** What a form sends without scripts: names and texts; of several with one name the last. */
  | { readonly type: 'form'; readonly maxBytes: number }
  /** Handed on as it arrives, for content that is not held in memory. The limit is checked by the stated length only. */
  | { readonly type: 'stream'; readonly maxBytes: number }
  /**
   * `gzip`: may also come compressed; the limit holds before and after. `isNamedAnyhow`: what the request calls it does not
   * matter, for doors without a cookie, to which no foreign page can add anything.
   */
  | {
      readonly type: 'json';
      readonly maxBytes: number;
      readonly gzip?: boolean;
      readonly isNamedAnyhow?: true;
    };

export interface RouteCall {
  readonly request: Request;
  readonly url: URL;
  /** Matched parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON, or a stream of bytes; undefined where the route takes no body, or an empty one came. */
  readonly body: unknown;
  readonly actor: Actor;
  /** The session behind the actor; null for an anonymous one. */
  readonly session: FoundSession | null;
  readonly client: Client;
  /** The actor of a route whose rule demands an account. */
  account(): AccountActor;
}

/** What becomes of the session cookie with an answer. */
export type CookieChange = 'keep' | 'remove' | { readonly token: string };

export interface Answer {
  readonly response: Response;
  readonly cookie: CookieChange;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In the router's own notation: `/app/api/sessions/:id`, `/app/*`. */
  readonly path: string;
  readonly access: RouteAccess;
  /** Which host answers it when hosts are split. */
  readonly site: 'app' | 'api' | 'public' | 'any';
  /** Counted per account before the body is read; null: not limited, or by the handler itself. */
  readonly limit: RateName | null;
  readonly body: BodyRule;
  /** Whether answers are compressed; never where a secret and text from the request may stand in one answer. */
  readonly compress: boolean;
  /** The answer depends on address, host and accepted encodings alone: it may be kept for a moment (kept-answers.ts). */
  readonly isKept?: true;
  readonly handle: (call: RouteCall) => Promise<Response | Answer> | Response | Answer;
  /** What a person is shown in place of a refusal or a failure; null: the refusal itself, as for programs. */
  readonly shown?: (request: Request) => Response | null;
}
