// Public links of this server, put together: what is stored, what is shown, open pages, and what members do with links.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import type { GenerationRecord, Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import type { Bus } from '../live/bus.ts';
import type { SharedLists } from '../sharing/shared-lists.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { LinkStore } from './links.ts';
import { ListWindows } from './list-window.ts';
import { LogoStore } from './logo.ts';
import { ManagedLinks } from './public-links.ts';
import { Showing } from './showing.ts';
import { isSealedLink, sealedHead, sealedTasks } from './sealed-showing.ts';
import { Streams } from './streams.ts';

/** What public links need. */
export interface PublicLinkServicePorts {
  readonly db: Kysely<Tables>;
  readonly store: Store;
  readonly generations: readonly GenerationRecord[];
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly clock: Clock;
  readonly newId: () => Id;
  readonly sealing: Sealing;
  readonly bus: Bus;
  readonly links: LinkStore;
  readonly lists: Pick<SharedLists, 'see' | 'share'>;
  readonly events: Pick<SecurityEvents, 'record'>;
  readonly onError: (error: unknown) => void;
}

/** Everything about public links. */
export interface PublicLinkService {
  readonly links: LinkStore;
  readonly logos: LogoStore;
  readonly windows: ListWindows;
  readonly showing: Showing;
  readonly streams: Streams;
  readonly managed: ManagedLinks;
}

/** Public links on these ports. `streams.close` ends open pages. */
export function createPublicLinks(ports: PublicLinkServicePorts): PublicLinkService {
  const { db, links } = ports;
  const logos = new LogoStore(db);
  const windows = new ListWindows(ports);
  const showing = new Showing(ports.sealing);
  const streams = new Streams({
    ...ports,
    windows,
    news: (link, window, { changed, gone }) =>
      isSealedLink(link)
        ? { type: 'news', tasks: [...sealedTasks(link, window, changed)], gone: [...gone] }
        : {
            type: 'news',
            tasks: [...showing.tasks(link, window, changed)],
            gone: [...showing.idsOf(link.visitor.link).shown(gone)],
          },
    head: (link, window) =>
      isSealedLink(link)
        ? { type: 'list', sealed: sealedHead(link, window) }
        : { type: 'list', ...showing.list(link, window) },
  });
  const managed = new ManagedLinks({ ...ports, logos, openOf: (link) => streams.openOf(link) });
  return { links, logos, windows, showing, streams, managed };
}
