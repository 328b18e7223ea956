// People who share lists on a test server, by the same calls as the app: for every test that needs a list of several people.
import assert from 'node:assert/strict';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { sharedListSchema, joinedSchema, type JoinedList, type SharedList } from '#wire/sharing.ts';
import { protocolVersion } from '#wire/version.ts';
import type { SyncResponse } from '#wire/sync.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { cookieOf, createTestServer, GOOD_PASSWORD, type TestServer } from './api/harness.ts';

/** What a call needs of a server. */
export type Callable = Pick<TestServer, 'ask' | 'database'>;

/** A person who is signed in. */
export interface Session {
  readonly cookie: string;
  readonly account: number;
  readonly personalScope: string;
}

const newId = () => crypto.randomUUID() as Id;

/** Makes the e-mail address of an account a confirmed one: only such accounts share lists. */
export async function confirmEmail(
  { database }: Pick<TestServer, 'database'>,
  account: number,
): Promise<void> {
  await database.db.updateTable('account').set({ verified_at: 1 }).where('id', '=', account).execute();
}

/** A call of the app's about shared lists, below `/app/api/`. */
export function callSharing(
  server: Pick<TestServer, 'ask'>,
  { cookie }: Pick<Session, 'cookie'>,
  call: string,
  body?: unknown,
): Promise<Response> {
  const [method = 'GET', path = ''] = call.split(' ');
  return server.ask(`/app/api/${path}`, { method, cookie, ...(body === undefined ? {} : { body }) });
}

/** The status and the body of an answer. */
export async function told(answer: Response | Promise<Response>) {
  const response = await answer;
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, ...body } as Record<string, unknown> & { readonly status: number };
}

/** The place of a row as it was sent. */
export function placeIn(row: { readonly f: object } | undefined) {
  assert.ok(row);
  return (row.f as { readonly place: { readonly parent: Id; readonly key: string } }).place;
}

/** Shares a list of this person's. Resolves with its scope and its link. */
export async function shareList(server: Callable, session: Session, list: Id): Promise<SharedList> {
  await confirmEmail(server, session.account);
  const answer = await callSharing(server, session, `POST sharing/lists/${list}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return sharedListSchema.parse(JSON.parse(text));
}

/** Joins a list by the token of a link. */
export async function joinList(
  server: Pick<TestServer, 'ask'>,
  session: Session,
  token: string | null | undefined,
): Promise<JoinedList> {
  const answer = await callSharing(server, session, `POST sharing/invitations/${token ?? ''}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return joinedSchema.parse(JSON.parse(text));
}

/** Somebody as the server would see them now, for calls that are no requests. */
export async function actorOf(
  { database }: Pick<TestServer, 'database'>,
  { account, personalScope }: Session,
): Promise<AccountActor> {
  const scopes = await database.store.scopesOf(account);
  return {
    type: 'account',
    account,
    session: newId(),
    kind: 'web',
    personalScope: personalScope as Id,
    roles: new Map(scopes.map(({ scope, role }) => [scope, role])),
  };
}

type Said = Record<string, unknown> & { readonly scope?: string; readonly b?: number };

/** A person with one device. */
export class Person implements Session {
  readonly server: TestServer;
  readonly account: number;
  readonly personalScope: string;
  readonly email: string;
  cookie: string;
  device = newId();
  #seq = 0;

  constructor(server: TestServer, { cookie, account, personalScope }: Session, email = '') {
    this.server = server;
    this.email = email;
    this.cookie = cookie;
    this.account = account;
    this.personalScope = personalScope;
  }

  /** Somebody new, with an Inbox. */
  static async come(server: TestServer, email: string): Promise<Person> {
    const person = new Person(server, await server.signUp(email), email);
    const scope = person.personalScope as Id;
    await person.act({
      a: 'create',
      id: inboxId(scope),
      type: 'list',
      fields: { listType: 'inbox' },
      place: { parent: listsRoot(scope) },
    });
    return person;
  }

  /** Signs in anew, after so much time that the session has expired. */
  async signIn(): Promise<void> {
    const { email } = this;
    const body = { email, password: GOOD_PASSWORD };
    this.cookie = cookieOf(await this.server.ask('/app/api/sign_in', { method: 'POST', body }));
  }

  /** What became of these actions, and what else the device heard: of everything, as it has seen nothing. */
  async sync(...actions: readonly Said[]): Promise<SyncResponse> {
    this.server.clock.pass(60_000);
    const now = this.server.clock.now();
    const ops = actions.map((action) => ({
      q: (this.#seq += 1),
      u: newId(),
      scope: this.personalScope,
      t: now,
      b: 0,
      ...action,
    }));
    const head = { schema: protocolVersion, device: this.device, clientNow: now, ack: 0, cursors: {} };
    const { cookie } = this;
    const answer = await this.server.ask('/sync/v1', { method: 'POST', cookie, body: { ...head, ops } });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text) as SyncResponse;
  }

  async verdicts(...actions: readonly Said[]): Promise<string[]> {
    return (await this.sync(...actions)).results.map(([, verdict]) => verdict);
  }

  /** Actions that are taken. */
  async act(...actions: readonly Said[]): Promise<SyncResponse> {
    const answer = await this.sync(...actions);
    const verdicts = answer.results.map(([, verdict]) => verdict);
    assert.deepEqual(
      verdicts,
      actions.map(() => 'ok'),
    );
    return answer;
  }

  /** A new list, at the end of the top level or in a folder. */
  async list(name: string, fields: Record<string, unknown> = {}, parent = this.personalScope): Promise<Id> {
    const id = newId();
    await this.act({
      a: 'create',
      id,
      type: 'list',
      fields: { listType: 'list', name, ...fields },
      place: { parent },
    });
    return id;
  }

  /** A new task at the end of a list. */
  async task(title: string, parent: Id): Promise<Id> {
    const id = newId();
    await this.act({ a: 'create', id, type: 'task', fields: { title }, place: { parent } });
    return id;
  }

  /** The rows that this person may read, by id; those of a scope if one is named. */
  async rows(scope?: string) {
    const { changes } = await this.sync();
    const heard = scope === undefined ? changes : changes.filter((change) => change.scope === scope);
    return new Map(
      heard.flatMap((change) => change.rows.map((row) => [row.id as Id, { ...row, scope: change.scope }])),
    );
  }

  call(call: string, body?: unknown): Promise<Response> {
    return callSharing(this.server, this, call, body);
  }

  share(list: Id): Promise<SharedList> {
    return shareList(this.server, this, list);
  }

  join(token: string | null | undefined): Promise<JoinedList> {
    return joinList(this.server, this, token);
  }
}

/** Ann, who shares a list with two tasks, and Ben, who has joined it. */
export async function shareWithBen(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer(options);
  const ann = await Person.come(server, 'ann@example.org');
  const ben = await Person.come(server, 'ben@example.org');
  const list = await ann.list('Trip');
  const tasks = [await ann.task('Book a train', list), await ann.task('Pack', list)] as const;
  const { scope, link } = await ann.share(list);
  await ben.join(link?.token);
  return { server, ann, ben, list, tasks, scope: scope as Id, token: link?.token ?? '' };
}
