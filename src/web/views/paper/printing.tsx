// Puts the list on paper whenever the browser is about to print, and takes it away afterwards.
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import type { Paper, PaperPort } from '#client/printing/port.ts';
import { PaperSheet } from './paper.tsx';

let make: (() => Paper | null) | null = null;
let shown: { readonly root: Root; readonly element: HTMLElement } | null = null;

function hide(): void {
  shown?.root.unmount();
  shown?.element.remove();
  shown = null;
}

function show(): void {
  hide();
  const paper = make?.() ?? null;
  if (paper === null) return;
  const element = document.createElement('div');
  document.body.append(element);
  const root = createRoot(element);
  shown = { root, element };
  // What isn't there when this returns is on no page.
  flushSync(() => root.render(<PaperSheet paper={paper} />));
}

/** Printing by the browser. */
export const paper: PaperPort = {
  follow(how) {
    if (make === null) {
      addEventListener('beforeprint', show);
      addEventListener('afterprint', hide);
    }
    make = how;
  },
  print: () => window.print(),
};
