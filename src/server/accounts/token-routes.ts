// The app's endpoints for the tokens of the public API: created with a name and a scope, shown once, listed, ended. What
// tokens may do is server/api; their storage is sessions.ts.
import { must } from '#core/assert.ts';
import { newTokenSchema, type TokenList } from '#wire/security.ts';
import { refusal, success } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { SecurityEvents } from './security-events.ts';
import type { Sessions } from './sessions.ts';

export interface TokenRoutePorts {
  readonly sessions: Pick<Sessions, 'admit' | 'alive' | 'list' | 'revoke'>;
  readonly events: SecurityEvents;
}

/** More than any one person's programs need. */
const MOST_TOKENS = 50;
const BODY_BYTES = 4_096;

/** Routes to create, list and end API tokens. */
export function tokenRoutes({ sessions, events }: TokenRoutePorts): readonly Route[] {
  async function tokensOf(account: number): Promise<TokenList['tokens']> {
    const known = await sessions.list(account);
    return known
      .filter(({ kind }) => kind === 'api')
      .map(({ id, name, access, created_at: createdAt, last_used_at: usedAt }) => ({
        id,
        name: name === 'Unknown' ? '' : name,
        access,
        createdAt,
        lastUsedAt: usedAt > createdAt ? usedAt : null,
      }));
  }

  async function list(call: RouteCall): Promise<Response> {
    return success({ tokens: await tokensOf(call.account().account) });
  }

  async function create(call: RouteCall): Promise<Response> {
    const read = newTokenSchema.safeParse(call.body);
    if (!read.success) {
      const field = String(read.error.issues[0]?.path[0] ?? 'body');
      return refusal('invalid', `"${field}" is missing or invalid.`, { field });
    }
    const { account, session: asking } = call.account();
    if ((await tokensOf(account)).length >= MOST_TOKENS)
      return refusal('invalid', `You already have ${MOST_TOKENS} tokens. Revoke one first.`);
    const { userAgent, network } = call.client;
    const { access } = read.data;
    const name = read.data.name.trim();
    const version = must(call.session, 'a route that demands an account has a session').account.entry_version;
    const wanted = { account, kind: 'api', userAgent, access, name, isLasting: true } as const;
    const opened = await sessions.admit(wanted, version);
    // Asked after it is stored: what ends everything at this moment has either ended it or is seen here.
    if (opened === null || !(await sessions.alive([asking])).has(asking)) {
      if (opened !== null) await sessions.revoke([opened.session.id]);
      return refusal('signed_out', 'Sign in first.');
    }
    await events.record({ type: 'signed_in', account, detail: { kind: 'api', network, by: 'token' } });
    return success({ token: opened.token, id: opened.session.id });
  }

  const common = { site: 'app', path: '/app/api/tokens', limit: null, compress: false } as const;
  return [
    {
      ...common,
      method: 'GET',
      access: { carrier: 'cookie', rule: { type: 'account', kind: 'web' } },
      body: { type: 'none' },
      handle: list,
    },
    {
      ...common,
      method: 'POST',
      access: { carrier: 'cookie', rule: { type: 'account', kind: 'web', confirmed: true } },
      body: { type: 'json', maxBytes: BODY_BYTES },
      handle: create,
    },
  ];
}
