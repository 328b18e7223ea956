// The command palette: always in the document, with what it showed last. While closed it is only not visible, so that opening
// it makes no elements and lays none out. Not a modal dialog, which makes the rest inert and costs half a frame; the focus
// trap is the projection of focus.
import { counted } from '#core/counted.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { meantKey } from '#client/keys/stroke.ts';
import type { PaletteItemView, PaletteView } from '#client/palette/palette-view.ts';
import { useApp } from '../parts/app-context.ts';
import { useDrawn } from '../parts/drawn.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { SaidKeys } from '../parts/said-keys.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { Month } from './month.tsx';
import { PaletteIconOf } from '../parts/palette-icon.tsx';
import { placeBeside } from './beside.ts';
import styles from './palette.module.css';

const SAY_ACTIVE_MS = 120;
const SAY_COUNT_MS = 500;

/** Which of the tasks it is asked for have it: by sign and by word. */
const STATES = {
  all: { icon: 'check', said: 'on' },
  some: { icon: 'minus', said: 'on some' },
  none: { icon: null, said: 'off' },
} as const;

function State({ state }: { readonly state: NonNullable<PaletteItemView['state']> }) {
  const { icon, said } = STATES[state];
  return (
    <span className={styles.state}>
      {icon !== null && <Icon name={icon} />}
      <span className="visually-hidden">{said}</span>
    </span>
  );
}

function Highlighted({
  text,
  ranges,
}: {
  readonly text: string;
  readonly ranges: PaletteItemView['matches'];
}) {
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) parts.push(text.slice(at, start));
    parts.push(
      <b key={start} className={styles.match}>
        {text.slice(start, end)}
      </b>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}

function Item({
  item,
  index,
  count,
  active,
}: {
  readonly item: PaletteItemView;
  readonly index: number;
  readonly count: number;
  readonly active: boolean;
}) {
  const element = useRef<HTMLDivElement>(null);
  const hint = item.unavailable ?? item.hint;
  const isFirst = index === 0;
  const wasDrawn = useRef(false);
  useLayoutEffect(() => {
    // A list begins at its first item: scrolling there would make the browser lay the page out once more.
    if (active && (!isFirst || wasDrawn.current)) element.current?.scrollIntoView({ block: 'nearest' });
    wasDrawn.current = true;
  }, [active, isFirst]);
  return (
    <div
      ref={element}
      id={`opt-${item.id}`}
      className={styles.item}
      role="option"
      aria-selected={active}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-disabled={item.unavailable === null ? undefined : true}
      data-item={index}
      style={item.color === undefined ? undefined : ({ '--item-color': item.color } as React.CSSProperties)}
    >
      {item.icon && <PaletteIconOf name={item.icon} />}
      <span className={styles.said}>
        <span className={styles.name}>
          <Highlighted text={item.title} ranges={item.matches} />
        </span>
        {hint !== '' && <span className={styles.hint}>{hint}</span>}
      </span>
      {item.state && <State state={item.state} />}
      <Keys caps={item.keys} />
    </div>
  );
}

interface Section {
  readonly heading: string | null;
  /** Of its first item. */
  readonly from: number;
  readonly items: readonly PaletteItemView[];
}

/** What stands under one heading: the heading is above it also where the list grows upwards. */
function sectionsOf(items: readonly PaletteItemView[]): readonly Section[] {
  const starts = items.flatMap(({ heading }, index) => (index === 0 || heading !== null ? [index] : []));
  return starts.map((from, at) => ({
    heading: items[from]?.heading ?? null,
    from,
    items: items.slice(from, starts[at + 1]),
  }));
}

/** "Snooze, key s, Commands, 1 of 8" */
function sayItem(item: PaletteItemView, index: number, count: number): string {
  const key = item.keys.length === 0 ? '' : `key ${item.keys.join(' ')}`;
  const state = item.state ? STATES[item.state].said : '';
  const parts = [item.title, state, key, item.unavailable ?? item.kind ?? '', `${index + 1} of ${count}`];
  return parts.filter((part) => part !== '').join(', ');
}

