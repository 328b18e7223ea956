// Labels and groups themselves: a field to find or name one, the list, and the form of the chosen one.
// client/labels decides what is shown and what an answer does.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { colorName, labelColors } from '#client/labels/colors.ts';
import type { LabelChosenView, LabelEntryView, LabelManagerView } from '#client/labels/label-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './labels.module.css';
import { keysIn } from '../platform/input/options.ts';

const entryId = (index: number) => `label-entry-${index}`;
const dot = (color: string) => ({ '--ph-label': color }) as React.CSSProperties;

/** Committed by Enter, by leaving it, and by closing the dialog. */
function TextField({
  field,
  name,
  value,
  revision,
  hint,
}: {
  readonly field: 'name' | 'hotkey';
  readonly name: string;
  readonly value: string;
  readonly revision: number;
  readonly hint?: string;
}) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value, revision]);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={`label-${field}`}>
        {name}
      </label>
      <input
        ref={input}
        id={`label-${field}`}
        data-option={field === 'name' ? '' : undefined}
        className={styles.input}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : `label-${field}-hint`}
        defaultValue={value}
        onInput={(event) =>
          app.answer('labelManager', { action: 'draft', field, text: event.currentTarget.value })
        }
        onBlur={() => app.answer('labelManager', { action: 'commit' })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing)
            app.answer('labelManager', { action: 'commit' });
        }}
      />
      {hint !== undefined && (
        <p id={`label-${field}-hint`} className={styles.rule}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Colors({ value }: { readonly value: string }) {
  const app = useApp();
  const isOwn = !labelColors.some((color) => color.value === value);
  const colors = isOwn ? [...labelColors, { name: colorName(value), value }] : labelColors;
  return (
    <fieldset className={own.colors}>
      <legend className={styles.label}>Color</legend>
      {colors.map((color) => (
        <label key={color.value} className={own.swatch}>
          <input
            type="radio"
            name="label-color"
            checked={color.value === value}
            onChange={() => app.answer('labelManager', { action: 'color', color: color.value })}
          />
          <span className={own.color} style={dot(color.value)} aria-hidden="true" />
          {color.name}
        </label>
      ))}
    </fieldset>
  );
}

function Chosen({
  chosen,
  manager,
}: {
  readonly chosen: LabelChosenView;
  readonly manager: LabelManagerView;
}) {
  const app = useApp();
  const { revision } = manager;
  return (
    <section className={own.chosen} aria-label={`The chosen ${chosen.kind}`} data-ph="label-chosen">
      <TextField key={`${chosen.id}.name`} field="name" name="Name" value={chosen.name} revision={revision} />
      {chosen.kind === 'group' ? (
        <>
          <label className={own.check}>
            <input
              type="checkbox"
              checked={chosen.exclusive}
              onChange={(event) =>
                app.answer('labelManager', { action: 'exclusive', isOn: event.currentTarget.checked })
              }
            />
            One label per task: choosing one replaces the other
          </label>
          <Private isOn={chosen.isPrivate}>
            Private, with all its labels: nobody you share a list with sees them
          </Private>
        </>
      ) : (
        <>
          <Colors value={chosen.color} />
          <div className={styles.field}>
            <label className={styles.label} htmlFor="label-group">
              Group
            </label>
            <select
              id="label-group"
              className={styles.input}
              value={chosen.group ?? ''}
              onChange={(event) => {
                const group = manager.groups.find(({ id }) => id === event.currentTarget.value);
                app.answer('labelManager', { action: 'group', group: group?.id ?? null });
              }}
            >
              <option value="">No group</option>
              {manager.groups.map((group) => (
                <option key={group.id} value={group.id}>
                  {group.name}
                </option>
              ))}
            </select>
          </div>
          <Private isOn={chosen.isPrivate}>Private: nobody you share a list with sees it</Private>
          <TextField
            key={`${chosen.id}.hotkey`}
            field="hotkey"
            name="Key"
            value={chosen.hotkey}
            revision={revision}
            hint="Adds it to the selected tasks or removes it. Use 1, Alt+1, or l h for a sequence."
          />
        </>
      )}
      <Button kind="danger" onClick={() => app.answer('labelManager', { action: 'delete' })}>
        Delete {chosen.kind}
      </Button>
    </section>
  );
}

function Private({ isOn, children }: { readonly isOn: boolean; readonly children: string }) {
  const app = useApp();
  return (
    <label className={own.check}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) =>
          app.answer('labelManager', { action: 'private', isOn: event.currentTarget.checked })
        }
      />
      {children}
    </label>
  );
}

function Entry({
  entry,
  index,
  isActive,
}: {
  readonly entry: LabelEntryView;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  return (
    <div
      id={entryId(index)}
      role="option"
      aria-selected={isActive}
      className={own.choice}
      data-level={entry.level}
      data-ph="label-entry"
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => app.answer('labelManager', { action: 'choose', id: entry.id })}
    >
      {entry.color === null ? (
        <Icon name="folder" />
      ) : (
        <span className={own.color} style={dot(entry.color)} aria-hidden="true" />
      )}
      <span className={own.name}>{entry.name}</span>
      <span className={own.note}>
        {entry.kind === 'group' ? `group${entry.note && `, ${entry.note}`}` : entry.note}
      </span>
      <Keys caps={entry.keys} />
    </div>
  );
}

export function LabelManager({ manager }: { readonly manager: LabelManagerView }) {
  const app = useApp();
  const list = useRef<HTMLDivElement>(null);
  const { entries, active, filter, chosen, answer } = manager;
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, entries]);

  const named = filter.trim() === '' ? '' : ` ‘${filter.trim()}’`;
  return (
    <div className={`${styles.form} ${own.manager}`}>
      <h2 className={styles.title}>Labels and groups</h2>
      <input
        className={styles.input}
        data-first=""
        type="text"
        role="combobox"
        aria-label="Find a label or name a new one"
        aria-expanded={entries.length > 0}
        aria-controls="label-entries"
        aria-activedescendant={active >= 0 ? entryId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Find, or name a new one"
        value={filter}
        onChange={(event) => app.answer('labelManager', { action: 'filter', text: event.target.value })}
        data-option=""
        {...keysIn('list')}
      />
      <div className={styles.actions}>
        <Button onClick={() => app.answer('labelManager', { action: 'createLabel' })}>
          New label{named}
        </Button>
        <Button onClick={() => app.answer('labelManager', { action: 'createGroup' })}>
          New group{named}
        </Button>
      </div>
      <div
        ref={list}
        id="label-entries"
        role="listbox"
        aria-label="Labels and groups"
        className={own.list}
        tabIndex={-1}
      >
        {entries.map((entry, index) => (
          <Entry key={entry.id} entry={entry} index={index} isActive={index === active} />
        ))}
      </div>
      {entries.length === 0 && (
        <p className={styles.rule}>
          {filter === ''
            ? 'No labels yet. Type a name and press Enter.'
            : 'No label has that name. Press Enter to create it.'}
        </p>
      )}
      <p
        role="status"
        className={answer?.isError === true ? styles.error : own.answer}
        data-ph="label-answer"
      >
        {answer?.text ?? ''}
      </p>
      {chosen && <Chosen chosen={chosen} manager={manager} />}
      <div className={styles.actions}>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}
