// The dialog of public links: all links of a list, one of them with what visitors may do, and questions before what cannot be
// taken back. It is drawn by web/dialogs/public-links/links.tsx. A lazy part.
import { unreachable } from '#core/assert.ts';
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import {
  linkPermissions,
  publicNameCodePoints,
  type LinkMay,
  type LinkPermission,
  type PublicLink,
} from '#wire/public-links.ts';
import type { Program } from '../app/program.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { nameOf } from '../outline/row-facts.ts';
import { Asking } from '../sharing/asking.ts';
import { keepEncrypted } from '../sharing/encrypted.ts';
import { isOffline, isShared, needsServer } from '../sharing/needs.ts';
import { offerOf } from '../sharing/offer.ts';
import { movingEncrypted, progressOf, stayEncrypted, staysEncrypted } from '../sharing/opening.ts';
import { sharing } from '../sharing/part.ts';
import type { SharingAnswer, SharingFailure, SharingPort } from '../sharing/port.ts';
import { quoted } from '../text/editor.ts';
import { createEncrypted, secretsOf } from './encrypted.ts';
import { addressOf, linkView, permissionsOf } from './link-view.ts';
import type { LinksAction, LinksQuestion, LinksView } from './links-view.ts';
import type { LinksState, PublicLinksPort } from './port.ts';
import { missingWords, permissionCommand, permissionNames, questionOf, questionOfNew } from './words.ts';

const UNCONFIRMED = 'Public links need a verified email address. Choose “Verify” in “Account.”';
const NO_SERVER = 'Public links need a connection. Go online and try again.';
const TOO_LONG = `A public name has at most ${publicNameCodePoints} characters.`;

/** What the dialog begins with: all links, a new one, or the address of the only one on the clipboard. */
export type LinksStart = 'sheet' | 'new' | 'copy';

/** Keys of the dialog, and what they come to. */
const BY_KEY: Readonly<
  Record<string, Exclude<LinksAction['action'], 'open' | 'may' | 'save' | 'logo' | 'noPicture' | 'yes'>>
> = {
  'publish.new': 'create',
  'publish.copy': 'copy',
  'publish.name': 'name',
  'publish.pause': 'pause',
  'publish.undo': 'undo',
  'publish.end': 'end',
  'publish.again': 'again',
};

const NO_NAME = 'Links of an encrypted list have no name of their own: the server would read it.';

export class LinksDialog implements OpenDialog {
  readonly type = 'publicLinks';
  readonly #program: Program;
  readonly #list: Id;
  readonly #tasks: number;
  /** How long it takes to decrypt the list; null: it isn't encrypted. */
  readonly #decrypting: string | null;
  readonly #asking: Asking;
  #start: LinksStart;
  #state: LinksState | null = null;
  /** What stands in the fragments of addresses of an encrypted list. */
  #secrets: ReadonlyMap<Id, string> = new Map();
  /** The list is shared as it is, and gets a link once it has arrived. */
  #isKept = false;
  #step: LinksView['step'];
  #link: Id | null = null;
  #asked: LinksQuestion | null = null;
  /** The question is what the dialog began with. */
  #isFirst = false;

  constructor(program: Program, list: Id, start: LinksStart) {
    this.#program = program;
    this.#asking = new Asking(program, this);
    this.#list = list;
    this.#start = start;
    const row = program.replica.row(list);
    const isPrivate = row !== undefined && !isShared(program, row);
    const offer = isPrivate ? offerOf(program, list) : null;
    this.#tasks = offer?.tasks ?? 0;
    this.#decrypting = offer?.decrypting ?? null;
    this.#step = isPrivate ? 'offer' : 'sheet';
    if (!isPrivate) this.#read();
  }

  get isTyping(): boolean {
    return this.#step === 'name';
  }

  leave(): void {
    // What was asked of the server goes on without it, and that the list is shared is said.
    this.#program.later(() => this.#program.part(sharing).tellShared());
  }

