// The shape of a route. Every route of the server is a row of one table, and a row without an access rule does not compile;
// tests are generated from the table. Not here: the table (app.ts) and the steps around a handler (pipeline.ts).
import type { AccountActor, Actor, RouteRule, TokenAccess } from '../access/authorise.ts';
import type { Client } from '../accounts/accounts.ts';
import type { FoundSession } from '../accounts/sessions.ts';
import type { RateName } from '../limits/rates.ts';
import type { HeaderKind } from './headers.ts';
import type { TextAnswer } from './text-answer.ts';

/** The credential a route reads, and who may use it. A route reads this one carrier and ignores the other. */
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
  /**
   * For GET: parameters that some programs send in a body instead of the address. They are read as if they were in the
   * address.
   */
  | { readonly type: 'parameters'; readonly maxBytes: number }
  /** A form sent without scripts: names and texts; of repeated names the last counts. */
  | { readonly type: 'form'; readonly maxBytes: number }
  /** The bytes as they came, of any type, for what is signed as it was sent: a Uint8Array. */
  | { readonly type: 'raw'; readonly maxBytes: number }
  /** Passed on as it arrives, for content that is not held in memory. Only the declared length is checked. */
  | { readonly type: 'stream'; readonly maxBytes: number }
  /**
   * `gzip`: may also be compressed; the limit applies before and after. `isNamedAnyhow`: any Content-Type is accepted, for
   * endpoints without a cookie, which foreign pages cannot abuse.
   */
  | {
      readonly type: 'json';
      readonly maxBytes: number;
      readonly gzip?: boolean;
      readonly isNamedAnyhow?: true;
    };

/** One request, checked by the pipeline, as its handler receives it. */
export interface RouteCall {
  readonly request: Request;
  readonly url: URL;
  /** Matched parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Parsed JSON, or a stream of bytes; undefined if the route takes no body or it was empty. */
  readonly body: unknown;
  readonly actor: Actor;
  /** The actor's session; null for an anonymous actor. */
  readonly session: FoundSession | null;
  readonly client: Client;
  /** Milliseconds since the request began to arrive. */
  waitedMs(): number;
  /**
   * Asks again who asks, for a route that reads its body itself and so may end long after it began. Null: who asked still
   * may; else the refusal.
   */
  refusedNow(): Promise<Response | null>;
  /** The actor of a route whose rule requires an account. */
  account(): AccountActor;
}

/** The change of the session cookie with an answer. */
export type CookieChange = 'keep' | 'remove' | { readonly token: string };

/** A style sheet and a script of the build, as they stand in a page. */
export interface Inline {
  readonly style: string;
  /** Null: there is none. */
  readonly script: string | null;
}

/** A response with its change of the cookie; handlers that return the response alone keep the cookie. */
export interface Answer {
  readonly response: Response | TextAnswer;
  readonly cookie: CookieChange;
  /** What stands in the page itself: the policy allows these. */
  readonly inline?: Inline;
  /** Its security headers, where they are not those of its route. */
  readonly headers?: HeaderKind;
}

/** What a handler returns. */
export type Handled = Response | TextAnswer | Answer;

/** The `steps` of what changes an account in several ways. */
export const inPart = 'We may have done only part of what you asked. Check your account.';

/** One row of the table of routes: address, permission, limits and handler. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** In the router's own syntax: `/app/api/sessions/:id`, `/app/*`. */
  readonly path: string;
  readonly access: RouteAccess;
  /** The host that serves it when hosts are split. */
  readonly site: 'app' | 'api' | 'public' | 'any';
  /** Counted per account before the body is read; null: no limit, or counted by the handler. */
  readonly limit: RateName | null;
  readonly body: BodyRule;
  /** It makes new things for its account: a lapsed plan (billing/lapse.ts) is answered 402. */
  readonly adds?: true;
  /** Whether answers are compressed; never where a secret and text from the request could be in the same answer. */
  readonly compress: boolean;
  /** The answer depends on address, host and accepted encodings alone, so it may be cached briefly (kept-answers.ts). */
  readonly isKept?: true;
  /**
   * What it does is several writes: when one fails, those before it stand. The sentence says what to look at then. Absent:
   * one write, so that nothing was changed.
   */
  readonly steps?: string;
  readonly handle: (call: RouteCall) => Promise<Handled> | Handled;
  /** What a person sees instead of a refusal or a failure; null: the refusal itself, as for programs. */
  readonly shown?: (request: Request) => Response | null;
}
