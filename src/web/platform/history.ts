// Gives each place an entry in the browser's history, and each layer above it (dialog, palette, drawer) one more, so that Back
// closes what is open before it leads to the place before, or out of the app. The address stays the same: places are private.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import { timers } from './world.ts';

interface Entry {
  /** Which running app wrote it: positions of an earlier one mean nothing now. */
  readonly run: number;
  readonly visit: number;
  readonly place: string;
  /** How many layers lie above the place. */
  readonly layer: number;
}

interface Layer {
  readonly isThere: boolean;
  readonly close: () => void;
}

/** Asked for once: what asks again and again makes the browser look again and again. */
interface Media {
  readonly narrow: MediaQueryList;
  readonly coarse: MediaQueryList;
}

/**
 * Under keys the palette has its entry once it has been open this long: before that nobody presses Back to close it, and most
 * of the time the next keys have closed it.
 */
const PALETTE_MS = 120;

/** A browser that was asked to go somewhere has said by then that it is there. */
const LATE_MS = 2_000;

function isEntry(state: unknown): state is Entry {
  return (
    typeof state === 'object' &&
    state !== null &&
    'visit' in state &&
    'run' in state &&
    'place' in state &&
    'layer' in state
  );
}

/** A place of an earlier run, as far as a command leads there. */
function openPlace(app: App, place: string): void {
  const [type, id] = place.split(':');
  if (type === 'trash') app.run('go.trash');
  else if (id) app.run('go.list', { list: id as Id });
  // Nothing had been opened yet.
  else app.run('go.inbox');
}

/** What lies above the place, the topmost first. */
function layersOf(app: App, { narrow, coarse }: Media): readonly Layer[] {
  const { view } = app;
  const isNarrow = narrow.matches;
  // Beside the list these are parts of the screen; where they lie over it or have a bar of their own, Back is their way out.
  const isLayered = isNarrow || coarse.matches;
  const layer = (isThere: boolean, command: string): Layer => ({ isThere, close: () => app.run(command) });
  const menu = document.getElementById('add-menu');
  const layers = [
    layer(view.dialog.get() !== null, 'dialog.close'),
    layer(view.palette.get() !== null, 'palette.close'),
    { isThere: menu?.matches(':popover-open') === true, close: () => menu?.hidePopover() },
    layer(isNarrow && view.sidebar.visible.get(), 'view.sidebar'),
    layer(isNarrow && view.notes.get() !== null, 'notes.toggle'),
    layer(isLayered && view.status.get().selected > 0, 'outline.escape'),
    layer(isLayered && view.search.get() !== null, 'search.leave'),
  ];
  return layers.filter(({ isThere }) => isThere);
}

/** Closes what lies above the place until only so many layers are left; stops at one that does not close. */
function closeDownTo(app: App, media: Media, left: number): void {
  for (let layers = layersOf(app, media); layers.length > left;) {
    layers[0]?.close();
    const now = layersOf(app, media);
    if (now.length >= layers.length) return;
    layers = now;
  }
}

