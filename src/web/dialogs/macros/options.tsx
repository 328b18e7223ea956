// What a field of the macro editor may hold, or a step to add: a list below the field, which keeps the focus.
import { useEffect } from 'react';
import type { MacroOptionsView } from '#client/macros/editor/editor-view.ts';
import { PaletteIconOf } from '../../parts/palette-icon.tsx';
import own from './editor.module.css';

export function Options({
  id,
  name,
  options,
  active,
  onChoose,
}: MacroOptionsView & {
  readonly id: string;
  readonly name: string;
  readonly onChoose: (index: number) => void;
}) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active, options]);
  return (
    <div id={id} role="listbox" aria-label={name} className={own.options} tabIndex={-1}>
      {options.map(({ icon, title, detail }, index) => (
        <div
          key={`${index}.${title}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={own.option}
          data-ph="macro-option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          {icon !== null && <PaletteIconOf name={icon} />}
          <span className={own.what}>{title}</span>
          {detail !== '' && <span className={own.detail}>{detail}</span>}
        </div>
      ))}
    </div>
  );
}
