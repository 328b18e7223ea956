// A button in a dialog. `isFirst`: it has the focus when the dialog opens, which a safe answer should.
import type { ComponentProps } from 'react';
import styles from './dialog.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** `primary`: what one came to do; `danger`: what cannot be taken back. */
  readonly kind?: 'primary' | 'danger';
  readonly isFirst?: boolean;
}

/** Takes the properties of a plain `button`. Its type is `button`, so it submits only when told to. */
export function Button({ kind, isFirst = false, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={kind ? `${styles.button} ${styles[kind]}` : styles.button}
      {...(isFirst ? { 'data-first': '' } : {})}
    />
  );
}
