// Public links on a test server: people who make them, by the calls of the app, and visitors, who have nothing but an address.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import {
  publicLinksSchema,
  shownTasksSchema,
  streamEventSchema,
  visitorAnswerSchema,
  type LinkMay,
  type PublicLink,
  type PublicLinks,
  type ShownTask,
  type ShownTasks,
  type StreamEvent,
} from '#wire/public-links.ts';
import { confirmEmail, Person } from './sharing.ts';
import { createTestServer, type TestServer } from './api/harness.ts';

/** Everything that a link can permit. */
export const everything: LinkMay = { add: true, complete: true, titles: true, notes: true, labels: true };

/** A call about the links of a list that succeeds; `call`: `POST`, or `DELETE /{link}`. */
export async function callLinks(
  person: Person,
  list: Id,
  call: string,
  body?: unknown,
): Promise<PublicLinks> {
  const [method = 'GET', rest = ''] = call.split(' ');
  const answer = await person.call(`${method} sharing/lists/${list}/links${rest}`, body);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return publicLinksSchema.parse(JSON.parse(text));
}

/** A new link of a list, and its token. */
export async function makeLink(
  person: Person,
  list: Id,
  wanted: { readonly name?: string; readonly may?: Partial<LinkMay> } = {},
): Promise<PublicLink & { readonly token: string }> {
  await confirmEmail(person.server, person.account);
  const { links, made } = await callLinks(person, list, 'POST', wanted);
  const link = links.find(({ id }) => id === made);
  assert.ok(link);
  const { token } = link;
  assert.ok(token !== null);
  return { ...link, token };
}

/** What was heard of a stream. */
export class Heard {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly events: StreamEvent[] = [];
  text = '';
  at = '';
  isOver = false;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Reads until an event of this type came, and resolves with it. */
  async next<Type extends StreamEvent['type']>(
    type: Type,
  ): Promise<Extract<StreamEvent, { readonly type: Type }>> {
    for (;;) {
      const at = this.events.findIndex((event) => event.type === type);
      const found = this.events.splice(0, at + 1).at(-1);
      if (found !== undefined) return found as Extract<StreamEvent, { readonly type: Type }>;
      assert.ok(!this.isOver, `the stream ended before "${type}"`);
      await this.#read();
    }
  }

  async end(): Promise<void> {
    while (!this.isOver) await this.#read();
  }

  async leave(): Promise<void> {
    await this.#reader.cancel();
  }

  #rest = '';

  async #read(): Promise<void> {
    const { done, value } = await this.#reader.read();
    this.isOver = done;
    const text = value === undefined ? '' : Buffer.from(value).toString();
    this.text += text;
    const parts = `${this.#rest}${text}`.split('\n\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      this.at = /^id: (.*)$/m.exec(part)?.[1] ?? this.at;
      if (data !== undefined) this.events.push(streamEventSchema.parse(JSON.parse(data)));
    }
  }
}

/** Somebody with the address of a link. */
export class Visitor {
  readonly server: TestServer;
  readonly token: string;
  readonly address: string;

  constructor(server: TestServer, { token }: { readonly token: string }, address = '198.51.100.7') {
    this.server = server;
    this.token = token;
    this.address = address;
  }

  ask(path = '', ask: Parameters<TestServer['ask']>[1] = {}): Promise<Response> {
    return this.server.ask(`/p/${this.token}${path}`, { address: this.address, ...ask });
  }

  async shown(): Promise<ShownTasks> {
    const answer = await this.ask('/tasks');
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return shownTasksSchema.parse(JSON.parse(text));
  }

  /** A task by its title. */
  async task(title: string): Promise<ShownTask> {
    const task = (await this.shown()).tasks.find((each) => each.title === title);
    assert.ok(task, `"${title}" is shown`);
    return task;
  }

  change(body: unknown): Promise<Response> {
    return this.ask('/changes', { method: 'POST', body });
  }

  /** A change that is made. */
  async do(body: unknown): Promise<ShownTask | null> {
    const answer = await this.change(body);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return visitorAnswerSchema.parse(JSON.parse(text)).task;
  }

  /** The stream, from where the visitor is; absent: it knows nothing. */
  async listen(at?: string): Promise<Heard> {
    const answer = await this.ask('/stream', at === undefined ? {} : { headers: { 'last-event-id': at } });
    assert.equal(answer.status, 200);
    assert.ok(answer.body);
    return new Heard(answer.body);
  }
}

/** Ann, with a list of two tasks that was never shared, and a link of it that permits everything. */
export async function linkedList(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer(options);
  const ann = await Person.come(server, 'ann@example.org');
  const list = await ann.list('Trip');
  const tasks = [await ann.task('Book a train', list), await ann.task('Pack', list)] as const;
  const link = await makeLink(ann, list, { may: everything });
  return { server, ann, list, tasks, link, visitor: new Visitor(server, link) };
}
