// What the dialogs of sharing do about a list that stays encrypted, by the desk of encryption: its keys, the secret of its link, and who of its people can
// read it. Nothing of it is needed for other lists.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { ListDesk, ListPerson, ListProblem } from '#sync/sealing/lists/list-desk.ts';
import type { Program } from '../app/program.ts';
import { UNLOADED } from '../sealing/words.ts';
import type { SharedState, SharingAnswer, SharingFailure, SharingPort } from './port.ts';
import type { PersonKeys, PersonView } from './sharing-view.ts';

const NO_KEY =
  'This list is end-to-end encrypted, and this device has no key. If another device of yours has it, or you have a recovery code, run “Unlock with recovery code”. Otherwise run “Encrypt everything”. Then open the link again.';
const STRANGER =
  'Nobody in this list has given you its key yet. Compare the words below with somebody in it, who then lets you in. Or open a link with its secret.';
const ENDED =
  'This link no longer opens the encrypted list. Ask for a new one, or ask somebody in the list to let you in.';

/** Why something about an encrypted list wasn’t done, as a sentence. */
export function listWords(problem: ListProblem): string {
  switch (problem.type) {
    case 'locked':
      return NO_KEY;
    case 'stranger':
      return STRANGER;
    case 'ended':
      return ENDED;
    case 'changed':
      return 'The keys of this person have changed meanwhile. Compare the words again.';
    case 'moved':
      return 'Somebody else changed this list at the same time. Try again.';
    default:
      return problem.message;
  }
}

const asFailure = (problem: ListProblem): SharingFailure => ({
  type: problem.type === 'offline' ? 'offline' : 'refused',
  message: listWords(problem),
});

/** Does something by the desk; what has no success is a sentence. */
async function byDesk<T>(
  program: Program,
  work: (lists: ListDesk) => Promise<Result<T, ListProblem>>,
): Promise<SharingAnswer<T>> {
  const desk = await program.platform.account.sealing().catch(() => null);
  if (desk === null) return failed({ type: 'offline', message: UNLOADED });
  const done = await work(desk.lists);
  return done.ok ? done : failed(asFailure(done.problem));
}

/** Shares a list that stays encrypted. */
export async function keepEncrypted(
  program: Program,
  port: SharingPort,
  list: Id,
): Promise<SharingAnswer<SharedState>> {
  const founded = await byDesk(program, (lists) => lists.found());
  if (!founded.ok) return founded;
  const answer = await port.keep(list, { ...founded.value });
  program.engine.nudge();
  return answer;
}

/** Comes in by the secret of a link, once the server has let the person in. */
export function comeIn(program: Program, scope: Id, secret: string | null): Promise<SharingAnswer<null>> {
  if (secret === null) return Promise.resolve(failed({ type: 'refused', message: ENDED }));
  return byDesk(program, (lists) => lists.join(scope, secret));
}

/** Why this person can't come into an encrypted list now; null: they can. */
export async function missingKey(program: Program): Promise<string | null> {
  const desk = await program.platform.account.sealing().catch(() => null);
  if (desk === null) return UNLOADED;
  return (await desk.hasKey()) ? null : NO_KEY;
}

/** Ends the links of a list for its keys, before or after the server ends its own part. */
export const endSecrets = (program: Program, scope: Id): Promise<SharingAnswer<null>> =>
  byDesk(program, (lists) => lists.endLinks(scope));

const TEXTS: Readonly<Record<ListPerson['standing'], string>> = {
  member: 'Can read it.',
  stranger: 'Can’t read it yet: nobody in the list has given them its key.',
  changed:
    'The keys of this person have changed. They get no new key of the list until you compare the words.',
  unsure: 'Compare the words with them, so that they can let you in.',
  former: 'Has left. The list is getting a new key.',
};

/** What the share dialog knows of the keys of a list. */
export class ListAccess {
  readonly #program: Program;
  #secret: string | null = null;
  /** Of a link that ends with the key of before. */
  #ended: string | null = null;
  #people: readonly ListPerson[] | null = null;
  /** Why nothing is known; null: nothing is wrong. */
  problem: string | null = null;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Stands in the link; null: it isn't known. */
  get secret(): string | null {
    return this.#secret;
  }

  /** The list is about to get a new key: what is known of its link opens nothing then, also if it is read once more before. */
  forgetLink(): void {
    this.#ended = this.#secret;
    this.#secret = null;
  }

  /** Asks what there is. `isNew`: the secret before opens nothing from then on. */
  async look(scope: Id, isNew = false): Promise<void> {
    const secret = await byDesk(this.#program, (lists) => lists.secretOf(scope, isNew));
    const people = await byDesk(this.#program, (lists) => lists.people(scope));
    this.#secret = secret.ok && secret.value !== this.#ended ? secret.value : null;
    this.#people = people.ok ? people.value : null;
    const [one, other] = [secret, people].map((answer) => (answer.ok ? null : answer.problem.message));
    this.problem = one ?? other ?? null;
  }

  /** How somebody of the list stands to its key; null: not known. */
  of({ account, isMe }: PersonView): PersonKeys | null {
    const person = this.#people?.find((each) => each.account === account);
    if (person === undefined || isMe) return null;
    const { standing, words } = person;
    return {
      account,
      text:
        standing === 'stranger' && words === null
          ? `${TEXTS.stranger} They have no encrypted account.`
          : TEXTS[standing],
      words: words === null ? null : words.join(' '),
      canLetIn: words !== null && (standing === 'stranger' || standing === 'changed'),
    };
  }

  /** Gives somebody the key whose words were compared. */
  async letIn(scope: Id, account: number): Promise<SharingAnswer<null>> {
    const words = this.#people?.find((each) => each.account === account)?.words ?? null;
    if (words === null) return failed({ type: 'refused', message: listWords({ type: 'changed' }) });
    const done = await byDesk(this.#program, (lists) => lists.letIn(scope, account, words));
    if (done.ok) await this.look(scope);
    return done.ok ? ok(null) : done;
  }
}
