// Watches the screen from outside of every program, under GJS: prints when a window is on it, and when rows of text are. Milliseconds since 1970.
imports.gi.versions.Gtk = '3.0';
imports.gi.versions.Gdk = '3.0';
const { Gtk, Gdk, GLib } = imports.gi;
Gtk.init(null);

const LOOK_EVERY_MS = 8;
/** Beside the sidebar and below the name of the list. The window is in the corner of the screen. */
const ROWS = { x: 380, y: 300, width: 260, height: 300 };
/** Of the pixels there, in hundredths: what so many titles take at least. */
const TEXT = 1.5;
const DARK = 128;

const root = Gdk.get_default_root_window();
/** How many pixels of an area are darker or lighter than half, in hundredths. */
function share({ x, y, width, height }, isDark) {
  const picture = Gdk.pixbuf_get_from_window(root, x, y, width, height);
  const pixels = picture.get_pixels();
  const [channels, stride] = [picture.get_n_channels(), picture.get_rowstride()];
  let count = 0;
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 2)
      if (pixels[row * stride + column * channels] < DARK === isDark) count += 1;
  return (200 * count) / (width * height);
}

let isThere = false;
print('watching');
GLib.timeout_add(GLib.PRIORITY_DEFAULT, LOOK_EVERY_MS, () => {
  // The screen itself is black.
  if (!isThere && share({ x: 600, y: 400, width: 20, height: 20 }, false) > 50) {
    isThere = true;
    print(`window ${Date.now()}`);
  }
  if (!isThere) return true;
  const light = share({ x: 600, y: 700, width: 20, height: 10 }, false);
  if (light < 50 || share(ROWS, true) < TEXT) return true;
  print(`rows ${Date.now()}`);
  Gtk.main_quit();
  return false;
});
Gtk.main();
