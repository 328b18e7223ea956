// Keys as they stand on the visitor's keyboard. Both kinds are in the page; the style sheet shows the one that fits.
import { Fragment } from 'react';
import type { Caps, CommandKeys, SiteWorld } from '../world.ts';

const NAMES: Readonly<Record<string, string>> = {
  '⌘': 'Command',
  '⌥': 'Option',
  '⇧': 'Shift',
  '⌃': 'Control',
  '↵': 'Enter',
  '⌫': 'Backspace',
  '⎋': 'Escape',
  '⇥': 'Tab',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
};

/** One keycap for each stroke of a chord. */
function CapRow({ caps, kind }: { readonly caps: Caps; readonly kind: 'apple' | 'other' | 'both' }) {
  return (
    <span className={`keys keys-${kind}`}>
      {caps.map((cap, index) => (
        <Fragment key={index}>
          {index > 0 ? ' ' : ''}
          <kbd title={NAMES[cap]}>{cap}</kbd>
        </Fragment>
      ))}
    </span>
  );
}

const same = (one: Caps | undefined, two: Caps | undefined) => one?.join(' ') === two?.join(' ');

/** The first way to press a command, or all of them. */
export function CommandCaps({ command, all }: { readonly command: CommandKeys; readonly all?: true }) {
  const count = all ? Math.max(command.apple.length, command.other.length) : 1;
  if (command.apple.length === 0 && command.other.length === 0)
    return <span className="keys keys-none">palette</span>;
  return (
    <>
      {Array.from({ length: count }, (_, index) => {
        const [apple, other] = [command.apple[index], command.other[index]];
        const gap = index > 0 ? ' ' : '';
        if (apple && same(apple, other))
          return (
            <Fragment key={index}>
              {gap}
              <CapRow caps={apple} kind="both" />
            </Fragment>
          );
        return (
          <Fragment key={index}>
            {gap}
            {apple ? <CapRow caps={apple} kind="apple" /> : null}
            {other ? <CapRow caps={other} kind="other" /> : null}
          </Fragment>
        );
      })}
    </>
  );
}

/** A command that `source` speaks of; the build stops when there is none. */
export function commandOf(world: SiteWorld, id: string, source: string): CommandKeys {
  const command = world.commands[id];
  if (!command) throw new Error(`${source}: there is no command "${id}"`);
  return command;
}

/** The keys of a command by its id: the first way to press it. */
export function KeysOf({ world, id }: { readonly world: SiteWorld; readonly id: string }) {
  return <CommandCaps command={commandOf(world, id, 'The front page')} />;
}

const APPLE: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Alt: '⌥',
  Shift: '⇧',
  Ctrl: '⌃',
  Enter: '↵',
  Backspace: '⌫',
};
const OTHER: Readonly<Record<string, string>> = { Mod: 'Ctrl', Enter: '↵' };

/** Keys that belong to no command, as written: `Mod+K`, or strokes of a chord: `g i`. */
export function LiteralCaps({ keys }: { readonly keys: string }) {
  const strokes = keys.split(' ');
  const apple = strokes.map((stroke) =>
    stroke
      .split('+')
      .map((key) => APPLE[key] ?? key)
      .join(''),
  );
  const other = strokes.map((stroke) =>
    stroke
      .split('+')
      .map((key) => OTHER[key] ?? key)
      .join('+'),
  );
  return <CommandCaps command={{ title: keys, apple: [apple], other: [other] }} />;
}
