// Sharing lists between people: who is in which list, what the server is asked, and what follows when a list comes or goes.
// The dialogs are lazy (lazy.ts); commands and keys are in sharing-commands.ts.
import { failed, ok } from '#core/result.ts';
import type { Id } from '#core/ids.ts';
import type { ChangeCause, RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { BegunSharing } from './begun.ts';
import { sharingFrames } from './frames.ts';
import { openInvitation } from './lazy.ts';
import { isOffline, needsServer } from './needs.ts';
import { dropUndo } from './leaving.ts';
import { OwnProfile } from './own-profile.ts';
import { companyOf, Members, namesOf, personView } from './people.ts';
import type { SharingAnswer, SharingFailure, SharingPort } from './port.ts';
import { sharingCommands, sharingKeys } from './sharing-commands.ts';
import type { PeopleView } from './sharing-view.ts';

/** Avatars in the header; further people are a number. */
const AVATARS = 5;

const NOT_HERE: SharingFailure = {
  type: 'offline',
  message: 'This needs the server. Go online and try again.',
};

/** What other code gets from `program.part(sharing)`. */
class Sharing implements PartHooks {
  readonly members: Members;
  readonly profile: OwnProfile;
  /** The list that is being shared from this device. */
  readonly begun: BegunSharing;
  readonly #program: Program;
  #port: SharingPort | null = null;
  /** A list that is to be opened once its rows are here, and what is said then. */
  #awaited: { readonly list: Id; readonly said: string } | null = null;
  /** A list that the person has left: its going needs no other words. */
  #left: { readonly list: Id; readonly name: string } | null = null;
  #drawn: unknown = null;
  #isIdle = false;
  /** The account whose profile was asked for. */
  #askedFor: number | null = null;
  /** Said once the place is settled: over the words for a place that is gone. */
  #words: string | null = null;
  /** How much waited in Recovered when a list went. */
  #recovered = 0;

  constructor(program: Program) {
    this.#program = program;
    this.members = new Members(program.replica);
    this.profile = new OwnProfile(program);
    this.begun = new BegunSharing(program);
    program.sidebar.peopleIn = ({ scope }) =>
      scope === program.replica.scope ? 0 : this.members.of(scope).length;
    program.sidebar.invalidate();
    program.later(() => this.#showKept());
  }

  /** Null: not asked for yet. */
  get port(): SharingPort | null {
    return this.#port;
  }

  /** Asks the server; where that cannot be, the answer says so. Never rejects. */
  async withPort<T>(ask: (port: SharingPort) => Promise<SharingAnswer<T>>): Promise<SharingAnswer<T>> {
    try {
      this.#port ??= await this.#program.platform.account.sharing();
    } catch {
      return failed(NOT_HERE);
    }
    return ask(this.#port);
  }

  /** Keeps an invitation until the person has signed in. */
  async keepInvitation(token: string): Promise<void> {
    await this.withPort((port) => Promise.resolve(ok(port.keepInvitation(token))));
  }

  /** Opens a list now, or as soon as its rows are here. */
  openWhenHere(list: Id, said: string): void {
    this.#awaited = { list, said };
    if (this.#open()) return;
    this.#program.say('The list is on its way…');
    this.#program.engine.nudge();
  }

  /** The person has left the list, whose rows go with the server's next answer. */
  left(list: Id, name: string): void {
    const { replica, engine } = this.#program;
    this.#left = { list, name };
    const scope = replica.row(list)?.scope;
    if (scope === undefined) this.#sayLeft('');
    else engine.nudge();
  }

  #sayLeft(undo: string): void {
    const left = this.#left;
    this.#left = null;
    if (left !== null)
      this.#words = `You left ${left.name}. To come back you need a new invitation link.${undo}`;
  }

  #open(): boolean {
    const awaited = this.#awaited;
    if (awaited === null || !this.#program.workspace.exists({ type: 'list', id: awaited.list })) return false;
    this.#awaited = null;
    this.#program.open({ type: 'list', id: awaited.list });
    this.#program.sidebar.cursor = awaited.list;
    this.#program.say(awaited.said);
    return true;
  }

  apply(changes: readonly RowChange[], cause: ChangeCause): void {
    if (this.members.apply(changes)) {
      this.#drawn = null;
      this.profile.invalidate();
      this.#program.sidebar.invalidate();
      this.#program.dialog.refresh();
    }
    if (cause !== 'remote') return;
    for (const { id, before, after } of changes)
      if (before?.type === 'list' && after === undefined && before.scope !== this.#program.replica.scope)
        this.#gone(id, before.scope, nameOf(before));
  }

  applied(): void {
    this.#open();
    this.tellShared();
  }

  /** Says that a list is shared now whose dialog isn’t there to say it. */
  tellShared(): void {
    const words = this.begun.words();
    if (words !== null) this.#words = words;
  }

  #gone(list: Id, scope: Id, name: string): void {
    const undo = dropUndo(this.#program, scope);
    const { dialog, engine } = this.#program;
    this.#recovered = engine.recovered.get().length;
    if (dialog.get()?.type === 'share' && this.members.of(scope).length === 0) dialog.close();
    if (this.#left?.list === list) this.#sayLeft(undo);
    else this.#words = `You’re no longer in ${quoted(name || 'Untitled')}.${undo}`;
  }

  settle(): void {
    const words = this.#words;
    this.#words = null;
    if (words === null) return;
    const isKept = this.#program.engine.recovered.get().length > this.#recovered;
    this.#program.say(isKept ? `${words} What you were writing is under “Show recovered changes.”` : words);
  }

  idle(): void {
    this.#isIdle = true;
    this.#askProfile();
    this.#lookAtBegun();
  }

  /** The app may have been closed before the server heard of it. */
  #lookAtBegun(): void {
    const { list } = this.begun;
    if (list === null || !this.begun.isEarlier) return;
    if (needsServer(this.#program) !== null || isOffline(this.#program)) return;
    void this.withPort((port) => port.read(list)).then((answer) => {
      if (answer.ok && answer.value.state === 'private')
        this.#program.act(() => this.begun.failed(list, 'The app was closed too early. Share it once more.'));
    });
  }

  /** Once for each account: what another device changed of the profile is in no row of somebody who shares nothing. */
  #askProfile(): void {
    const { account } = this.#program.replica;
    if (!this.#isIdle || account === this.#askedFor) return;
    if (needsServer(this.#program) !== null || isOffline(this.#program)) return;
    this.#askedFor = account;
    if (this.profile.isKnown) return;
    void this.withPort((port) => port.profile()).then((answer) => {
      if (answer.ok) this.#program.act(() => this.profile.keep(answer.value));
    });
  }

  draw(): void {
    const { workspace, replica } = this.#program;
    this.#program.me.set(this.profile.view());
    this.#askProfile();
    const { place, results } = workspace;
    const list =
      place.type === 'trash' || results !== null
        ? undefined
        : place.type === 'task'
          ? workspace.listOf(place.id)
          : replica.row(place.id);
    if (list === this.#drawn && list !== undefined) return;
    this.#drawn = list;
    const isShared = list !== undefined && list.scope !== replica.scope;
    this.#program.people.set(isShared ? this.#peopleOf(list) : null);
  }

  #peopleOf({ id, scope }: { readonly id: Id; readonly scope: Id }): PeopleView | null {
    const people = this.members
      .of(scope)
      .map(({ fields }) => personView(fields, this.#program.replica.account));
    if (people.length === 0) return null;
    return {
      list: id,
      shown: people.slice(0, AVATARS),
      more: Math.max(0, people.length - AVATARS),
      words: namesOf(people),
      company: companyOf(people),
    };
  }

  /** An invitation that waited in this tab: for the app to open, or for signing in. It is shown once. */
  #showKept(): void {
    void this.withPort((port) => {
      const token = port.keptInvitation();
      port.keepInvitation(null);
      return Promise.resolve(ok(token));
    }).then((kept) =>
      this.#program.act(() => {
        if (kept.ok && kept.value !== null) openInvitation(this.#program, kept.value);
      }),
    );
  }
}

/** Shared lists: members, and what the server is asked about them. */
export const sharing = definePart({
  name: 'Shared lists',
  create: (program) => new Sharing(program),
  commands: sharingCommands,
  keys: sharingKeys,
  dialogs: sharingFrames,
});
