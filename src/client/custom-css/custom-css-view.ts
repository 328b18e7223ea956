// View of the dialog of custom CSS.

/**
 * Whether the typed text is seen at once: in a `safe` start it is not, and it is not where it `hides` the dialog. `off`: it
 * is, and saving it turns custom CSS on.
 */
export type CssEffect = 'live' | 'off' | 'safe' | 'hides';

/** The dialog of custom CSS. */
export interface CustomCssView {
  /** As typed. */
  readonly text: string;
  /** What applies while the dialog is open: what applied before, then the newest text that can be kept. */
  readonly preview: string;
  readonly effect: CssEffect;
  /** Why the text can’t be saved; null: it can. */
  readonly problem: string | null;
}

/** An action in the dialog of custom CSS. */
export type CustomCssAction =
  | { readonly action: 'type'; readonly text: string }
  /** `hides`: with this preview the dialog can’t be seen. */
  | { readonly action: 'save' | 'hides' };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly customCss: {
      readonly view: { readonly customCss: CustomCssView };
      readonly action: CustomCssAction;
    };
  }
}
