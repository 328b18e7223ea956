// Asks for the server at the first start.
import Gtk from 'gi://Gtk?version=3.0';
import { serverAddress } from '../settings.ts';

const MARGIN = 18;
const WORDS = 'Which server keeps your tasks? Type its address, like tasks.example.org.';
const NO_ADDRESS = 'That’s no address. Type it without a path, like tasks.example.org.';

/** What the person typed, which is an address; null: they don’t want to say. */
export function askServer(_application: Gtk.Application): Promise<string | null> {
  const dialog = new Gtk.Dialog({ title: 'Posthaste', transient_for: null, modal: true });
  const box = new Gtk.Box({ orientation: Gtk.Orientation.VERTICAL, spacing: MARGIN / 2, margin: MARGIN });
  const words = new Gtk.Label({ label: WORDS, xalign: 0, wrap: true });
  const entry = new Gtk.Entry({ text: '', width_chars: 40, activates_default: true });
  box.add(words);
  box.add(entry);
  dialog.get_content_area().add(box);
  dialog.add_button('Not now', Gtk.ResponseType.CANCEL);
  dialog.add_button('Use this server', Gtk.ResponseType.OK);
  dialog.set_default_response(Gtk.ResponseType.OK);
  dialog.show_all();
  return new Promise((resolve) => {
    dialog.connect('response', (_dialog, response) => {
      const isChosen = response === Gtk.ResponseType.OK;
      if (isChosen && serverAddress(entry.get_text()) === null) {
        words.set_text(NO_ADDRESS);
        return;
      }
      const typed = entry.get_text();
      dialog.destroy();
      resolve(isChosen ? typed : null);
    });
  });
}
