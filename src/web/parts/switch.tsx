// A switch: on or off at once. Its words are beside it, and named by `aria-labelledby`.
import type { ComponentProps } from 'react';
import own from './switch.module.css';

interface SwitchProps extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'checked' | 'onChange'> {
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

/** Takes the properties of a plain `input`. */
export function Switch({ isOn, onTurn, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      className={own.switch}
      aria-checked={isOn}
      checked={isOn}
      onChange={(event) => onTurn(event.currentTarget.checked)}
    />
  );
}
