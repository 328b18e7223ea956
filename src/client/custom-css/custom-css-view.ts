// View of the dialog of custom CSS.

/** Whether the typed text is seen at once: `off` until it is saved again, `safe` not in this run of the app. */
export type CssEffect = 'live' | 'off' | 'safe';

/** The dialog of custom CSS. */
export interface CustomCssView {
  /** As typed. */
  readonly text: string;
  /** What applies while the dialog is open: the newest text that can be kept. */
  readonly preview: string;
  readonly effect: CssEffect;
  /** Why the text can’t be saved; null: it can. */
  readonly problem: string | null;
}

/** An action in the dialog of custom CSS. */
export type CustomCssAction =
  | { readonly action: 'type'; readonly text: string }
  | { readonly action: 'save' };

declare module '../dialogs/dialog-view.ts' {
  interface Dialogs {
    readonly customCss: {
      readonly view: { readonly customCss: CustomCssView };
      readonly action: CustomCssAction;
    };
  }
}
