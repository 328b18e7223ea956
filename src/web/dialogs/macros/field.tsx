// A text field of the macro editor, with what may stand in it below.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { MacroEditorView, MacroField } from '#client/macros/editor/editor-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import own from './editor.module.css';
import { Options } from './options.tsx';

/** What every field needs of the editor. */
export type Around = Pick<MacroEditorView, 'completion' | 'wanted' | 'revision'>;

interface FieldProps extends Around {
  readonly field: MacroField;
  readonly name: string;
  readonly value: string;
  readonly isLong?: boolean;
  readonly hint?: string;
  readonly placeholder?: string;
  /** Before the field. */
  readonly children?: ReactNode;
}

/** Stored by Enter, by leaving it, and by closing the editor. */
export function Field({
  field,
  name,
  value,
  isLong = false,
  hint,
  placeholder,
  completion,
  wanted,
  revision,
  children,
}: FieldProps) {
  const app = useApp();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value, revision]);
  const id = `macro-${field}`;
  const offered = completion?.field === field ? completion : null;
  const Element = isLong ? 'textarea' : 'input';
  const isWanted = wanted.place === field;
  return (
    <div className={own.row}>
      <label className={own.name} htmlFor={id}>
        {name}
      </label>
      <div className={own.control}>
        {children}
        <Element
          ref={input}
          id={id}
          className={field === 'source' ? own.code : own.field}
          {...(isLong ? {} : { type: 'text', 'data-option': '' })}
          {...(isWanted ? { 'data-first': '' } : {})}
          role={isLong ? undefined : 'combobox'}
          aria-expanded={isLong ? undefined : offered !== null}
          aria-controls={offered === null ? undefined : `${id}-options`}
          aria-activedescendant={offered === null ? undefined : `${id}-options-${offered.active}`}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholder}
          defaultValue={value}
          onFocus={(event) => {
            app.answer('macroEditor', { action: 'enter', field });
            if (isWanted && wanted.at === 'all') event.currentTarget.select();
          }}
          onBlur={() => app.answer('macroEditor', { action: 'leave', field })}
          onInput={(event) => {
            const { value: text, selectionStart } = event.currentTarget;
            app.answer('macroEditor', { action: 'draft', field, text, caret: selectionStart ?? text.length });
          }}
          {...keysIn('dialog.macroEditor', ...(isLong && offered === null ? [] : (['list'] as const)))}
        />
        {offered !== null && (
          <Options
            id={`${id}-options`}
            name={`For “${name}”`}
            options={offered.options}
            active={offered.active}
            onChoose={(index) => app.answer('macroEditor', { action: 'option', index })}
          />
        )}
        {hint !== undefined && (
          <p id={`${id}-hint`} className={own.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
