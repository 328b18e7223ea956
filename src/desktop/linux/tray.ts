// The icon in the tray, as desktops of today have it: a StatusNotifierItem with a menu, both on the session's bus. No library: the icon is a name, and
// the menu has three items.
import GLib from 'gi://GLib?version=2.0';
import Gio from 'gi://Gio?version=2.0';
import type { MenuItem } from '../menus.ts';
import type { TrayLook } from '../shell.ts';

const ITEM_PATH = '/StatusNotifierItem';
const MENU_PATH = '/MenuBar';
const WATCHER = 'org.kde.StatusNotifierWatcher';

const ITEM = `<node><interface name="org.kde.StatusNotifierItem">
<property name="Category" type="s" access="read"/><property name="Id" type="s" access="read"/>
<property name="Title" type="s" access="read"/><property name="Status" type="s" access="read"/>
<property name="IconName" type="s" access="read"/><property name="ItemIsMenu" type="b" access="read"/>
<property name="Menu" type="o" access="read"/><property name="ToolTip" type="(sa(iiay)ss)" access="read"/>
<method name="Activate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
<method name="SecondaryActivate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
<signal name="NewTitle"/><signal name="NewToolTip"/>
</interface></node>`;

const MENU = `<node><interface name="com.canonical.dbusmenu">
<property name="Version" type="u" access="read"/><property name="Status" type="s" access="read"/>
<property name="TextDirection" type="s" access="read"/><property name="IconThemePath" type="as" access="read"/>
<method name="GetLayout"><arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="as" direction="in"/>
<arg type="u" direction="out"/><arg type="(ia{sv}av)" direction="out"/></method>
<method name="GetGroupProperties"><arg type="ai" direction="in"/><arg type="as" direction="in"/>
<arg type="a(ia{sv})" direction="out"/></method>
<method name="Event"><arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/>
<arg type="u" direction="in"/></method>
<method name="AboutToShow"><arg type="i" direction="in"/><arg type="b" direction="out"/></method>
</interface></node>`;

type Label = readonly [id: number, properties: Readonly<Record<string, GLib.Variant>>];

/** What the bus asks of the menu. Ids are places in the list, from 1 on; 0 is the menu itself. */
function menuOf(items: readonly MenuItem[], chosen: (id: string) => void) {
  const labels: readonly Label[] = items.map(({ title }, at) => [
    at + 1,
    { label: new GLib.Variant('s', title) },
  ]);
  const ofMenu: Label = [0, { 'children-display': new GLib.Variant('s', 'submenu') }];
  const leaf = ([id, properties]: Label) => new GLib.Variant('(ia{sv}av)', [id, properties, []]);
  return {
    Version: 3,
    Status: 'normal',
    TextDirection: 'ltr',
    IconThemePath: [],
    GetLayout(parent: number) {
      const [id, properties] = (parent === 0 ? ofMenu : labels[parent - 1]) ?? ofMenu;
      return [1, [id, properties, parent === 0 ? labels.map(leaf) : []]];
    },
    GetGroupProperties: (ids: readonly number[]) =>
      [ofMenu, ...labels].filter(([id]) => ids.length === 0 || ids.includes(id)),
    Event(id: number, event: string) {
      const item = items[id - 1];
      if (event === 'clicked' && item) chosen(item.id);
    },
    AboutToShow: () => false,
  };
}

/** One icon. It shows where a tray is on the bus, whenever one comes. */
export class Tray {
  readonly #item: Gio.DBusExportedObject;
  readonly #menu: Gio.DBusExportedObject;
  readonly #watch: number;
  readonly #said: { Title: string; ToolTip: readonly unknown[] };
  /** A tray has it now. */
  isShown = false;

  constructor(bus: Gio.DBusConnection, { title, items, chosen }: TrayLook) {
    const opened = () => chosen('');
    this.#said = {
      Title: title,
      ToolTip: ['', [], title, ''],
    };
    const said = this.#said;
    this.#item = Gio.DBusExportedObject.wrapJSObject(ITEM, {
      Category: 'ApplicationStatus',
      Id: 'posthaste',
      Status: 'Active',
      IconName: 'posthaste',
      ItemIsMenu: false,
      Menu: MENU_PATH,
      get Title() {
        return said.Title;
      },
      get ToolTip() {
        return said.ToolTip;
      },
      Activate: opened,
      SecondaryActivate: opened,
    });
    this.#menu = Gio.DBusExportedObject.wrapJSObject(MENU, menuOf(items, chosen));
    this.#item.export(bus, ITEM_PATH);
    this.#menu.export(bus, MENU_PATH);
    this.#watch = Gio.bus_watch_name_on_connection(
      bus,
      WATCHER,
      Gio.BusNameWatcherFlags.NONE,
      () => this.#register(bus),
      () => (this.isShown = false),
    );
  }

  #register(bus: Gio.DBusConnection): void {
    const given = new GLib.Variant('(s)', [bus.get_unique_name()]);
    bus.call(
      WATCHER,
      '/StatusNotifierWatcher',
      WATCHER,
      'RegisterStatusNotifierItem',
      given,
      null,
      0,
      -1,
      null,
      (_bus, result) => {
        try {
          bus.call_finish(result);
          this.isShown = true;
        } catch (error) {
          console.warn('The tray does not take the icon.', error);
        }
      },
    );
  }

  /** What the icon says. */
  say(title: string): void {
    if (title === this.#said.Title) return;
    this.#said.Title = title;
    this.#said.ToolTip = ['', [], title, ''];
    this.#item.emit_signal('NewTitle', null);
    this.#item.emit_signal('NewToolTip', null);
  }

  end(): void {
    Gio.bus_unwatch_name(this.#watch);
    this.#item.unexport();
    this.#menu.unexport();
    this.isShown = false;
  }
}
