// A visitor of an encrypted list by its public link, who has nothing but the address: the page's own opening and sealing, over requests.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import { SealedVisit } from '#client/public-links/sealed-visit.ts';
import { carryText } from '#sync/notes/note-merge.ts';
import {
  publicLinksSchema,
  type LinkMay,
  type PublicLink,
  type ShownList,
  type ShownTask,
  type VisitorChange,
} from '#wire/public-links.ts';
import {
  sealedAnswerSchema,
  sealedTasksSchema,
  type SealedChange,
  type SealedTasks,
} from '#wire/public-page/sealed-links.ts';
import type { TestServer } from '../api/harness.ts';
import type { Somebody, World } from './encrypted-list.ts';

/** A public link as somebody sends it. */
export interface PublicAddress {
  readonly link: PublicLink;
  readonly token: string;
  readonly secret: string;
}

/** What a member is told about the public links of the list. */
export async function linksOf(world: World, by: Somebody = world.ida) {
  const { status, ...body } = await world.call(by, `GET sharing/lists/${world.list}/links`);
  assert.equal(status, 200, JSON.stringify(body));
  return publicLinksSchema.parse(body);
}

/** Makes a public link of the encrypted list, as the dialog does. */
export async function publish(
  world: World,
  may: Partial<LinkMay> = {},
  by: Somebody = world.ida,
): Promise<PublicAddress> {
  const made = await by.device.lists.publicLink(world.scope);
  assert.ok(made.ok, JSON.stringify(made));
  const { keys, secret } = made.value;
  const { status, ...body } = await world.call(by, `POST sharing/lists/${world.list}/links`, { may, keys });
  assert.equal(status, 200, JSON.stringify(body));
  const state = publicLinksSchema.parse(body);
  const link = state.links.find(({ id }) => id === state.made);
  assert.ok(link?.token);
  return { link, token: link.token, secret };
}

/** Changes what a server answers, as one that lies does. */
export type Lie = (answer: SealedTasks) => void;

/** Somebody with an address. */
export class PublicVisitor {
  readonly #server: TestServer;
  readonly #token: string;
  readonly visit: SealedVisit;
  /** Everything that was sent. */
  readonly sent: SealedChange[] = [];
  tasks: ShownTask[] = [];
  list: ShownList | null = null;
  lie: Lie = () => undefined;

  constructor(
    server: TestServer,
    { token, secret }: { readonly token: string; readonly secret: string | null },
  ) {
    this.#server = server;
    this.#token = token;
    this.visit = new SealedVisit(secret, {
      random: (bytes) => void randomFillSync(bytes),
      merging: () => Promise.resolve(carryText),
      breathe: () => Promise.resolve(),
    });
  }

  ask(path = '', body?: unknown): Promise<Response> {
    const asked = body === undefined ? {} : { method: 'POST', body };
    return this.#server.ask(`/p/${this.#token}${path}`, { address: '198.51.100.7', ...asked });
  }

  /** Reads the list; the answer is why it doesn't open. */
  async look(): Promise<ReturnType<SealedVisit['open']>> {
    const response = await this.ask('/tasks');
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const answer = sealedTasksSchema.parse(JSON.parse(text));
    this.lie(answer);
    const problem = this.visit.open(answer.sealed);
    if (problem !== null) return problem;
    this.list = this.visit.list(answer.sealed);
    this.tasks = await this.visit.tasks(answer.tasks);
    return null;
  }

  titled(title: string): ShownTask {
    const found = this.tasks.find((task) => task.title === title);
    assert.ok(found, `${title} among ${JSON.stringify(this.tasks)}`);
    return found;
  }

  id(title: string): Id {
    return this.titled(title).id as Id;
  }

  /** Sends a change once. */
  async send(change: VisitorChange): Promise<{ readonly status: number; readonly task: ShownTask | null }> {
    const sealed = await this.visit.seal(change, change);
    assert.ok(sealed.ok, JSON.stringify(sealed));
    this.sent.push(sealed.value);
    const response = await this.ask('/changes', sealed.value);
    const body = (await response.json()) as { readonly code?: string };
    const answer = sealedAnswerSchema.safeParse(body);
    const task = answer.success && answer.data.task !== null ? this.visit.task(answer.data.task) : null;
    if (body.code === 'moved') this.visit.again(change);
    return { status: response.status, task };
  }

  /** A change that has to be made. */
  async does(change: VisitorChange): Promise<ShownTask | null> {
    const { status, task } = await this.send(change);
    assert.equal(status, 200);
    return task;
  }
}
