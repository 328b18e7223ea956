// A button of a dialog that shows the key for the same.
import { useLayoutEffect, useRef } from 'react';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { Button } from '../button.tsx';
import own from './sharing.module.css';

/** What a button with a key says and looks like. */
export interface KeyedButtonLook {
  /** Its key is shown; absent: none. */
  readonly command?: string;
  readonly text: string;
  readonly kind?: 'primary' | 'danger';
  /** It takes the focus when its step of the dialog comes. */
  readonly isFirst?: boolean;
  readonly isBusy?: boolean;
}

/** Draws it as an option of its dialog. */
export function KeyedButton({
  command,
  text,
  kind,
  isFirst = false,
  isBusy = false,
  onClick,
}: KeyedButtonLook & { readonly onClick: () => void }) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  return (
    <Button
      ref={button}
      data-option=""
      aria-disabled={isBusy}
      isFirst={isFirst}
      {...(kind ? { kind } : {})}
      onClick={onClick}
    >
      <span className={own.act}>
        {text}
        {command !== undefined && <Keys caps={app.keysOf(command)[0]} />}
      </span>
    </Button>
  );
}
