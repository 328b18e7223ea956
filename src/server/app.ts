// The table of all routes, and the router made from it. A path in the table answers other methods with 405; everything else
// is 404. Every HTTP answer of the server comes from a row here.
import { Hono } from 'hono';
import { accountRoutes, type AccountRoutePorts } from './accounts/routes.ts';
import { securityRoutes, type SecurityRoutePorts } from './accounts/security-routes.ts';
import type { ServerApiPorts } from './api/server-context.ts';
import { routesOfCopies } from './api/copy-routes.ts';
import { apiRoutes } from './api/routes.ts';
import { tokenRoutes } from './accounts/token-routes.ts';
import { partnerRoutes } from './billing/partner-page.ts';
import { billingRoutes, type BillingRoutePorts } from './billing/routes.ts';
import { fileRoutes, type FileRoutePorts } from './files/routes.ts';
import { refusal } from './http/answer.ts';
import { deviceRoutes, type DeviceRoutePorts } from './http/device-routes.ts';
import { historyRoutes } from './http/history-routes.ts';
import { pageRoutes, type PageRoutePorts } from './http/page-routes.ts';
import { calendarRoutes, type CalendarRoutePorts } from './calendars/routes.ts';
import { googleRoutes } from './calendars/google/routes.ts';
import { feedRoutes } from './calendars/feed-routes.ts';
import { pushRoutes, type PushRoutePorts } from './http/push-routes.ts';
import { createPipeline, type PipelinePorts } from './http/pipeline.ts';
import type { Route } from './http/route.ts';
import { syncRoutes } from './http/sync-routes.ts';
import { siteCallRoutes, type SiteCallPorts } from './site/call-routes.ts';
import { promoRoutes } from './site/promo-routes.ts';
import { siteFormRoutes, type SiteFormPorts } from './site/form-routes.ts';
import { sitePageRoutes, type SitePagePorts } from './site/page-routes.ts';
import { trashRoutes, type TrashRoutePorts } from './http/trash-routes.ts';
import { publicLinkRoutes, type PublicLinkRoutePorts } from './public-links/routes.ts';
import { visitorRoutes } from './public-links/visitor-routes.ts';
import type { PublicLinkService } from './public-links/service.ts';
import { sealingRoutes, type SealingRoutePorts } from './sealing/routes.ts';
import { sharingRoutes, type SharingRoutePorts } from './sharing/routes.ts';
import { macroRunRoutes } from './macro-runs/routes.ts';
import { pairingRoutes, type PairingRoutePorts } from './pairing/routes.ts';
import { mailRoutes, type MailRoutePorts } from './mail/routes.ts';
import type { Store } from './data/store.ts';
import type { Exchange } from './sync/exchange.ts';

export interface AppPorts
  extends
    PipelinePorts,
    AccountRoutePorts,
    SecurityRoutePorts,
    FileRoutePorts,
    PageRoutePorts,
    DeviceRoutePorts,
    CalendarRoutePorts,
    PushRoutePorts,
    TrashRoutePorts,
    MailRoutePorts,
    SealingRoutePorts,
    SharingRoutePorts,
    PublicLinkRoutePorts,
    PairingRoutePorts,
    SitePagePorts,
    SiteCallPorts,
    BillingRoutePorts,
    SiteFormPorts {
  readonly billing: BillingRoutePorts['billing'];
  readonly accounts: AccountRoutePorts['accounts'];
  readonly sharing: SharingRoutePorts['sharing'];
  readonly sessions: AccountRoutePorts['sessions'];
  readonly metrics: AccountRoutePorts['metrics'];
  readonly exchange: Exchange;
  readonly events: AccountRoutePorts['events'];
  readonly clock: PipelinePorts['clock'];
  readonly hasRoom: () => boolean;
  readonly publicLinks: PublicLinkService;
  readonly store: Store;
  readonly api: Omit<
    ServerApiPorts,
    'plans' | 'searching' | 'store' | 'clock' | 'fileLinks' | 'publicLinks' | 'calendars' | 'config'
  >;
}

