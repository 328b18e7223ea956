// A question of quick entry, under the task that is being written: a field that reads words, the answers, and a month for a
// day. client/entry/question.ts decides what is offered.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { EntryQuestionView } from '#client/entry/entry-view.ts';
import type { PaletteItemView } from '#client/palette/palette-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { PaletteIconOf } from '../../parts/palette-icon.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { firstIn } from '../../views/focus.ts';
import { Month } from '../../views/month.tsx';
import { focusLine } from './line.tsx';
import own from './question.module.css';

function Answer({
  item,
  index,
  isActive,
}: {
  readonly item: PaletteItemView;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  const { title, hint, icon, color, state, unavailable } = item;
  return (
    <div
      id={`entry-${item.id}`}
      role="option"
      aria-selected={isActive}
      aria-checked={state === undefined ? undefined : state === 'all'}
      aria-disabled={unavailable === null ? undefined : true}
      className={own.answer}
      data-ph="entry-answer-option"
      data-offer={icon === 'plus' ? '' : undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.answer('quickEntry', { action: 'pick', index })}
    >
      {icon && <PaletteIconOf name={icon} />}
      {color !== undefined && icon === undefined && (
        <span className={own.color} style={{ '--ph-label': color } as React.CSSProperties} />
      )}
      <span className={own.name}>{title}</span>
      <span className={own.hint}>{unavailable ?? hint}</span>
      {state === 'all' && <Icon name="check" />}
    </div>
  );
}

export function Question({ question }: { readonly question: EntryQuestionView }) {
  const app = useApp();
  const section = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { title, prompt, query, items, active, note, month } = question;
  useLayoutEffect(() => {
    if (section.current) firstIn(section.current).focus();
    return focusLine;
  }, []);
  useLayoutEffect(() => {
    // The month writes its day into it; typing comes back equal.
    if (input.current && input.current.value !== query) input.current.value = query;
  }, [query]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, items]);
  const chosen = items[active];
  return (
    <section
      ref={section}
      className={own.question}
      aria-labelledby="entry-question"
      data-ph="entry-question"
      data-quick={month !== null && query === '' ? '' : undefined}
    >
      <div className={own.head}>
        <h2 id="entry-question" className={own.title}>
          {title}
        </h2>
        {month !== null && query !== '' && (
          <button
            type="button"
            className={own.set}
            onClick={() => app.answer('quickEntry', { action: 'pick' })}
          >
            Set
          </button>
        )}
        <button
          type="button"
          className={own.close}
          aria-label="Back to the task"
          onClick={() => app.answer('quickEntry', { action: 'leaveQuestion' })}
        >
          <Icon name="close" size={20} />
        </button>
      </div>
      <input
        ref={input}
        className={own.field}
        data-first=""
        data-narrows=""
        type="text"
        role="combobox"
        aria-label={title}
        aria-expanded={items.length > 0}
        aria-controls="entry-answers"
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `entry-${chosen.id}` : undefined}
        aria-describedby={note === null ? undefined : 'entry-note'}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="done"
        placeholder={prompt}
        defaultValue={query}
        onInput={(event) => app.answer('quickEntry', { action: 'filter', text: event.currentTarget.value })}
        {...keysIn('list')}
      />
      <div className={own.body}>
        <div
          ref={list}
          id="entry-answers"
          role="listbox"
          aria-label={title}
          className={own.answers}
          tabIndex={-1}
        >
          {items.map((item, index) => (
            <Answer key={item.id} item={item} index={index} isActive={index === active} />
          ))}
        </div>
        {month !== null && (
          <Month
            month={month}
            onTurn={(months) => app.answer('quickEntry', { action: 'step', step: { months } })}
            onDay={(day) => app.answer('quickEntry', { action: 'day', day })}
          />
        )}
      </div>
      {note !== null && (
        <p id="entry-note" className={own.note}>
          {note}
        </p>
      )}
    </section>
  );
}
