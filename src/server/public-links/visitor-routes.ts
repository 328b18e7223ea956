// What a visitor of a public link asks: the page, its tasks, the stream of what is new, its logo, and the five changes. The token in the
// address is all there is: no cookie is read or set, and it is looked up at every request.
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { visitorChangeSchema, type VisitorAnswer, type VisitorChange } from '#wire/public-links.ts';
import {
  sealedChangeSchema,
  type SealedAnswer,
  type SealedChange,
  type SealedTasks,
} from '#wire/public-page/sealed-links.ts';
import type { ErrorCode } from '#wire/api/error-codes.ts';
import { refusal, success } from '../http/answer.ts';
import type { Answer, Route, RouteCall } from '../http/route.ts';
import type { Limiter, RateName } from '../limits/rates.ts';
import { type Lapse, refuseNewIn } from '../billing/lapse.ts';
import type { SiteFiles } from '../site/site-files.ts';
import type { Exchange } from '../sync/exchange.ts';
import type { ListWindow, ListWindows } from './list-window.ts';
import type { LogoStore } from './logo.ts';
import type { Closed, LinkStore, OpenLink } from './links.ts';
import { closedPage, listPage, sealedPage, type PageFiles } from './page.ts';
import { isSealedLink, ownIds, sealedHead, sealedTasks } from './sealed-showing.ts';
import type { Showing } from './showing.ts';
import type { Streams } from './streams.ts';
import { visit, type VisitProblem } from './visits.ts';

/** What the visitor's calls need. */
export interface VisitorPorts {
  readonly links: LinkStore;
  readonly logos: LogoStore;
  readonly windows: ListWindows;
  readonly showing: Showing;
  readonly streams: Streams;
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly limiter: Limiter;
  readonly siteFiles: SiteFiles;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => Id;
  readonly hasRoom: () => boolean;
  /** Null: no plan ever lapses. */
  readonly billing: Lapse | null;
}

/** A link and its list, as a request found them. */
interface Open {
  readonly link: OpenLink;
  readonly window: ListWindow;
}

