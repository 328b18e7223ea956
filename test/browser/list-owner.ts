// A person with a list and public links to it, by plain calls of a server with the site.
import assert from 'node:assert/strict';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { LinkMay, PublicLinks } from '#wire/public-links.ts';
import { protocolVersion } from '#wire/version.ts';
import { everything } from '../public-links.ts';
import { PASSWORD } from './harness.ts';
import type { Site } from './site-world.ts';

const newId = () => crypto.randomUUID() as Id;

/** A person with a list, by plain calls. */
export class Owner {
  readonly #site: Site;
  readonly list = newId();
  #cookie = '';
  #personal = '' as Id;
  #scope: Id | null = null;
  #seq = 0;
  readonly #device = newId();

  constructor(site: Site) {
    this.#site = site;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { url } = this.#site;
    const headers = { origin: url, cookie: this.#cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    const text = await answer.text();
    assert.equal(answer.status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  }

  async act(...actions: readonly Record<string, unknown>[]): Promise<void> {
    const now = Date.now();
    const scope = this.#scope ?? this.#personal;
    const ops = actions.map((action) => ({
      q: (this.#seq += 1),
      u: newId(),
      scope,
      t: now,
      b: 0,
      ...action,
    }));
    const head = { schema: protocolVersion, device: this.#device, clientNow: now, ack: 0, cursors: {} };
    const { results } = (await this.#call('POST', '/sync/v1', { ...head, ops })) as {
      results: [number, string][];
    };
    assert.ok(
      results.every(([, verdict]) => verdict === 'ok'),
      JSON.stringify(results),
    );
  }

  /** A new task at the end of the list, or of another task; resolves with its id. */
  async task(title: string, fields: Record<string, unknown> = {}, parent: Id = this.list): Promise<Id> {
    const id = newId();
    await this.act({ a: 'create', id, type: 'task', fields: { title, ...fields }, place: { parent } });
    return id;
  }

  /** A link that permits this; resolves with its id and its address. */
  async publish(may: Partial<LinkMay> = everything): Promise<{ readonly id: Id; readonly path: string }> {
    const { links, made } = await this.links('POST', { may });
    const token = links.find(({ id }) => id === made)?.token;
    assert.ok(made !== undefined && token);
    return { id: made, path: `/p/${token}` };
  }

  /** Comes, makes the list, and resolves with a call about its links. */
  async come(email: string, name: string) {
    const account = (await this.#call('POST', '/app/api/sign_up', { email, password: PASSWORD })) as {
      readonly personalScope: Id;
    };
    this.#personal = account.personalScope;
    const place = { parent: listsRoot(this.#personal) };
    await this.act(
      { a: 'create', id: inboxId(this.#personal), type: 'list', fields: { listType: 'inbox' }, place },
      { a: 'create', id: this.list, type: 'list', fields: { listType: 'list', name }, place },
    );
    await this.#site.server.database.db.updateTable('account').set({ verified_at: 1 }).execute();
  }

  async links(call: string, body?: unknown): Promise<PublicLinks> {
    const [method = 'GET', rest = ''] = call.split(' ');
    const path = `/app/api/sharing/lists/${this.list}/links${rest}`;
    const answer = (await this.#call(method, path, body)) as PublicLinks;
    this.#scope = answer.scope;
    return answer;
  }
}
