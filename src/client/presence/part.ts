// Live selection: people in a shared list see where the others are. Nothing is said, and little is done, unless the server has
// told that others are there. What is drawn is set beside the rows, which stay as they are.
import type { Id } from '#core/ids.ts';
import { mostSelected, presenceBeatMs, type There } from '#wire/presence.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { definePart, type PartHooks } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { toggle } from '../settings/setting.ts';
import { sharing } from '../sharing/part.ts';
import { namesOf, personView } from '../sharing/people.ts';
import type { PersonView } from '../sharing/sharing-view.ts';
import { type OtherPlace, Others } from './others.ts';
import type { PresencePort, SaidPlace } from './port.ts';
import type { OthersView, RowOthers } from './presence-view.ts';
import { Telling } from './telling.ts';

/** Avatars beside a row; further people are a number. */
const AVATARS = 3;

const showsPlace = toggle({
  key: 'showsPlace',
  title: 'Your place in shared lists',
  aliases: ['presence', 'live selection', 'avatar', 'invisible', 'hide me', 'who is here'],
  tab: 'General',
  scope: 'account',
  fallback: true,
  help: 'The others in a shared list see which task you are on while you have it open. If this is off they don’t; you still see them.',
});

type Writes = OtherPlace['who']['field'];

class Presence implements PartHooks {
  readonly #program: Program;
  readonly #others: Others;
  readonly #telling: Telling;
  #port: PresencePort | null = null;
  #stop: (() => void) | null = null;
  #isSeen = true;
  #isClosed = false;
  #cancelSweep: (() => void) | null = null;
  /** The scope that the people at the top are shown of. */
  #open: Id | null = null;

