// The share dialog: before sharing what becomes visible, then the link and the people, with questions before what cannot be
// taken back. It is drawn by web/dialogs/sharing/share.tsx.
import { unreachable } from '#core/assert.ts';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { inviteDays } from '#wire/sharing.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { Asking } from './asking.ts';
import { leavePlace, whenSent } from './leaving.ts';
import { isOffline, isShared, needsServer } from './needs.ts';
import { endSecrets, keepEncrypted, ListAccess } from './encrypted.ts';
import { offerOf } from './offer.ts';
import { movingEncrypted, progressOf, stayEncrypted, staysEncrypted } from './opening.ts';
import { sharing } from './part.ts';
import { personView } from './people.ts';
import type { SharedState, SharingAnswer, SharingFailure, SharingPort } from './port.ts';
import { questionAbout } from './questions.ts';
import type { OfferView, PersonView, ShareAction, ShareQuestion, ShareView } from './sharing-view.ts';

const UNCONFIRMED = 'Sharing needs a verified email address. Choose “Verify” in “Account.”';
const NO_SERVER = 'The link needs a connection. Go online and try again.';

/** What the dialog begins with; the sheet is the offer where the list is private. */
export type ShareStart = 'sheet' | 'leave';

type Asked = { readonly about: ShareQuestion; readonly account: number | null };

/** Keys of the dialog, and what they come to. */
const BY_KEY: Readonly<Record<string, ShareAction['action']>> = {
  'sharing.copyLink': 'copy',
  'sharing.newLink': 'days',
  'sharing.endLink': 'endLink',
  'sharing.remove': 'remove',
  'sharing.handOver': 'handOver',
  'sharing.makePrivate': 'private',
  'sharing.leave': 'leave',
  'sharing.again': 'again',
  'sharing.publicLinks': 'publicLinks',
};

export class ShareDialog implements OpenDialog {
  readonly type = 'share';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #list: Id;
  readonly #offer: OfferView | null;
  readonly #asking: Asking;
  readonly #access: ListAccess;
  #state: SharedState | null = null;
  #step: ShareView['step'];
  #asked: Asked | null = null;
  /** The question is what the dialog began with. */
  #isFirst = false;

  constructor(program: Program, list: Id, start: ShareStart) {
    this.#program = program;
    this.#asking = new Asking(program, this);
    this.#access = new ListAccess(program);
    this.#list = list;
    const row = program.replica.row(list);
    const isPrivate = row !== undefined && !isShared(program, row);
    this.#offer = isPrivate ? offerOf(program, list) : null;
    this.#step = isPrivate ? 'offer' : 'sheet';
    if (isPrivate) return;
    if (start === 'leave') this.#ask('leave', null);
    this.#isFirst = start === 'leave';
    this.#read();
  }

  leave(): void {
    // What was asked of the server goes on without it, and its end is said.
    this.#program.later(() => this.#program.part(sharing).tellShared());
  }

