// One press of a key with its modifiers, as the platform reports it and as bindings spell it.
// Not here: which command it means (keymap.ts).

/** What a browser's keydown says, as plain data. */
export interface KeyInput {
  readonly key: string;
  readonly code: string;
  readonly keyCode: number;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly altGraph: boolean;
  readonly composing: boolean;
  readonly repeat: boolean;
  /** The event's target takes typed text. */
  readonly inText: boolean;
}