  constructor(program: Program) {
    const { replica, platform } = program;
    this.#program = program;
    this.#others = new Others(replica.account);
    this.#telling = new Telling({
      now: () => replica.now(),
      after: (delayMs, work) => platform.after(delayMs, () => !this.#isClosed && work()),
      say: (place) => this.#port?.say(place),
    });
    if (replica.account !== 0) this.#listen();
  }

  #listen(): void {
    const hears = {
      there: (news: There) => this.#hear(news),
      closed: () => this.#forget(),
      seen: (isSeen: boolean) => {
        this.#isSeen = isSeen;
        this.draw();
      },
    };
    this.#program.platform.account.live().then(
      (ports) => {
        if (this.#isClosed) return;
        const port = ports.presence();
        this.#port = port;
        const stops = [
          port.listen(hears),
          // A connection that nothing comes through takes a while to end.
          this.#program.engine.state.subscribe(() => {
            if (this.#isOffline) this.#forget();
          }),
        ];
        this.#stop = () => stops.forEach((stop) => stop());
      },
      // Without it nobody is seen, until the app is opened again.
      () => undefined,
    );
  }

  /** Asked and not answered: what the connection still brings may be long ago. */
  get #isOffline(): boolean {
    const state = this.#program.engine.state.get();
    return state.type === 'onDevice' && !state.online && state.asking !== true;
  }

  #hear(news: There): void {
    const { replica } = this.#program;
    if (this.#isOffline) return;
    this.#telling.pace(news);
    if (this.#others.take(news, replica.now())) this.#show();
    if (!this.#others.isEmpty) this.#sweepLater();
    this.draw();
  }

  #forget(): void {
    this.#telling.forget();
    if (this.#others.isAlone) return;
    this.#others.clear();
    this.#show();
    this.draw();
  }

  #sweepLater(): void {
    this.#cancelSweep ??= this.#program.platform.after(presenceBeatMs, () => {
      this.#cancelSweep = null;
      if (this.#isClosed) return;
      if (this.#others.expire(this.#program.replica.now())) this.#show();
      if (!this.#others.isEmpty) this.#sweepLater();
    });
  }

  apply(changes: readonly RowChange[]): void {
    if (this.#others.isEmpty) return;
    const isTheirs = ({ id, before, after }: RowChange) =>
      (after ?? before)?.type === 'member' || (this.#others.has(id) && before?.scope !== after?.scope);
    if (changes.some((change) => isTheirs(change))) this.#show();
  }

  draw(): void {
    if (this.#others.isAlone) return this.#telling.put(null);
    const open = this.#openScope();
    if (open !== this.#open) this.#show();
    this.#telling.put(this.#ownPlace(open));
  }

  close(): void {
    this.#telling.close();
    this.#isClosed = true;
    this.#cancelSweep?.();
    this.#stop?.();
  }

  /** Of the list that is open, or in which the open task is; null: it is not shared. */
  #openScope(): Id | null {
    const { workspace, replica } = this.#program;
    const { place, results } = workspace;
    const row = place.type === 'trash' || results !== null ? undefined : replica.row(place.id);
    return row === undefined || row.scope === replica.scope ? null : row.scope;
  }

  /** Null: it is not to be told, or there is nobody to tell. */
  #ownPlace(open: Id | null): SaidPlace | null {
    const { workspace, replica, editor, settings, pane, notesList } = this.#program;
    const { cursorRow: row, selection, place } = workspace;
    const isOnTask = row !== undefined && row.scope !== replica.scope && place.type !== 'trash';
    const scope = isOnTask ? row.scope : open;
    if (scope === null || !this.#isSeen || !this.#others.hasCompany(scope) || !settings.get(showsPlace))
      return null;
    const sel = selection.first(mostSelected).filter((id) => replica.row(id)?.scope === scope);
    const at = { scope, sel, focus: isOnTask ? row.id : null, n: selection.size };
    if (isOnTask && editor.title?.id === row.id) return { ...at, field: 'title' };
    return isOnTask && pane === 'notes' && notesList === null ? { ...at, field: 'notes' } : at;
  }

  /** Draws the others, and nothing else. */
  #show(): void {
    this.#open = this.#openScope();
    const { others } = this.#program;
    others.set(this.#others.isEmpty ? null : this.#view(this.#open));
  }

  #view(open: Id | null): OthersView {
    const people = open === null ? [] : this.#people(this.#others.in(open)).map(({ person }) => person);
    return {
      on: (task) => this.#on(task),
      here: new Set(people.map(({ account }) => account)),
      words: people.length === 0 ? '' : `Here now: ${namesOf(people)}`,
    };
  }

  #on(task: Id): RowOthers | null {
    if (!this.#others.has(task)) return null;
    const scope = this.#program.replica.row(task)?.scope;
    const places = [...this.#others.on(task)].filter((place) => place.scope === scope);
    const people = this.#people(places, task);
    if (people.length === 0) return null;
    return {
      people: people.slice(0, AVATARS).map(({ person, field }) => ({ ...person, writes: field === 'title' })),
      more: Math.max(0, people.length - AVATARS),
      words: people.map(({ person, field }) => `${person.name} ${doing(field)}`).join(', '),
    };
  }

  /** Each person once, whatever pages and devices they have, and what they write of the task on any of them. */
  #people(
    places: Iterable<OtherPlace>,
    task?: Id,
  ): readonly { readonly person: PersonView; readonly field: Writes }[] {
    const { replica } = this.#program;
    const found = new Map<number, { readonly person: PersonView; readonly field: Writes }>();
    for (const { scope, who } of places) {
      const known = found.get(who.account);
      const member = this.#program
        .part(sharing)
        .members.of(scope)
        .find(({ fields }) => fields.account === who.account);
      const field = who.focus === task ? who.field : undefined;
      if (known && field !== undefined) found.set(who.account, { ...known, field });
      else if (!known && member)
        found.set(who.account, { person: personView(member.fields, replica.account), field });
    }
    return [...found.values()];
  }
}

function doing(field: Writes): string {
  if (field === 'title') return 'is writing the title';
  return field === 'notes' ? 'is writing the notes' : 'is here';
}

/** People in shared lists see each other's places. */
export const presence = definePart({
  name: 'Live selection',
  create: (program): PartHooks => new Presence(program),
  settings: [showsPlace],
});
