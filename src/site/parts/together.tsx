// Two people in one list: a recording of both their screens; on a phone, where these would be too small to read, of one, a phone.
import { Recording } from './recording.tsx';
import type { SiteWorld } from '../world.ts';

const TITLE = 'Two people in one list';

const SHOWS =
  'The same list in two windows. Mo goes to a task, which Ann sees, and completes it: it’s done in both. Ann adds “Buy candles” ' +
  'and takes it, and Mo sees whose it is.';

const SHOWS_BY_TOUCH =
  'A shared list on Ann’s phone. Mo’s color moves down the list with Mo, who completes “Defrost the freezer.” Ann taps the plus and ' +
  'adds “Buy candles.” Mo takes it, and Mo’s initials are on it.';

/** What stands beside the words about shared lists. */
export function Together({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="together">
      <div className="for-keys">
        <Recording
          world={world}
          film="moment-together"
          title={TITLE}
          shows={SHOWS}
          width={392}
          height={175}
        />
      </div>
      <div className="for-fingers">
        <Recording
          world={world}
          film="gesture-together"
          title={TITLE}
          shows={SHOWS_BY_TOUCH}
          width={350}
          height={430}
        />
      </div>
    </div>
  );
}