  /** Escape goes back one step first. */
  clearFilter(): boolean {
    if (this.#step !== 'question' && this.#step !== 'name' && this.#step !== 'link') return false;
    if (this.#step === 'question' && this.#isFirst) return false;
    this.#asking.said = null;
    this.#back();
    this.refresh();
    return true;
  }

  byKey(command: string): LinksAction | null {
    if (this.#step === 'moving' || this.#step === 'question' || this.#step === 'name') return null;
    const permission = linkPermissions.find((each) => permissionCommand(each) === command);
    if (permission !== undefined) return this.#step === 'link' ? { action: 'may', permission } : null;
    const action = BY_KEY[command];
    if (action === undefined) return null;
    if (action === 'create' || action === 'again') return { action };
    // On a link in the list of all of them.
    if (this.#step === 'sheet') this.#link = this.#focused();
    return this.#link === null ? null : { action };
  }

  #focused(): Id | null {
    const id = this.#program.platform.options.current();
    return this.#state?.links.find((link) => link.id === id)?.id ?? null;
  }

  submit(action: LinksAction): void {
    if (action.action !== 'back' && this.#asking.defers(() => this.submit(action))) return;
    this.#asking.said = null;
    this.#act(action);
    this.refresh();
  }

  #act(action: LinksAction): void {
    switch (action.action) {
      case 'create':
        if (this.#step === 'offer' || this.#hasLink) this.#create();
        else this.#askForNew();
        return;
      case 'stop':
        this.#stop();
        return;
      case 'keep':
        this.#keep();
        return;
      case 'open':
        this.#link = action.link;
        this.#step = 'link';
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
      case 'back':
        if (this.#isFirst) this.#program.dialog.close();
        else this.#back();
        return;
      case 'may':
        this.#permit(action.permission);
        return;
      case 'name':
        if (this.#mine()?.keys !== undefined) this.#asking.say(NO_NAME, true);
        else if (this.#mine() !== null) this.#step = 'name';
        return;
      case 'save':
        this.#rename(action.values['name'] ?? '');
        return;
      case 'pause':
        this.#pause();
        return;
      case 'logo':
        this.#setLogo(action.png);
        return;
      case 'noLogo':
        this.#setLogo(null);
        return;
      case 'noPicture':
        this.#asking.say(action.problem, true);
        return;
      case 'end':
      case 'undo':
        if (this.#mine() === null) return;
        this.#asked = action.action;
        this.#step = 'question';
        return;
      case 'yes':
        this.#answer(action.minutes);
        return;
      default:
        unreachable(action);
    }
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this)) return;
    const of = { list: this.#list, name: this.#name, secrets: this.#secrets };
    const links = (this.#state?.links ?? []).map((link) => linkView(this.#program, of, link));
    dialog.show({
      type: 'publicLinks',
      links: {
        list: this.#name,
        step: this.#step,
        tasks: this.#tasks,
        decrypting: this.#decrypting,
        progress: progressOf(this.#state ?? {}),
        isDecrypting: this.#state?.state === 'filling' && this.#state.sealed !== undefined,
        links,
        link: links.find(({ id }) => id === this.#link) ?? null,
        isKnown: this.#state !== null,
        problem: this.#asking.failure === null ? null : this.#words(this.#asking.failure),
        endsInAccount: this.#asking.failure?.type === 'unconfirmed',
        question: this.#question(),
        busy: this.#asking.busy,
        said: this.#asking.said,
      },
    });
  }

  get #name(): string {
    return nameOf(this.#program.replica.row(this.#list)) || 'Untitled';
  }

  #question(): LinksView['question'] {
    if (this.#asked === 'new') return questionOfNew(quoted(this.#name), this.#state?.isEncrypted === true);
    const link = this.#state?.links.find(({ id }) => id === this.#link);
    if (this.#asked === null || link === undefined) return null;
    const name = quoted(link.name ?? this.#name);
    return questionOf(this.#asked, name);
  }

  #words({ type, message }: SharingFailure): string {
    if (type === 'unconfirmed') return UNCONFIRMED;
    return type === 'offline' ? NO_SERVER : message;
  }

  #back(): void {
    this.#asking.forget();
    this.#step = this.#step === 'link' || this.#link === null ? 'sheet' : 'link';
    this.#asked = null;
    this.#isFirst = false;
  }

  /** The open link, if the person may change it; says so if not. */
  #mine(): PublicLink | null {
    const link = this.#state?.links.find(({ id }) => id === this.#link) ?? null;
    if (link !== null && !link.isMine) {
      this.#asking.say('Only the person who made this link and the owner of the list can change it.', true);
      return null;
    }
    return link;
  }

  #read(): void {
    const problem = needsServer(this.#program);
    if (problem !== null) this.#failed({ type: 'refused', message: problem });
    else if (isOffline(this.#program)) this.#failed({ type: 'offline', message: NO_SERVER });
    else
      this.#asking.read((port) => this.#opened(port, ({ links }) => links.read(this.#list)), {
        arrived: (state) => this.#arrived(state),
        failed: (failure) => this.#failed(failure),
      });
  }

  /** An answer, with the secrets that stand in its addresses. */
  async #opened(
    port: SharingPort,
    ask: (port: SharingPort) => Promise<SharingAnswer<LinksState>>,
  ): Promise<SharingAnswer<LinksState>> {
    const answer = await ask(port);
    if (answer.ok) this.#secrets = await secretsOf(this.#program, answer.value);
    return answer;
  }

  /** Asks the server; its answer is the links as they are now. */
  #request(
    busy: string,
    ask: (port: PublicLinksPort) => Promise<SharingAnswer<LinksState>>,
    then: (state: LinksState) => void = () => undefined,
  ): void {
    this.#asking.request(busy, (port) => this.#opened(port, ({ links }) => ask(links)), {
      arrived: (state) => {
        this.#arrived(state);
        then(state);
      },
      failed: (failure) => this.#failed(failure),
    });
  }

  #failed(failure: SharingFailure): void {
    // What is known stays on screen; without anything the problem takes its place.
    if (this.#state === null) this.#asking.failure = failure;
    else this.#asking.say(this.#words(failure), true);
  }

  #arrived(state: LinksState): void {
    const wasMoving = this.#step === 'moving' || this.#step === 'offer';
    this.#state = state;
    if (state.made !== undefined) this.#link = state.made;
    if (state.state === 'filling' || state.state === 'emptying') {
      this.#step = 'moving';
      this.#asking.lookLater((port) => this.#opened(port, ({ links }) => links.read(this.#list)), {
        arrived: (now) => this.#arrived(now),
        failed: (failure) => this.#failed(failure),
      });
      return;
    }
    if (wasMoving && this.#isKept && state.isEncrypted === true) {
      // Shared as it is by now; its link comes next.
      this.#isKept = false;
      if (this.#program.dialog.isOf(this)) this.#program.part(sharing).begun.end();
      this.#step = 'sheet';
      this.#create();
      return;
    }
    if (wasMoving && state.state === 'private' && this.#decrypting !== null) {
      this.#program.dialog.close();
      this.#program.say(staysEncrypted(this.#name));
      return;
    }
    if (wasMoving) {
      this.#program.engine.nudge();
      this.#made();
    }
    if (this.#link !== null && !state.links.some(({ id }) => id === this.#link)) {
      this.#link = null;
      this.#step = 'sheet';
    }
    const start = this.#start;
    this.#start = 'sheet';
    if (start === 'new' && !wasMoving && this.#hasLink) this.#create();
    else if (start === 'new' && !wasMoving) {
      this.#askForNew();
      this.#isFirst = true;
    }
    const [only, ...more] = state.links;
    if (start !== 'copy' || only === undefined) return;
    if (more.length > 0) this.#asking.say('There are several links. Choose one and copy it.');
    else {
      this.#link = only.id;
      this.#step = 'link';
      this.#copy();
    }
  }

  /** A list that has left by now has its link. */
  #stop(): void {
    const list = this.#list;
    this.#request('Stopping…', (links) => stayEncrypted(this.#program, list, () => links.read(list)));
  }

  /** Others can read the list already, who have a link. */
  get #hasLink(): boolean {
    return this.#state?.links.some(({ isOutdated }) => isOutdated !== true) === true;
  }

  #askForNew(): void {
    this.#link = null;
    this.#asked = 'new';
    this.#step = 'question';
  }

  #create(): void {
    this.#start = 'sheet';
    this.#request(
      'Making a link…',
      (port) =>
        this.#state?.isEncrypted === true
          ? createEncrypted(this.#program, port, this.#state)
          : this.#decrypting === null
            ? port.create(this.#list, {})
            : movingEncrypted(this.#program, { list: this.#list, way: 'open' }, () =>
                port.create(this.#list, {}),
              ),
      ({ state }) => {
        if (state === 'open') this.#made();
      },
    );
  }

  /** The list goes into an encrypted scope of its own, as by sharing it so. */
  #keep(): void {
    this.#isKept = true;
    const { begun } = this.#program.part(sharing);
    begun.begin(this.#list);
    this.#asking.request(
      'Keeping it encrypted…',
      async (port) => {
        const kept = await keepEncrypted(this.#program, port, this.#list);
        return kept.ok ? await port.links.read(this.#list) : kept;
      },
      {
        arrived: (state) => this.#arrived(state),
        failed: (failure) => {
          this.#isKept = false;
          if (this.#program.dialog.isOf(this)) begun.end();
          else begun.failed(this.#list, this.#words(failure));
          this.#failed(failure);
        },
      },
    );
  }

  #made(): void {
    this.#step = this.#link === null ? 'sheet' : 'link';
    if (this.#link !== null)
      this.#asking.say('Anyone with this link can look. Choose what else they can do, then copy it.');
  }

  #copy(): void {
    const link = this.#state?.links.find(({ id }) => id === this.#link);
    const address = link === undefined ? null : addressOf(this.#program, this.#secrets, link);
    if (link === undefined || address === null) {
      this.#asking.say(link === undefined ? 'There’s no link to copy.' : missingWords(link), true);
      return;
    }
    const program = this.#program;
    void program.platform.copyText(address).then((isCopied) =>
      program.act(() => {
        if (isCopied)
          this.#asking.say(
            link.pausedAt === null
              ? 'Copied the link. Anyone who has it can open it.'
              : 'Copied the link. It’s paused, so nobody can open it now.',
          );
        else this.#asking.say('Your browser blocked the copy. Select the link and copy it by hand.', true);
        this.refresh();
      }),
    );
  }

  #permit(permission: LinkPermission): void {
    const link = this.#mine();
    if (link === null || !permissionsOf(link).includes(permission)) return;
    const isOn = !link.may[permission];
    const may: Partial<LinkMay> = { [permission]: isOn };
    this.#request(
      'Changing what visitors may do…',
      (port) => port.change(this.#list, link.id, { may }),
      () => this.#asking.say(`Visitors can ${isOn ? '' : 'no longer '}${permissionNames[permission]}.`),
    );
  }

  #rename(text: string): void {
    const link = this.#mine();
    const name = text.trim();
    if (link === null) return;
    if ([...name].length > publicNameCodePoints) {
      this.#asking.say(TOO_LONG, true);
      return;
    }
    // The field stays, with what was typed, until it is saved.
    this.#request(
      'Saving the name…',
      (port) => port.change(this.#list, link.id, { name: name === '' ? null : name }),
      () => {
        this.#step = 'link';
        this.#asking.say(name === '' ? 'Visitors see the list’s own name.' : `Visitors see ${quoted(name)}.`);
      },
    );
  }

  #pause(): void {
    const link = this.#mine();
    if (link === null) return;
    const isPaused = link.pausedAt === null;
    this.#request(
      isPaused ? 'Pausing…' : 'Resuming…',
      (port) => port.change(this.#list, link.id, { isPaused }),
      () =>
        this.#asking.say(
          isPaused
            ? 'Paused. The address shows nothing until you resume it.'
            : 'Resumed. The same address works again.',
        ),
    );
  }

  #setLogo(png: Uint8Array<ArrayBuffer> | null): void {
    const link = this.#mine();
    if (link === null) return;
    this.#request(
      png === null ? 'Removing the logo…' : 'Sending the logo…',
      (port) => port.setLogo(this.#list, link.id, png),
      () => this.#asking.say(png === null ? 'Removed the logo.' : 'Visitors see the logo.'),
    );
  }

  #answer(minutes: number | null): void {
    if (this.#asked === 'new') {
      this.#back();
      this.#create();
      return;
    }
    const link = this.#mine();
    const asked = this.#asked;
    if (link === null || asked === null) return;
    this.#back();
    if (asked === 'end') {
      this.#link = null;
      this.#step = 'sheet';
      this.#request(
        'Deleting the link…',
        (port) => port.end(this.#list, link.id),
        () => this.#asking.say('Deleted the link. Its address no longer works.'),
      );
    } else if (minutes !== null)
      this.#request(
        'Taking back…',
        (port) => port.undo(this.#list, link.id, minutes),
        ({ undone = 0 }) => {
          this.#program.engine.nudge();
          this.#asking.say(
            undone === 0
              ? 'Visitors changed nothing in that time that could be taken back.'
              : `Took back ${counted(undone, 'change')}.`,
          );
        },
      );
  }
}
