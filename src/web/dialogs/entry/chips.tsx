// What quick entry knows of the task, as chips: the list it goes to, what was recognized, and what is only offered, which
// looks otherwise until it is taken. Beside them what can be chosen by hand, and Add.
import type { EntryQuestion, QuickEntryView, TokenView } from '#client/entry/entry-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon, type IconName, LineDrawing } from '../../parts/icon.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { focusLine } from './line.tsx';
import own from './quick-entry.module.css';

const PICTURES: Readonly<Partial<Record<TokenView['kind'], IconName>>> = {
  due: 'upcoming',
  start: 'start',
  snooze: 'moon',
  repeat: 'repeat',
  duration: 'clock',
  list: 'list',
};

/** What it says, once: an icon or the color of a label stands for the word before it. */
function Said({ token }: { readonly token: TokenView }) {
  const icon = PICTURES[token.kind];
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {token.color !== undefined && (
        <span className={own.color} style={{ '--ph-label': token.color } as React.CSSProperties} />
      )}
      <span className="visually-hidden">{token.lead}</span>
      <span className={own.said}>{token.said.slice(token.lead.length)}</span>
    </>
  );
}

function Refuse({ token, index }: { readonly token: TokenView; readonly index: number }) {
  const app = useApp();
  return (
    <button
      type="button"
      className={own.refuse}
      aria-label={token.text === '' ? `Leave out ${token.said}` : `Keep “${token.text}” as words`}
      onClick={() => {
        app.answer('quickEntry', { action: 'refuse', index });
        // The chip goes, and the focus with it: back to the line.
        focusLine();
      }}
    >
      <Icon name="close" size={12} />
    </button>
  );
}

/** What is taken by a press, or by Tab where it is next. */
function Offer({
  children,
  isNext,
  onTake,
}: {
  readonly children: React.ReactNode;
  readonly isNext: boolean;
  readonly onTake: () => void;
}) {
  return (
    <button
      type="button"
      className={own.take}
      onClick={() => {
        onTake();
        focusLine();
      }}
    >
      <Icon name="plus" size={12} />
      <span className="visually-hidden">Suggested: </span>
      {children}
      {isNext && <Keys caps={['Tab']} />}
    </button>
  );
}

/** Where it goes; pressed, it asks for another list. */
function ListChip({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const { list, tokens } = entry;
  const index = tokens.findIndex(({ kind, state }) => kind === 'list' && state === 'counts');
  const token = tokens[index];
  return (
    <li className={own.chip} data-state={list === null ? 'suggested' : 'given'} data-ph="entry-list">
      <button
        type="button"
        className={own.take}
        onClick={() => app.answer('quickEntry', { action: 'ask', what: 'list' })}
      >
        <Icon name={list?.isInbox === true ? 'inbox' : 'list'} />
        {list === null ? (
          'Choose a list'
        ) : (
          <>
            <span className="visually-hidden">List: </span>
            <span className={own.said}>{list.name}</span>
          </>
        )}
      </button>
      {token !== undefined && <Refuse token={token} index={index} />}
    </li>
  );
}

/** The list, then what is offered and what was recognized. */
export function Chips({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const { tokens, completions } = entry;
  const next = completions.length > 0 ? undefined : tokens.find(({ state }) => state === 'suggested');
  return (
    <ul className={own.chips} aria-label="What is known of the task">
      <ListChip entry={entry} />
      {completions.map((name, index) => (
        <li key={name} className={own.chip} data-state="suggested" data-ph="completion">
          <Offer isNext={index === 0} onTake={() => app.answer('quickEntry', { action: 'complete', index })}>
            {name}
          </Offer>
        </li>
      ))}
      {tokens.map((token, index) =>
        token.kind === 'list' && token.state === 'counts' ? null : (
          <li
            key={`${token.kind} ${token.state} ${token.said}`}
            className={own.chip}
            data-state={token.state}
            data-ph="token"
          >
            {token.state === 'suggested' ? (
              <Offer
                isNext={token === next}
                onTake={() => app.answer('quickEntry', { action: 'accept', index })}
              >
                <Said token={token} />
              </Offer>
            ) : (
              <span className={own.known}>
                <Said token={token} />
              </span>
            )}
            <Refuse token={token} index={index} />
          </li>
        ),
      )}
    </ul>
  );
}

const ASKED: readonly (readonly [icon: IconName, name: string, what: EntryQuestion])[] = [
  ['upcoming', 'Due', 'due'],
  ['label', 'Label', 'label'],
  ['folder', 'List', 'list'],
  ['repeat', 'Repeat', 'repeat'],
];

const RETURN = 'M13 3.5v3.75a2 2 0 0 1-2 2H3.25M6.25 6.25l-3 3 3 3';

/** What can be chosen by hand, and Add. */
export function Tools({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  return (
    <div className={own.tools}>
      {ASKED.map(([icon, name, what]) => (
        <button
          key={what}
          type="button"
          className={own.tool}
          aria-label={name}
          title={name}
          data-what={what}
          onClick={() => app.answer('quickEntry', { action: 'ask', what })}
        >
          <Icon name={icon} />
        </button>
      ))}
      {!entry.showsNotes && (
        <button
          type="button"
          className={own.tool}
          aria-label="Notes"
          title="Notes"
          onClick={() => app.answer('quickEntry', { action: 'notes', text: entry.notes })}
        >
          <Icon name="notes" />
        </button>
      )}
      <button type="submit" className={own.add}>
        <span className={own.addName}>Add</span>
        <Keys caps={['↵']} />
        <span className={own.addIcon}>
          <LineDrawing path={RETURN} size={20} />
        </span>
      </button>
    </div>
  );
}
