// The label picker: a field to find or name a label, the list below it. The field keeps the focus; arrows
// choose, Enter puts a label on or takes it off. client/labels decides what is shown.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { LabelChoiceView, LabelPickerView } from '#client/labels/label-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import styles from './dialog.module.css';
import own from './labels.module.css';
import { keysIn } from '../platform/input/options.ts';

const CHECKED = { all: true, some: 'mixed', none: false } as const;
const optionId = (index: number) => `label-choice-${index}`;

/** A tick for one of many, a dot for one at most, a dash where only some tasks have it. */
function Mark({ choice }: { readonly choice: LabelChoiceView }) {
  const { state, exclusive } = choice;
  return (
    <span className={own.mark} data-round={exclusive ? '' : undefined} aria-hidden="true">
      {state === 'some' && <span className={own.dash} />}
      {state === 'all' && (exclusive ? <span className={own.dot} /> : <Icon name="check" size={12} />)}
    </span>
  );
}

function Choice({
  choice,
  index,
  isActive,
}: {
  readonly choice: LabelChoiceView;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  const isNew = choice.id === null;
  return (
    <div
      id={optionId(index)}
      role="option"
      aria-selected={isActive}
      aria-checked={isNew ? undefined : CHECKED[choice.state]}
      className={own.choice}
      data-ph="label-choice"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.answer('labels', { action: 'pick', index, staysOpen: true })}
    >
      {isNew ? <Icon name="plus" /> : <Mark choice={choice} />}
      {!isNew && (
        <span
          className={own.color}
          style={{ '--ph-label': choice.color } as React.CSSProperties}
          aria-hidden="true"
        />
      )}
      <span className={own.name}>{isNew ? `Create ‘${choice.name}’` : choice.name}</span>
      {choice.isPrivate && <span className={styles.detail}>private</span>}
      <span className={own.note}>
        {choice.group !== null && <span className={styles.detail}>{choice.group}</span>}{' '}
        {choice.note !== '' && <span>{choice.note}</span>}
      </span>
      <Keys caps={choice.keys} />
    </div>
  );
}

export function LabelPicker({ picker }: { readonly picker: LabelPickerView }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { choices, active, query } = picker;
  useLayoutEffect(() => {
    if (input.current && input.current.value !== query) input.current.value = query;
  }, [query]);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, choices]);

  return (
    <div className={`${styles.form} ${own.picker}`}>
      <div className={own.head}>
        <h2 className={own.title}>
          <span className={own.byKey}>{picker.title}</span>
          <span className={own.byTouch}>Labels</span>
        </h2>
        <button type="button" className={own.close} aria-label="Close" onClick={() => app.closeDialog()}>
          <Icon name="close" size={20} />
        </button>
        <p className={own.subject}>{picker.subject}</p>
      </div>
      <input
        ref={input}
        className={styles.input}
        data-first=""
        data-narrows=""
        type="text"
        role="combobox"
        aria-label="Find or create a label"
        aria-expanded={choices.length > 0}
        aria-controls="label-choices"
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? optionId(active) : undefined}
        aria-describedby="label-help"
        autoComplete="off"
        spellCheck={false}
        placeholder="Find or create a label"
        defaultValue={query}
        onInput={(event) => app.answer('labels', { action: 'filter', text: event.currentTarget.value })}
        {...keysIn('dialog.labels', 'list')}
      />
      <div
        ref={list}
        id="label-choices"
        role="listbox"
        aria-label="Labels"
        aria-multiselectable="true"
        className={own.list}
        tabIndex={-1}
      >
        {choices.map((choice, index) => (
          <Choice key={choice.id ?? 'new'} choice={choice} index={index} isActive={index === active} />
        ))}
      </div>
      {choices.length === 0 && (
        <p className={styles.rule}>No labels yet. Type a name and press Enter to add one.</p>
      )}
      <p role="status" className={own.answer} data-ph="label-answer">
        {picker.answer}
      </p>
      <p id="label-help" className={own.help}>
        <span>
          <Keys caps={app.keysOf('options.choose')[0]} /> add or remove
        </span>
        <span>
          <Keys caps={app.keysOf('options.chooseAndStay')[0]} /> and stay
        </span>
        <span>
          <Keys caps={app.keysOf('options.complete')[0]} /> complete
        </span>
        <span>
          <Keys caps={[',']} /> another
        </span>
        <button type="button" className={own.link} onClick={() => app.run('label.manage')}>
          Manage labels
        </button>
      </p>
    </div>
  );
}