export function createRoutes(ports: AppPorts): readonly Route[] {
  const ofDevices = [...syncRoutes(ports), ...sealingRoutes(ports), ...pairingRoutes(ports)];
  return [
    ...accountRoutes(ports),
    ...securityRoutes(ports),
    ...fileRoutes(ports),
    ...tokenRoutes(ports),
    ...deviceRoutes(ports),
    ...ofDevices,
    ...routesOfCopies(ofDevices),
    ...historyRoutes(ports),
    ...promoRoutes(ports),
    ...billingRoutes(ports),
    ...partnerRoutes(ports),
    ...trashRoutes(ports),
    ...mailRoutes(ports),
    ...sharingRoutes(ports),
    ...publicLinkRoutes(ports),
    ...macroRunRoutes(ports.api),
    ...visitorRoutes({ ...ports, ...ports.publicLinks, newId: ports.api.newId }),
    ...calendarRoutes(ports),
    ...googleRoutes(ports),
    ...feedRoutes({ ...ports, reads: ports.api.reads }),
    ...pushRoutes(ports),
    ...apiRoutes({ ...ports, ...ports.api }),
    ...pageRoutes(ports),
    ...siteCallRoutes(ports),
    ...siteFormRoutes(ports),
    ...sitePageRoutes(ports),
  ];
}

/** A handler for everything outside the table, for any method. */
function fallback(path: string, handle: Route['handle']): Route {
  return {
    method: 'GET',
    path,
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'any',
    limit: null,
    body: { type: 'none' },
    compress: false,
    handle,
  };
}

const missing = fallback('(none)', () => refusal('not_found', "There's nothing at this address."));

/** Allows pages of other origins to send a preflight and to read the 404. */
const missingInApi: Route = {
  ...fallback('(none of the API)', ({ request }) =>
    request.method === 'OPTIONS'
      ? preflight('GET, HEAD, POST, PATCH, DELETE, OPTIONS')
      : refusal('not_found', "There's nothing at this address."),
  ),
  site: 'api',
};

function preflight(allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      allow,
      'access-control-allow-methods': allow,
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '7200',
    },
  });
}

function wrongMethod(routes: readonly Route[], path: string): Route {
  const known = routes.filter((route) => route.path === path);
  const methods = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const isApi = known.some(({ site }) => site === 'api');
  const allow = [...new Set(isApi ? [...methods, 'OPTIONS'] : methods)].join(', ');
  return {
    ...fallback(path, ({ request }) =>
      isApi && request.method === 'OPTIONS'
        ? preflight(allow)
        : refusal('method_not_allowed', `This address only takes ${allow}.`, { headers: { allow } }),
    ),
    site: known[0]?.site ?? 'any',
  };
}

export function createHttpApp(ports: AppPorts, routes: readonly Route[] = createRoutes(ports)): Hono {
  const run = createPipeline(ports);
  const app = new Hono();
  const isWild = ({ path }: Route) => path.includes('*');
  // Wildcards come last, so that they only match what nothing else answers.
  const ordered = [...routes.filter((route) => !isWild(route)), ...routes.filter(isWild)];
  const paths = [...new Set(ordered.map(({ path }) => path))];
  const firstWild = paths.find((path) => path.includes('*'));
  for (const path of paths) {
    if (path === firstWild) app.all('/api/*', (context) => run(context, missingInApi));
    if (path === '/app/*') app.all('/app/api/*', (context) => run(context, missing));
    for (const route of ordered.filter((candidate) => candidate.path === path))
      app.on(route.method, route.path, (context) => run(context, route));
    // For paths outside the table every method is 404.
    if (path === '/*') continue;
    const other = wrongMethod(routes, path);
    app.all(path, (context) => run(context, other));
  }
  const { apiHost } = ports.config;
  app.notFound((context) => run(context, new URL(context.req.url).host === apiHost ? missingInApi : missing));
  return app;
}
