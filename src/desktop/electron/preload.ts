// What a page of the Electron shell has of the program: two functions, both of texts.
import { contextBridge, ipcRenderer } from 'electron';

contextBridge.exposeInMainWorld('posthasteShell', {
  send: (text: unknown) => ipcRenderer.send('page', String(text)),
  listen: (heard: (text: string) => void) => {
    ipcRenderer.on('program', (_event, text: string) => heard(text));
  },
});