  /** Escape in a question goes back to the sheet, if it was asked from there. */
  clearFilter(): boolean {
    if ((this.#step !== 'question' && this.#step !== 'days') || this.#isFirst) return false;
    this.#back();
    this.refresh();
    return true;
  }

  byKey(command: string): ShareAction | null {
    const action = BY_KEY[command];
    if (action === undefined || this.#step === 'offer' || this.#step === 'moving') return null;
    if (action === 'remove' || action === 'handOver' || action === 'letIn') {
      const account = Number(this.#program.platform.options.current());
      return this.#people().some((person) => person.account === account) ? { action, account } : null;
    }
    return action === 'newLink' ? null : { action };
  }

  submit(action: ShareAction): void {
    if (action.action !== 'back' && this.#asking.defers(() => this.submit(action))) return;
    this.#asking.said = null;
    this.#act(action);
    this.refresh();
  }

  #act(action: ShareAction): void {
    const list = this.#list;
    switch (action.action) {
      case 'share':
        this.#program.part(sharing).begun.begin(list);
        this.#request('Sharing…', (port) =>
          movingEncrypted(this.#program, { list, way: 'open' }, () => port.share(list)),
        );
        return;
      case 'keep':
        this.#program.part(sharing).begun.begin(list);
        this.#request('Sharing…', (port) => keepEncrypted(this.#program, port, list));
        return;
      case 'stop':
        this.#stop();
        return;
      case 'copy':
        this.#copy();
        return;
      case 'again':
        this.#read();
        return;
      case 'account':
        this.#program.run('account.safety');
        return;
      case 'profile':
        this.#program.run('account.profile');
        return;
      case 'publicLinks':
        this.#program.run('list.publicLinks');
        return;
      case 'back':
        this.#back();
        return;
      case 'days':
        this.#step = 'days';
        return;
      case 'newLink':
        this.#back();
        this.#newLink(action.days);
        return;
      case 'endLink':
        if (this.#state?.link === null) this.#asking.say('There’s no link to end.', true);
        else this.#ask('endLink', null);
        return;
      case 'remove':
      case 'handOver':
        this.#ask(action.action, action.account);
        return;
      case 'letIn':
        this.#letIn(action.account);
        return;
      case 'leave':
      case 'private':
        this.#ask(action.action, null);
        return;
      case 'yes':
        this.#answer();
        return;
      default:
        unreachable(action);
    }
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this)) return;
    const people = this.#people();
    const isOwner = this.#isOwner(people);
    dialog.show({
      type: 'share',
      share: {
        list: this.#name,
        step: this.#step,
        offer: this.#offer,
        progress: progressOf(this.#state ?? {}),
        isDecrypting: this.#state?.state === 'filling' && this.#state.sealed !== undefined,
        isOwner,
        people,
        keys:
          this.#state?.isEncrypted === true
            ? people.flatMap((person) => this.#access.of(person) ?? [])
            : null,
        link: this.#link(),
        isKnown: this.#state !== null,
        problem: this.#asking.failure === null ? null : this.#words(this.#asking.failure),
        endsInAccount: this.#asking.failure?.type === 'unconfirmed',
        question: this.#question(),
        busy: this.#asking.busy,
        said: this.#asking.said,
      },
    });
  }

  #people(): readonly PersonView[] {
    const { replica } = this.#program;
    const row = replica.row(this.#list);
    if (row === undefined) return [];
    const members = this.#program.part(sharing).members.of(row.scope);
    return members.map(({ fields }) => personView(fields, replica.account));
  }

  #question(): ShareView['question'] {
    if (this.#asked === null) return null;
    const { about, account } = this.#asked;
    const people = this.#people();
    return questionAbout({
      about,
      list: this.#name,
      people,
      isOwner: this.#isOwner(people),
      person: people.find((person) => person.account === account) ?? null,
      isEncrypted: this.#state?.isEncrypted === true,
      publicLinks: this.#state?.publicLinks ?? 0,
    });
  }

  get #name(): string {
    return nameOf(this.#program.replica.row(this.#list)) || 'Untitled';
  }

  #isOwner(people: readonly PersonView[]): boolean {
    return this.#state === null
      ? people.some(({ isMe, isOwner }) => isMe && isOwner)
      : this.#state.role === 'owner';
  }

  #link(): ShareView['link'] {
    const { port } = this.#program.part(sharing);
    const link = this.#state?.link ?? null;
    if (port === null || link === null || link.token === null) return null;
    const { secret } = this.#access;
    // Without its secret nobody could read the list who comes by it.
    if (this.#state?.isEncrypted === true && secret === null) return null;
    const uses =
      link.uses === 0
        ? 'Nobody has joined by it yet.'
        : `${counted(link.uses, 'person', 'people')} joined by it.`;
    const ends =
      link.expiresAt === null ? 'Works until you end it.' : `Works until ${this.#dayOf(link.expiresAt)}.`;
    return { address: port.addressOf(link.token, secret ?? undefined), text: `${ends} ${uses}` };
  }

  #dayOf(at: number): string {
    const { platform } = this.#program;
    const day = new Intl.DateTimeFormat(platform.locale(), {
      dateStyle: 'medium',
      timeZone: platform.zone(),
    });
    return day.format(at);
  }

  #words({ type, message }: SharingFailure): string {
    if (type === 'unconfirmed') return UNCONFIRMED;
    return type === 'offline' && this.#offer === null ? NO_SERVER : message;
  }

  /** A key can't be taken back, but a new one is made. */
  #keptWords(): string {
    return this.#state?.isEncrypted === true
      ? ' They keep what they have already read. What comes from now on has a new key, and needs a new link.'
      : '';
  }

  /** Mail would go on arriving from who knows the address. */
  #mailWords(): string {
    return this.#state?.hasMail === true
      ? ' They may know its email address: “Show this list’s email address” gives it a new one.'
      : '';
  }