/** Search engines leave it out, nobody learns its address from it, nothing keeps it. */
const HEADERS = {
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const BODY_BYTES = 64 * 1024;
const FULL_RETRY_MS = 60_000;

const CLOSED = {
  ended: {
    code: 'not_found',
    title: 'There is no list here',
    text: 'This link doesn’t work: it was deleted, or its address is incomplete. Ask who sent it to you.',
  },
  paused: {
    code: 'forbidden',
    title: 'This list is paused',
    text: 'The person who shares this list paused the link. It may work again later; ask who sent it to you.',
  },
  outdated: {
    code: 'not_found',
    title: 'This link has ended',
    text: 'The list has a new key since this link was made, so it opens nothing anymore. Ask who sent it to you for a new link.',
  },
} as const satisfies Record<Closed, { code: ErrorCode; title: string; text: string }>;

const REFUSED = {
  gone: [
    'conflict',
    'That task is gone, or was moved. What you wrote is still here: copy it if you need it.',
  ],
  forbidden: ['forbidden', "This link doesn't allow that anymore."],
  too_deep: ['conflict', 'Tasks can’t be nested any deeper.'],
  invalid: ['invalid', 'That can’t be saved. Shorten it, and try again.'],
  stale: ['moved', 'Somebody else changed this note at the same time.'],
} as const satisfies Record<VisitProblem, readonly [ErrorCode, string]>;

/** A page with the style sheet and the first script of the build in it. */
function html(text: string, files: PageFiles | null, status = 200): Answer {
  const headers = { ...HEADERS, 'content-type': 'text/html; charset=utf-8' };
  const response = new Response(text, { status, headers });
  const inline = files && { style: files.style, script: files.start };
  return { response, cookie: 'keep', ...(inline === null ? {} : { inline }) };
}

/** As HTML for people, as JSON for the page's script. */
function marked(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

const closedAnswer = (why: Closed) => marked(refusal(CLOSED[why].code, CLOSED[why].text));

class VisitorCalls {
  readonly #ports: VisitorPorts;

  constructor(ports: VisitorPorts) {
    this.#ports = ports;
  }

  async page(call: RouteCall): Promise<Answer> {
    const { links, showing } = this.#ports;
    const files = await this.#files();
    const limited = await this.#limited('public_read', call);
    if (limited !== null) {
      const text = 'This page was opened very often from here. Wait a minute, then reload it.';
      const answer = html(closedPage({ title: 'Too many visits', text }, files), files, 429);
      answer.response.headers.set('retry-after', limited.headers.get('retry-after') ?? '60');
      return answer;
    }
    const open = await this.#open(call);
    if (typeof open === 'string') {
      const { code, ...said } = CLOSED[open];
      return html(closedPage(said, files), files, code === 'not_found' ? 404 : 403);
    }
    const { link, window } = open;
    if (call.request.method === 'GET') await links.count(link.visitor.link, 'visits');
    if (isSealedLink(link)) return html(sealedPage(sealedHead(link, window).may, { files }), files);
    const { pathname } = call.url;
    const page = listPage(showing.list(link, window), showing.all(link, window), {
      address: pathname,
      files,
    });
    return html(page, files);
  }

  async tasks(call: RouteCall): Promise<Response> {
    const limited = await this.#limited('public_read', call);
    if (limited !== null) return limited;
    const open = await this.#open(call);
    if (typeof open === 'string') return closedAnswer(open);
    const { link, window } = open;
    const { showing } = this.#ports;
    if (isSealedLink(link)) {
      const tasks = sealedTasks(link, window, window.shown.keys());
      const answer: SealedTasks = {
        success: true,
        sealed: sealedHead(link, window),
        at: window.at,
        tasks: [...tasks],
      };
      return success(answer, HEADERS);
    }
    const tasks = showing.all(link, window);
    return success({ ...showing.list(link, window), at: window.at, tasks }, HEADERS);
  }

  async stream(call: RouteCall): Promise<Response> {
    const limited = await this.#limited('public_read', call);
    if (limited !== null) return limited;
    const open = await this.#open(call);
    if (typeof open === 'string') return closedAnswer(open);
    // The last one: proxies that gather answers are asked not to.
    const headers = { ...HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    if (call.request.method === 'HEAD') return new Response(null, { headers });
    const at = call.request.headers.get('last-event-id') ?? call.url.searchParams.get('at');
    const body = this.#ports.streams.open({ ...open, at, address: call.client.key });
    if (body === null)
      return marked(
        refusal('rate_limited', 'This list is open too often right now. Changes are fetched now and then.', {
          retryAfterMs: FULL_RETRY_MS,
        }),
      );
    return new Response(body, { headers });
  }

  async logo(call: RouteCall): Promise<Response> {
    const limited = await this.#limited('public_read', call);
    if (limited !== null) return limited;
    const open = await this.#open(call);
    if (typeof open === 'string') return closedAnswer(open);
    const logo = await this.#ports.logos.of(open.link.visitor.link);
    return logo === undefined ? closedAnswer('ended') : picture(logo.png);
  }

  async change(call: RouteCall): Promise<Response> {
    const limited = await this.#limited('public_write', call);
    if (limited !== null) return limited;
    const open = await this.#open(call);
    if (typeof open === 'string') return closedAnswer(open);
    const schema = isSealedLink(open.link) ? sealedChangeSchema : visitorChangeSchema;
    const read = schema.safeParse(call.body);
    if (!read.success) {
      const [issue] = read.error.issues;
      const field = String(issue?.path[0] ?? 'do').slice(0, 100);
      return marked(
        refusal('invalid', `"${field}" can't be used: ${issue?.message ?? 'it is invalid'}.`, { field }),
      );
    }
    const tooMany = await this.#tooMany(open.link, read.data);
    if (tooMany !== null) return tooMany;
    const { scope } = open.link.visitor;
    const lapsed = read.data.do === 'add' ? await refuseNewIn(this.#ports.billing, scope) : null;
    if (lapsed !== null) return marked(lapsed);
    if (!this.#ports.hasRoom())
      return marked(
        refusal('storage_full', "The server's disk is full. Nothing was changed. Try again later.", {
          retryAfterMs: FULL_RETRY_MS,
        }),
      );
    return await this.#made(open, read.data);
  }

  async #made({ link, window }: Open, change: VisitorChange | SealedChange): Promise<Response> {
    const { links, showing, exchange, clock, newId } = this.#ports;
    // The history of an encrypted list names the link alone: its page has no name that this server knows.
    const [ids, name] = isSealedLink(link)
      ? [ownIds, '']
      : [showing.idsOf(link.visitor.link), showing.nameOf(link, window)];
    const ports = { exchange, newId, now: () => clock.now() };
    const done = await visit(ports, { link, name, ids, change });
    if (!done.ok && done.problem !== 'stale') {
      const [code, message] = REFUSED[done.problem];
      return marked(refusal(code, message));
    }
    if (done.ok) await links.count(link.visitor.link, 'changes');
    await window.look();
    if (isSealedLink(link)) {
      const about = done.ok ? done.value : ids.read('id' in change ? change.id : '');
      const [task = null] = about === null ? [] : sealedTasks(link, window, [about]);
      const more: SealedAnswer = { at: window.at, task };
      return done.ok ? success(more, HEADERS) : marked(refusal(...REFUSED.stale, { more }));
    }
    const [task = null] = done.ok && done.value !== null ? showing.tasks(link, window, [done.value]) : [];
    return success({ at: window.at, task } satisfies Omit<VisitorAnswer, 'success'>, HEADERS);
  }

  async #open(call: RouteCall): Promise<Open | Closed> {
    const { links, windows } = this.#ports;
    const link = await links.find(call.params['token'] ?? '');
    if (typeof link === 'string') return link;
    const { scope, list } = link.visitor;
    const window = windows.of(scope, list);
    await window.look();
    return window.isThere ? { link, window } : 'ended';
  }

  async #files(): Promise<PageFiles | null> {
    return (await this.#ports.siteFiles.table())?.publicList ?? null;
  }

  async #tooMany(
    { visitor: { link } }: OpenLink,
    change: VisitorChange | SealedChange,
  ): Promise<Response | null> {
    const { limiter } = this.#ports;
    const all = await limiter.take('public_write_link', link);
    if (!all.allowed)
      return over('Very much is being changed in this list right now. Wait a minute, then try again.', all);
    const added = change.do === 'add' ? await limiter.take('public_add_link', link) : all;
    if (added.allowed) return null;
    return over('So many tasks were added by this link today that it takes no more before tomorrow.', added);
  }

  /** Counted by address and token, whether or not there is such a link. */
  async #limited(rate: RateName, { client, params }: RouteCall): Promise<Response | null> {
    const key = `${client.key} ${(params['token'] ?? '').slice(0, 12)}`;
    const taken = await this.#ports.limiter.take(rate, key);
    return taken.allowed ? null : over('That was very often. Wait a minute, then try again.', taken);
  }
}

const over = (message: string, { retryAfterMs }: { readonly retryAfterMs: number }) =>
  marked(refusal('rate_limited', message, { retryAfterMs }));

/** A logo, which may do nothing wherever it is opened. */
export function picture(png: Uint8Array): Response {
  return new Response(new Uint8Array(png), {
    headers: {
      ...HEADERS,
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="logo.png"',
    },
  });
}

/** Routes below `/p/{token}`. */
export function visitorRoutes(ports: VisitorPorts): readonly Route[] {
  const calls = new VisitorCalls(ports);
  const path = '/p/:token';
  const common = {
    access: { carrier: 'none', rule: { type: 'anybody' } },
    site: 'public',
    limit: null,
    compress: false,
  } as const;
  const plain = { ...common, method: 'GET', body: { type: 'none' } } as const;
  return [
    { ...plain, path, compress: true, handle: (call) => calls.page(call) },
    { ...plain, path: `${path}/tasks`, compress: true, handle: (call) => calls.tasks(call) },
    { ...plain, path: `${path}/stream`, handle: (call) => calls.stream(call) },
    { ...plain, path: `${path}/logo`, handle: (call) => calls.logo(call) },
    {
      ...common,
      method: 'POST',
      path: `${path}/changes`,
      body: { type: 'json', maxBytes: BODY_BYTES },
      handle: (call) => calls.change(call),
    },
  ];
}
