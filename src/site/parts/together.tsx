// Two people in one list: a recording of both their screens; on a phone, where it would be too small to read, a drawing of one.
import { Recording } from './recording.tsx';
import type { SiteWorld } from '../world.ts';

const SHOWS =
  'The same list in two windows. Mo goes to a task, which Ann sees, and completes it: it’s done in both. Ann adds “Buy candles” ' +
  'and takes it, and Mo sees whose it is.';

const ROWS: readonly (readonly [
  title: string,
  look: 'done' | 'theirs' | 'plain' | 'mine',
  person: string,
])[] = [
  ['Put the trash out', 'done', ''],
  ['Defrost the freezer', 'theirs', 'MO'],
  ['Call the plumber', 'plain', ''],
  ['Buy candles', 'mine', 'AN'],
];

function Drawing() {
  return (
    <div className="together-drawing for-fingers" aria-hidden="true">
      <strong>Household</strong>
      <small>With Mo</small>
      {ROWS.map(([title, look, person]) => (
        <span key={title} className={`together-row ${look}`}>
          <span className="demo-box" /> <span>{title}</span>
          {person !== '' && <b>{person}</b>}
        </span>
      ))}
    </div>
  );
}

/** What stands beside the words about shared lists. */
export function Together({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="together">
      <div className="for-keys">
        <Recording
          world={world}
          film="moment-together"
          title="Two people in one list"
          shows={SHOWS}
          width={392}
          height={179}
        />
      </div>
      <Drawing />
    </div>
  );
}