/** VoiceOver does not follow an active descendant reliably, so there the choice is also said. */
function usePaletteVoice(palette: PaletteView | null): React.RefObject<HTMLDivElement | null> {
  const app = useApp();
  const voice = useRef<HTMLDivElement>(null);
  const count = palette?.items.length ?? 0;
  const query = palette?.query ?? '';
  const item = palette?.items[palette.active];
  const active = palette?.active ?? -1;
  const said = item && app.platform.apple ? sayItem(item, active, count) : '';
  const news = useSignal(app.view.announcement);
  const isOpen = palette !== null;
  useEffect(() => {
    // What is said elsewhere meanwhile is not heard from outside a dialog.
    if (isOpen && app.platform.apple && news.n > 0 && voice.current) voice.current.textContent = news.text;
  }, [app, isOpen, news]);
  const trail = palette ? [...palette.steps, palette.prompt].join(', ') : '';
  const hasSteps = (palette?.steps.length ?? 0) > 0;
  const hadSteps = useRef(false);
  useEffect(() => {
    if (said === '') return undefined;
    return app.platform.after(SAY_ACTIVE_MS, () => {
      if (voice.current) voice.current.textContent = said;
    });
  }, [app, said]);
  useEffect(() => {
    // Where the way leads, forwards and back; nothing where it begins.
    if ((hasSteps || hadSteps.current) && voice.current) voice.current.textContent = trail;
    hadSteps.current = hasSteps;
  }, [trail, hasSteps]);
  useEffect(() => {
    if (query === '') return undefined;
    return app.platform.after(SAY_COUNT_MS, () => {
      if (voice.current) voice.current.textContent = counted(count, 'result');
    });
  }, [app, query, count]);
  return voice;
}

/** What a question is about, where its row may be under it; what a key does otherwise stands here. */
function Asked({ palette }: { readonly palette: PaletteView }) {
  const app = useApp();
  const none = palette.month === null ? -1 : palette.items.findIndex(({ id }) => id === NONE);
  const press = (name: string, className: string | undefined, work: () => void) => (
    <button
      type="button"
      className={className}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={work}
    >
      {name}
    </button>
  );
  return (
    <div className={styles.asked}>
      <div className={styles.about}>
        <h2 id="palette-title" className={styles.askedTitle} tabIndex={-1}>
          {palette.steps.join(' › ')}
        </h2>
        {palette.subject !== null && <p className={styles.subject}>{palette.subject}</p>}
      </div>
      {none >= 0 && palette.query === '' && press('Clear', styles.clear, () => app.pressPaletteItem(none))}
      {palette.month !== null &&
        palette.query !== '' &&
        press('Set', styles.set, () => app.run('palette.accept'))}
      <Close />
    </div>
  );
}

function Close() {
  const app = useApp();
  return (
    <button
      type="button"
      className={styles.close}
      aria-label="Close"
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.run('palette.close')}
    >
      <Icon name="close" size={20} />
    </button>
  );
}

/** The choice of a date that takes the date away. */
const NONE = 'pick.none';

/** `opening`: which opening of the palette it is shown in; each begins at the top of the list. */
function Content({ palette, opening }: { readonly palette: PaletteView; readonly opening: number }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isScrolled = useRef(false);
  const { query, active } = palette;
  const of = `${opening} ${query}`;
  const { drawn, growIfNear } = useDrawn(list, { of, count: palette.items.length, active });
  useLayoutEffect(() => {
    // Asking where it stands would make the browser lay the page out.
    if (isScrolled.current && list.current) list.current.scrollTop = 0;
    isScrolled.current = false;
  }, [opening]);
  useLayoutEffect(() => {
    // Steps and prefixes change the text; typing comes back equal.
    if (input.current && input.current.value !== query) input.current.value = query;
  }, [query]);
  const chosen = palette.items[active];
  return (
    <>
      {palette.steps.length > 0 && <Asked palette={palette} />}
      <div className={styles.line}>
        {palette.steps.length === 0 && <PaletteIconOf name="command" />}
        {palette.steps.map((step, index) => (
          <span key={`${index}.${step}`} className={styles.step}>
            {step}
          </span>
        ))}
        <input
          ref={input}
          id="palette-input"
          className={styles.input}
          data-narrows={palette.isChosen ? '' : undefined}
          type="text"
          role="combobox"
          aria-label={palette.prompt || 'Command or place'}
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `opt-${chosen.id}` : undefined}
          aria-describedby={palette.note === null ? 'palette-help' : 'palette-note palette-help'}
          placeholder={palette.prompt}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          defaultValue={query}
          onInput={(event) => app.paletteInput(event.currentTarget.value)}
        />
        <Close />
      </div>
      <div className={styles.body}>
        <div
          ref={list}
          id="palette-list"
          className={styles.list}
          onScroll={() => {
            isScrolled.current = true;
            growIfNear();
          }}
          role="listbox"
          aria-label="Results"
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            const item =
              event.target instanceof Element ? event.target.closest<HTMLElement>('[data-item]') : null;
            if (item) app.pressPaletteItem(Number(item.dataset['item']));
          }}
        >
          {sectionsOf(palette.items.slice(0, drawn)).map(({ heading, from, items }) => (
            <div key={from} className={styles.section} role="presentation">
              {heading !== null && (
                <div className={styles.heading} role="presentation">
                  {heading}
                </div>
              )}
              {items.map((item, index) => (
                <Item
                  key={item.id}
                  item={item}
                  index={from + index}
                  count={palette.items.length}
                  active={from + index === active}
                />
              ))}
            </div>
          ))}
        </div>
        {palette.month !== null && <Month month={palette.month} />}
      </div>
      {palette.note !== null && (
        <p id="palette-note" className={styles.note} aria-live="polite">
          {palette.note}
        </p>
      )}
      {palette.items.length === 0 && <p className={styles.none}>Nothing matches.</p>}
    </>
  );
}