  #back(): void {
    this.#asking.forget();
    this.#asked = null;
    this.#step = 'sheet';
  }

  #ask(about: ShareQuestion, account: number | null): void {
    this.#asked = { about, account };
    this.#isFirst = false;
    this.#step = 'question';
  }

  #read(): void {
    const problem = needsServer(this.#program);
    if (problem !== null) this.#failed({ type: 'refused', message: problem });
    else if (isOffline(this.#program)) this.#failed({ type: 'offline', message: NO_SERVER });
    else
      this.#asking.read((port) => port.read(this.#list), {
        arrived: (state) => this.#arrived(state),
        failed: (failure) => this.#failed(failure),
      });
  }

  /** Asks the server; its answer is how the list is shared now. */
  #request(
    busy: string,
    ask: (port: SharingPort) => Promise<SharingAnswer<SharedState>>,
    then: () => void = () => undefined,
  ): void {
    this.#asking.request(busy, ask, {
      arrived: (state) => {
        this.#arrived(state);
        then();
      },
      failed: (failure) => this.#failed(failure),
    });
  }

  #failed(failure: SharingFailure): void {
    const { dialog } = this.#program;
    const { begun } = this.#program.part(sharing);
    if (this.#step === 'offer' && !dialog.isOf(this)) begun.failed(this.#list, this.#words(failure));
    else if (this.#step === 'offer') begun.end();
    // What is known stays on screen; without anything the problem takes its place.
    if (this.#step === 'offer' || (this.#state === null && this.#step === 'sheet'))
      this.#asking.failure = failure;
    else this.#asking.say(this.#words(failure), true);
  }

  #arrived(state: SharedState): void {
    const wasMoving = this.#step === 'moving' || this.#step === 'offer';
    this.#state = state;
    if (state.state === 'private') {
      this.#madePrivate();
      return;
    }
    const isMoving = state.state !== 'open';
    if (isMoving) {
      this.#step = 'moving';
      this.#asked = null;
      this.#asking.lookLater((port) => port.read(this.#list), {
        arrived: (now) => this.#arrived(now),
        failed: (failure) => void (this.#asking.failure = failure),
      });
      return;
    }
    this.#lookAtKeys();
    if (!wasMoving) return;
    this.#step = 'sheet';
    if (this.#program.dialog.isOf(this)) this.#program.part(sharing).begun.end();
    // The rows of the list and of its members are fetched now.
    this.#program.engine.nudge();
    if (state.link === null) this.#newLink(inviteDays);
    else this.#asking.say('Shared. Send the link to the people you want.');
  }

  /** Of a list that stays encrypted: who can read it, and what stands in its link. */
  #lookAtKeys(isNew = false): void {
    const { isEncrypted, scope } = this.#state ?? {};
    if (isEncrypted !== true || scope === undefined) return;
    const program = this.#program;
    void this.#access.look(scope as Id, isNew).then(() =>
      program.act(() => {
        if (this.#access.problem !== null) this.#asking.say(this.#access.problem, true);
        this.refresh();
      }),
    );
  }

  #letIn(account: number): void {
    const { scope } = this.#state ?? {};
    const name = this.#people().find((person) => person.account === account)?.name ?? '';
    if (scope === undefined) return;
    this.#asking.request('Giving them the key…', () => this.#access.letIn(scope as Id, account), {
      arrived: () => this.#asking.say(`${name} can read the list now.`),
      failed: (failure) => this.#failed(failure),
    });
  }

  /** A list that has left by now is shared. */
  #stop(): void {
    const list = this.#list;
    this.#request('Stopping…', (port) => stayEncrypted(this.#program, list, () => port.read(list)));
  }

  #madePrivate(): void {
    const program = this.#program;
    // Asked about a list that is private: it can be shared.
    if (this.#step === 'offer') return;
    this.#program.part(sharing).begun.end();
    program.engine.nudge();
    if (!program.dialog.isOf(this)) return;
    program.dialog.close();
    program.say(
      (this.#offer?.decrypting ?? null) !== null
        ? staysEncrypted(this.#name)
        : `${quoted(this.#name)} is yours alone again.`,
    );
  }

  async #endLink(port: SharingPort): Promise<SharingAnswer<SharedState>> {
    const { isEncrypted, scope } = this.#state ?? {};
    if (isEncrypted === true && scope !== undefined) {
      const ended = await endSecrets(this.#program, scope as Id);
      if (!ended.ok) return ended;
    }
    return await port.endLink(this.#list);
  }

  #newLink(days: number | null): void {
    const hadLink = (this.#state?.link ?? null) !== null;
    this.#request(
      'Making a link…',
      (port) => port.newLink(this.#list, days),
      () => {
        // The one before opens nothing either.
        this.#lookAtKeys(hadLink);
        this.#asking.say(
          hadLink
            ? 'This is the new link. The old one no longer works.'
            : 'Send the link to the people you want.',
        );
      },
    );
  }

  #copy(): void {
    const address = this.#link()?.address ?? null;
    if (address === null) {
      this.#asking.say('There’s no link to copy. Make a new one.', true);
      return;
    }
    const program = this.#program;
    void program.platform.copyText(address).then((isCopied) =>
      program.act(() => {
        if (isCopied) this.#asking.say('Copied the link. Anyone who has it can join.');
        else this.#asking.say('Your browser blocked the copy. Select the link and copy it by hand.', true);
        this.refresh();
      }),
    );
  }

  #answer(): void {
    const asked = this.#asked;
    const list = this.#list;
    if (asked === null || this.#question()?.verb === null) return;
    const { about, account } = asked;
    if (about === 'leave') {
      this.#leave();
      return;
    }
    const name = this.#people().find((person) => person.account === account)?.name ?? '';
    this.#back();
    if (about === 'endLink')
      this.#request(
        'Ending the link…',
        (port) => this.#endLink(port),
        () => this.#asking.say('Ended the link. Nobody can join by it anymore.'),
      );
    else if (about === 'private')
      this.#request('Making it private…', (port) =>
        movingEncrypted(this.#program, { list, way: 'await' }, () => port.makePrivate(list)),
      );
    else if (about === 'remove' && account !== null)
      this.#request(
        'Removing…',
        (port) => port.remove(list, account),
        () => {
          this.#program.engine.nudge();
          this.#access.forgetLink();
          this.#asking.say(
            `Removed ${name}. The list goes from their devices.${this.#keptWords()}${this.#mailWords()}`,
          );
        },
      );
    else if (about === 'handOver' && account !== null)
      this.#request(
        'Handing it over…',
        (port) => port.handOver(list, account),
        () => this.#asking.say(`${name} owns the list now.`),
      );
  }

  #leave(): void {
    const program = this.#program;
    this.#asking.busy =
      whenSent(program, this.#list, (problem) => {
        if (!program.dialog.isOf(this)) return;
        if (problem === null) this.#leaveNow();
        else {
          this.#asking.busy = null;
          this.#asking.say(problem, true);
        }
        this.refresh();
      }) ?? this.#asking.busy;
  }

  #leaveNow(): void {
    const program = this.#program;
    const part = program.part(sharing);
    this.#asking.busy = 'Leaving…';
    const name = quoted(this.#name);
    void part
      .withPort((port) => port.leave(this.#list))
      .then((answer) =>
        program.act(() => {
          this.#asking.busy = null;
          if (!answer.ok) {
            this.#asking.say(this.#words(answer.problem), true);
            this.refresh();
            return;
          }
          if (program.dialog.isOf(this)) program.dialog.close();
          leavePlace(program, this.#list);
          part.left(this.#list, name);
        }),
      );
  }
}
