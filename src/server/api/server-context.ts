// What the calls of the public API need that only a server can answer.
import type { HandlerContext } from '#api/handler-context.ts';
import type { ApiPorts } from '#api/ports.ts';
import type { Calendars } from '../calendars/calendars.ts';
import type { Config } from '../config.ts';
import type { MacroRuns } from '../macro-runs/runs.ts';
import type { ManagedLinks } from '../public-links/public-links.ts';

interface OfServer {
  readonly publicLinks: { readonly managed: ManagedLinks };
  readonly macroRuns: MacroRuns;
  readonly calendars: Pick<Calendars, 'sources'>;
  readonly config: Pick<Config, 'publicUrl' | 'billing'>;
}

/** The ports of all calls. */
export type ServerApiPorts = ApiPorts & OfServer;

/** Shared by the handlers of a server. */
export type ServerContext = HandlerContext & OfServer;
