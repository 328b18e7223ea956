// A program that writes through the public API as any stranger would: HTTP, a token, bodies as forms and as JSON. It knows
// docs/api.md alone, and sends again what was not answered.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../simulator/random.ts';
import type { Change, LedgerWriter } from './ledger.ts';

export interface ApiTask {
  readonly id: string;
  readonly title: string;
  readonly notes: string | null;
  readonly is_complete?: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Without<T> = T extends unknown ? Omit<T, 'n'> : never;

const RETRY_MS = 60;
const UNSUPPORTED = 415;
const TAKEN = 409;
/** The run is over, and the server gone. */
const NOT_ASKED = 404;

export interface ApiAddress {
  /** Ends in `/api`. */
  readonly url: string;
  readonly token: string;
}

/** Null: no whole answer came. */
export async function callApi(
  { url, token }: ApiAddress,
  method: Method,
  path: string,
  body?: { readonly fields: Readonly<Record<string, string>>; readonly isForm: boolean },
): Promise<Answer | null> {
  const type = body?.isForm === true ? 'application/x-www-form-urlencoded' : 'application/json';
  const text =
    body?.isForm === true ? new URLSearchParams(body.fields).toString() : JSON.stringify(body?.fields);
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  } catch {
    // A broken connection is what this is about.
    return null;
  }
}

export class ApiWriter {
  /** Bodies that were taken as forms. */
  forms = 0;
  readonly problems: string[] = [];
  readonly #api: ApiAddress;
  readonly #ledger: LedgerWriter;
  readonly #random: SeededRandom;
  readonly #own: string[] = [];
  #takesForms = true;
  #works = true;
  #isAbandoned = false;
  /** What is under way was sent before. */
  #isAgain = false;
  #n = 0;

  constructor(api: ApiAddress, ledger: LedgerWriter, random: SeededRandom) {
    this.#api = api;
    this.#ledger = ledger;
    this.#random = random;
  }

  /** Resolves when what is under way has been answered. */
  async work(paceMs: number): Promise<void> {
    while (this.#works) {
      await this.#act();
      await delay(this.#random.between(1, 2 * paceMs));
    }
  }

  stop(): void {
    this.#works = false;
  }

  /** Nor is what is under way sent again. */
  abandon(): void {
    this.#works = false;
    this.#isAbandoned = true;
  }

  async #act(): Promise<void> {
    const random = this.#random;
    const n = this.#n + 1;
    const id = this.#own.length === 0 ? null : random.pick(this.#own);
    const draw = random.below(100);
    if (id === null || draw < 40) return await this.#create(`api ${n}`);
    const task = await this.#read(id);
    if (task === null) return;
    if (draw < 75) {
      const change = { k: 'write', id, field: 'title', value: `api ${n}`, saw: task.title } as const;
      return await this.#send(change, 'PATCH', { title: `api ${n}` });
    }
    if (draw < 90)
      return await this.#send({ k: 'complete', id, occ: null }, 'PATCH', { is_complete: 'true' });
    await this.#send({ k: 'delete', id }, 'DELETE');
  }

  async #create(title: string): Promise<void> {
    const id = randomUUID();
    const word = `word-${title.replace(' ', '-')}.`;
    this.#ledger.add({ k: 'note', n: this.#n + 1, id, word });
    await this.#send({ k: 'create', id, title }, 'POST', { id, title, notes: `${word}\n` });
    this.#own.push(id);
  }

  async #read(id: string): Promise<ApiTask | null> {
    const answer = await this.#answered('GET', `/tasks/${id}`);
    this.#judge(answer, `GET /tasks/${id}`);
    return answer.status === 200 ? (answer.body['task'] as ApiTask) : null;
  }

  async #send(
    change: Without<Change>,
    method: Method,
    fields?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const n = (this.#n += 1);
    this.#ledger.add({ ...change, n } as Change);
    const path = method === 'POST' ? '/tasks' : `/tasks/${change.id}`;
    const answer = await this.#answered(method, path, fields);
    this.#judge(answer, `${method} ${path}`);
    // Of what was sent twice the first may have been done: a refusal says nothing of it.
    if (answer.status === 200) this.#ledger.add({ k: 'kept', from: n, n });
  }

  /**
   * What is in the trash or was lost by a restore is unknown; nothing else is wrong with what is asked. A task that is made once more, as nobody
   * answered, may have been deleted by a device meanwhile: its id is taken then.
   */
  #judge({ status, body }: Answer, what: string): void {
    const isTaken = status === TAKEN && what.startsWith('POST') && this.#isAgain;
    if (status !== 200 && status !== 404 && !isTaken)
      this.problems.push(`${what} was answered ${status}: ${JSON.stringify(body)}`);
  }

  /** Sends until there is an answer that says what became of it. */
  async #answered(method: Method, path: string, fields?: Readonly<Record<string, string>>): Promise<Answer> {
    this.#isAgain = false;
    for (; !this.#isAbandoned; this.#isAgain = true) {
      const isForm = this.#takesForms && this.#random.chance(0.7);
      const values =
        isForm || fields?.['is_complete'] === undefined ? fields : { ...fields, is_complete: true };
      const body = values === undefined ? undefined : { fields: values as Record<string, string>, isForm };
      const answer = await callApi(this.#api, method, path, body);
      if (answer !== null && isForm && body !== undefined && answer.status === UNSUPPORTED) {
        this.#takesForms = false;
        continue;
      }
      if (answer !== null && answer.status >= 500)
        this.#ledger.add({ k: 'status', status: answer.status, path: '/api' });
      if (answer !== null && answer.status < 500) {
        if (isForm && body !== undefined) this.forms += 1;
        return answer;
      }
      await delay(RETRY_MS);
    }
    return { status: NOT_ASKED, body: {} };
  }
}