/** What Enter does with the active item. */
function verbOf({ items, active, steps }: PaletteView): string {
  if ((items[active]?.unavailable ?? null) !== null) return 'why not';
  return steps.length === 0 ? 'run' : 'accept';
}

/** What another key does: said beside it, and pressed where there are no keys. */
function Act({
  act,
  command,
}: {
  readonly act: NonNullable<PaletteView['second']>;
  readonly command: string;
}) {
  const app = useApp();
  return (
    <button
      type="button"
      className={styles.act}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.run(command)}
    >
      <SaidKeys caps={act.keys} /> <span className={styles.verb}>{act.verb}</span>
    </button>
  );
}

/** What is shown: what is open, or was open last; and which opening that is, counted from 1. */
interface Shown {
  readonly palette: PaletteView | null;
  readonly isOpen: boolean;
  readonly opening: number;
}

/** Keeps what was open last. */
function useShown(palette: PaletteView | null): Shown {
  const [shown, setShown] = useState<Shown>({ palette: null, isOpen: false, opening: 0 });
  const isOpen = palette !== null;
  if (isOpen === shown.isOpen && (!isOpen || palette === shown.palette)) return shown;
  const opening = isOpen && !shown.isOpen ? shown.opening + 1 : shown.opening;
  const now = { palette: palette ?? shown.palette, isOpen, opening };
  setShown(now);
  return now;
}

/** Longer than this nobody holds what was pressed. */
const PRESS_MS = 1_000;

/** Lets nothing hear of the click that belongs to the press under way. */
function swallowClick(): void {
  const stop = new AbortController();
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    stop.abort();
  };
  window.addEventListener('click', swallow, { capture: true, signal: stop.signal });
  // The next press is another one.
  window.addEventListener('pointerdown', () => stop.abort(), { capture: true, signal: stop.signal });
  setTimeout(() => stop.abort(), PRESS_MS);
}

/** A press outside closes it and does nothing else: what lies beneath is not pressed as well. */
function useClosing(popup: React.RefObject<HTMLElement | null>, isOpen: boolean): void {
  const app = useApp();
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && popup.current?.contains(event.target)) return;
      event.preventDefault();
      app.run('palette.close');
      swallowClick();
    };
    window.addEventListener('pointerdown', onPointerDown, { capture: true });
    return () => window.removeEventListener('pointerdown', onPointerDown, { capture: true });
  }, [app, popup, isOpen]);
}

export function Palette() {
  const app = useApp();
  const open = useSignal(app.view.palette);
  const { palette, isOpen, opening } = useShown(open);
  const popup = useRef<HTMLDivElement>(null);
  const voice = usePaletteVoice(open);
  useClosing(popup, isOpen);
  const about = palette?.about ?? null;

  useLayoutEffect(() => {
    if (popup.current) placeBeside(popup.current, about);
  }, [about, opening]);

  return (
    <div
      ref={popup}
      className={styles.palette}
      role="dialog"
      aria-modal="true"
      aria-label="Command palette"
      data-ph="palette"
      data-open={isOpen ? '' : undefined}
      data-asks={palette && palette.steps.length > 0 ? '' : undefined}
      data-narrows={palette?.isChosen === true && palette.stay === null ? '' : undefined}
      data-quick={palette?.month && palette.query === '' ? '' : undefined}
      onKeyDown={(event) => {
        // The field is the only stop inside.
        if (meantKey(event) === 'Tab') event.preventDefault();
      }}
    >
      {palette && <Content palette={palette} opening={opening} />}
      {palette && <Help palette={palette} />}
      <div ref={voice} className="visually-hidden" role="status" aria-live="polite" />
    </div>
  );
}

/** The keys, and what they do with the active item. */
function Help({ palette }: { readonly palette: PaletteView }) {
  const { month, refine, second, stay } = palette;
  return (
    <p id="palette-help" className={styles.help}>
      <span className={styles.key}>
        <SaidKeys caps={['↵']} /> {verbOf(palette)}
      </span>
      {second && <Act act={second} command="palette.second" />}
      {month && (
        <span className={styles.key}>
          <SaidKeys caps={['Tab']} /> {month.isFocused ? 'field' : 'calendar'}
        </span>
      )}
      {stay && (
        <span className={styles.stay}>
          <Act act={stay} command="palette.acceptAndStay" />
        </span>
      )}
      {refine && <Act act={refine} command="palette.refine" />}
      <span className={styles.key}>
        <SaidKeys caps={['Esc']} /> back
      </span>
    </p>
  );
}
