// The label picker: a field to find or name a label, the list below it. The field keeps the focus; arrows
// choose, Enter puts a label on or takes it off. client/labels decides what is shown.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { LabelChoiceView, LabelPickerView, LabelSectionView } from '#client/labels/label-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { SaidKeys } from '../parts/said-keys.tsx';
import own from './label-picker.module.css';
import { keysIn } from '../platform/input/options.ts';

const CHECKED = { all: true, some: 'mixed', none: false } as const;
const optionId = (index: number) => `label-choice-${index}`;

/** A tick; a dash where only some tasks have it. */
function Mark({ state }: Pick<LabelChoiceView, 'state'>) {
  return (
    <span className={own.mark} aria-hidden="true">
      {state === 'some' && <span className={own.dash} />}
      {state === 'all' && <Icon name="check" />}
    </span>
  );
}

interface ChoiceProps {
  readonly choice: LabelChoiceView;
  readonly index: number;
  readonly isActive: boolean;
  /** Its group stands over it. */
  readonly isGrouped: boolean;
}

function Choice({ choice, index, isActive, isGrouped }: ChoiceProps) {
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
      {isNew ? (
        <span className={own.mark}>
          <Icon name="plus" />
        </span>
      ) : (
        <>
          <Mark state={choice.state} />
          <span
            className={own.color}
            style={{ '--ph-label': choice.color } as React.CSSProperties}
            aria-hidden="true"
          />
        </>
      )}
      <span className={own.name}>{isNew ? `Create ‘${choice.name}’` : choice.name}</span>{' '}
      {choice.isPrivate && !isNew && <span className={own.note}>private</span>}{' '}
      {choice.note !== '' && <span className={own.note}>{choice.note}</span>}{' '}
      {!isGrouped && choice.group !== null && <span className={own.group}>{choice.group}</span>}
      <span className={own.keys}>
        <Keys
          caps={isNew && choice.isPrivate ? (app.keysOf('labels.createPrivate')[0] ?? []) : choice.keys}
        />
      </span>
    </div>
  );
}

/** The choices under their headings; none of these while names are typed. */
function Choices({ picker }: { readonly picker: LabelPickerView }) {
  const { choices, sections, active } = picker;
  const drawn = (from: number, to: number, isGrouped: boolean) =>
    choices
      .slice(from, to)
      .map((choice, at) => (
        <Choice
          key={choice.id ?? (choice.isPrivate ? 'new private' : 'new')}
          choice={choice}
          index={from + at}
          isActive={from + at === active}
          isGrouped={isGrouped}
        />
      ));
  if (sections.length === 0) return drawn(0, choices.length, false);
  let at = 0;
  return sections.map((section: LabelSectionView) => {
    const from = at;
    at += section.size;
    const { title, isOneOf } = section;
    return (
      <div key={title} role="group" aria-label={isOneOf ? `${title}, one of these` : title}>
        <div className={own.heading} aria-hidden="true" data-ph="label-section">
          {title}
          {isOneOf && <span className={own.one}>one of these</span>}
        </div>
        {drawn(from, at, true)}
      </div>
    );
  });
}

function Help({ picker }: { readonly picker: LabelPickerView }) {
  const app = useApp();
  const hasWords = picker.query !== '';
  return (
    <p id="label-help" className={own.help}>
      <span>
        <SaidKeys caps={app.keysOf('options.choose')[0]} /> add or remove
      </span>
      {!hasWords && (
        <span>
          <SaidKeys caps={app.keysOf('options.chooseAndStay')[0]} /> and stay
        </span>
      )}
      {hasWords && (
        <span>
          <SaidKeys caps={app.keysOf('options.complete')[0]} /> complete
        </span>
      )}
      {hasWords && (
        <span>
          <SaidKeys caps={[',']} /> another
        </span>
      )}
      <button type="button" className={own.link} onClick={() => app.run('label.manage')}>
        Manage labels
      </button>
    </p>
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
    // Above the first one is its heading.
    if (active === 0) list.current?.scrollTo(0, 0);
    else document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active, choices]);

  return (
    <div className={own.picker} data-ph="label-picker">
      <div className={own.sheetHead}>
        <h2>
          <span className={own.byKey}>{picker.title}</span>
          <span className={own.byTouch}>Labels</span>
        </h2>
        <button type="button" className={own.close} aria-label="Close" onClick={() => app.closeDialog()}>
          <Icon name="close" size={20} />
        </button>
        <p className={own.subject}>{picker.subject}</p>
      </div>
      <div className={own.head}>
        <span className={own.about} aria-hidden="true">
          {picker.isForSeveral ? picker.title : 'Labels'}
        </span>
        <input
          ref={input}
          className={own.input}
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
      </div>
      <div
        ref={list}
        id="label-choices"
        role="listbox"
        aria-label="Labels"
        aria-multiselectable="true"
        className={own.list}
        tabIndex={-1}
      >
        <Choices picker={picker} />
      </div>
      {choices.length === 0 && (
        <p className={own.none}>No labels yet. Type a name and press Enter to add one.</p>
      )}
      <p role="status" className={own.answer} data-ph="label-answer">
        {picker.answer}
      </p>
      <Help picker={picker} />
    </div>
  );
}