class Following {
  readonly #app: App;
  readonly #run: number;
  readonly #media: Media = {
    narrow: matchMedia('(width < 768px)'),
    coarse: matchMedia('(pointer: coarse)'),
  };
  /** The browser is on its way to where it was asked to go. */
  #isGoing = false;
  /** The delay after which the entries are brought in line; null: nothing is due. */
  #dueMs: number | null = null;
  #stopFollowing: () => void = () => undefined;
  /** Places by visit that the browser has not been told of: keys may lead through several before it is. */
  readonly #places = new Map<number, string>();
  #stopWaiting: () => void = () => undefined;
  /** The page is about to be left: going anywhere now would keep it from that. */
  #isLeaving = false;

  constructor(app: App, run: number) {
    this.#app = app;
    this.#run = run;
  }

  /**
   * The app or its layers changed. After the frame: nothing on the screen waits for the browser, and what one key closes and
   * opens is one change.
   */
  readonly follow = (): void => {
    const { visit } = this.#app.view;
    this.#places.set(visit.get(), this.#place);
    this.#keepUpIn(0);
  };

  /** The palette opened, closed or shows something else. */
  readonly followPalette = (): void => {
    const { narrow, coarse } = this.#media;
    if (narrow.matches || coarse.matches) this.follow();
    else this.#keepUpIn(PALETTE_MS);
  };

  /** What is asked for meanwhile is done at the same time, unless that is to be sooner. */
  #keepUpIn(ms: number): void {
    if (this.#dueMs === 0) return;
    this.#dueMs = ms;
    this.#stopFollowing();
    this.#stopFollowing = timers.after(ms, () => {
      this.#dueMs = null;
      this.#keepUp();
    });
  }

  readonly onPop = ({ state }: PopStateEvent): void => {
    if (this.#isGoing) {
      this.#arrive();
      return;
    }
    if (!isEntry(state)) return;
    const { visit } = this.#app.view;
    if (state.run !== this.#run) {
      // What was open above it then is not open now.
      if (state.layer > 0) this.#go(-state.layer);
      else {
        closeDownTo(this.#app, this.#media, 0);
        openPlace(this.#app, state.place);
        this.#claim(0);
      }
      return;
    }
    if (state.visit === visit.get()) closeDownTo(this.#app, this.#media, state.layer);
    else {
      closeDownTo(this.#app, this.#media, 0);
      const command = state.visit < visit.get() ? 'go.back' : 'go.forward';
      for (let left = Math.abs(state.visit - visit.get()); left > 0 && state.visit !== visit.get(); left -= 1)
        this.#app.run(command);
      // Places that are gone are passed over, and where none is left one stays.
      if (state.visit !== visit.get()) this.#go(visit.get() - state.visit);
    }
    this.follow();
  };

  readonly onLeave = (): void => {
    this.#isLeaving = true;
    // Where it was not left after all.
    timers.after(LATE_MS, () => {
      this.#isLeaving = false;
      this.follow();
    });
  };

  /** Says what the entry that the browser stands on is. */
  #claim(layer: number): void {
    history.replaceState(this.#entry(layer), '');
  }

  /** Begins where an earlier run may have ended with something open. */
  begin(): void {
    const { state } = history;
    if (isEntry(state) && state.layer > 0) this.#go(-state.layer);
    else {
      this.#claim(0);
      this.follow();
    }
  }

  end(): void {
    this.#stopWaiting();
    this.#stopFollowing();
  }

  get #place(): string {
    return this.#app.platform.preferences.get('place') ?? '';
  }

  #entry(layer: number): Entry {
    return { run: this.#run, visit: this.#app.view.visit.get(), place: this.#place, layer };
  }

  #go(by: number): void {
    this.#isGoing = true;
    this.#stopWaiting();
    this.#stopWaiting = timers.after(LATE_MS, () => this.#arrive());
    history.go(by);
  }

  #arrive(): void {
    const { state } = history;
    const { visit } = this.#app.view;
    this.#isGoing = false;
    this.#stopWaiting();
    const isOurs = isEntry(state) && state.run === this.#run;
    // It did not go, or came to where an earlier run wrote: from here on that is where the app is.
    if (!isOurs || state.visit > visit.get()) this.#claim(0);
    this.follow();
  }

  /** Brings the entries in line with the app. */
  #keepUp(): void {
    const { state } = history;
    if (this.#isGoing || this.#isLeaving || !isEntry(state) || state.run !== this.#run) return;
    const now = this.#app.view.visit.get();
    const layers = layersOf(this.#app, this.#media).length;
    let by = 0;
    let { layer } = state;
    if (state.visit > now) by = now - state.visit - layer;
    else if (state.visit < now && layer > 1) by = 1 - layer;
    else if (state.visit === now && layers < layer) by = layers - layer;
    if (by < 0) {
      this.#go(by);
      return;
    }
    for (let visit = state.visit + 1; visit <= now; visit += 1) {
      const entry = { ...this.#entry(0), visit, place: this.#places.get(visit) ?? this.#place };
      // A place that was chosen in a layer takes the layer's entry.
      if (layer === 1) history.replaceState(entry, '');
      else history.pushState(entry, '');
      layer = 0;
    }
    this.#places.clear();
    for (; layer < layers; layer += 1) history.pushState(this.#entry(layer + 1), '');
  }
}

/** Starts following; the returned function stops it. `run` differs from that of every earlier app in this tab. */
export function followHistory(app: App, run: number): () => void {
  const { view } = app;
  const following = new Following(app, run);
  const { follow, followPalette, onPop, onLeave } = following;
  const signals = [view.visit, view.dialog, view.sidebar.visible, view.notes, view.search];
  let { selected } = view.status.get();
  const stops = [
    ...signals.map((signal) => signal.subscribe(follow)),
    view.palette.subscribe(followPalette),
    // It says much more than how many are selected.
    view.status.subscribe(() => {
      const before = selected;
      selected = view.status.get().selected;
      if (before > 0 !== selected > 0) follow();
    }),
  ];
  window.addEventListener('popstate', onPop);
  window.addEventListener('beforeunload', onLeave);
  // The menu of the + opens by itself.
  document.addEventListener('toggle', follow, true);
  following.begin();
  return () => {
    for (const stop of stops) stop();
    window.removeEventListener('popstate', onPop);
    window.removeEventListener('beforeunload', onLeave);
    document.removeEventListener('toggle', follow, true);
    following.end();
  };
}
