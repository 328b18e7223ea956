// Routes for programs that hold a copy of their account (wire/api/copy.ts): those of devices at other addresses, for API tokens. They do
// nothing that the routes of devices don't. What changes rows is decided operation by operation, so a token for reading can push nothing.
// Turning encryption on and off, new keys, ways to the key and giving it away stay with devices: the first of them ask for the person, whom no
// token is confirmed to be.
import { must } from '#core/assert.ts';
import { copyRoutes, type CopySelf } from '#wire/api/copy.ts';
import type { TokenAccess } from '../access/authorise.ts';
import { plainJson } from '../http/answer.ts';
import type { Route, RouteCall } from '../http/route.ts';
import type { TextAnswer } from '../http/text-answer.ts';

interface Offered {
  readonly method: 'GET' | 'POST';
  /** Of the route of devices. */
  readonly of: string;
  readonly path: string;
  readonly access: TokenAccess;
}

/** Where a list that stays encrypted is, for devices and here. */
const OF_LIST = '/sealing/v1/lists/:scope';
const LIST = `${copyRoutes.lists}/:scope`;

const offered: readonly Offered[] = [
  { method: 'POST', of: '/sync/v1', path: copyRoutes.sync, access: 'read' },
  { method: 'GET', of: '/snapshot/v1/:scope', path: `${copyRoutes.snapshot}/:scope`, access: 'read' },
  { method: 'GET', of: '/sealing/v1', path: copyRoutes.sealing, access: 'read' },
  { method: 'POST', of: '/sealing/v1/directory', path: copyRoutes.directory, access: 'write' },
  { method: 'POST', of: '/sealing/v1/step', path: copyRoutes.step, access: 'write' },
  { method: 'GET', of: '/sealing/v1/left', path: copyRoutes.left, access: 'read' },
  { method: 'POST', of: '/sealing/v1/reencode', path: copyRoutes.reencode, access: 'write' },
  { method: 'GET', of: OF_LIST, path: LIST, access: 'read' },
  { method: 'POST', of: `${OF_LIST}/directory`, path: `${LIST}/directory`, access: 'write' },
  { method: 'GET', of: `${OF_LIST}/left`, path: `${LIST}/left`, access: 'read' },
  { method: 'POST', of: `${OF_LIST}/reencode`, path: `${LIST}/reencode`, access: 'write' },
  { method: 'GET', of: `${OF_LIST}/members`, path: `${LIST}/members`, access: 'read' },
  { method: 'POST', of: '/sealing/v1/identity', path: copyRoutes.identity, access: 'write' },
  { method: 'POST', of: '/app/api/pairings', path: copyRoutes.pairings, access: 'read' },
  { method: 'GET', of: '/app/api/pairings/:id', path: `${copyRoutes.pairings}/:id`, access: 'read' },
  {
    method: 'POST',
    of: '/app/api/pairings/:id/reveal',
    path: `${copyRoutes.pairings}/:id/reveal`,
    access: 'read',
  },
  {
    method: 'POST',
    of: '/app/api/pairings/:id/refuse',
    path: `${copyRoutes.pairings}/:id/refuse`,
    access: 'read',
  },
  {
    method: 'POST',
    of: '/app/api/pairings/:id/taken',
    path: `${copyRoutes.pairings}/:id/taken`,
    access: 'read',
  },
];

const accessOf = (access: TokenAccess) =>
  ({ carrier: 'bearer', rule: { type: 'account', kind: 'api', access } }) as const;

function self(call: RouteCall): Response | TextAnswer {
  const { account, personalScope: scope, access = 'write' } = call.account();
  const said: CopySelf = { account, scope, access, accountSince: call.session?.account.created_at ?? 0 };
  return plainJson(said);
}

/** The routes, made from those of devices. */
export function routesOfCopies(routes: readonly Route[]): readonly Route[] {
  const made = offered.map(({ method, of, path, access }): Route => {
    const route = must(
      routes.find((each) => each.method === method && each.path === of),
      'a route of devices is there',
    );
    return {
      ...route,
      path: `/api${path}`,
      access: accessOf(access),
      site: 'api',
      limit: route.limit ?? 'copying',
    };
  });
  const own: Route = {
    method: 'GET',
    path: `/api${copyRoutes.self}`,
    access: accessOf('read'),
    site: 'api',
    limit: 'copying',
    body: { type: 'none' },
    compress: false,
    handle: self,
  };
  return [own, ...made];
}
