/** Starts the editor's script, which the page carries as text: nothing is parsed before somebody edits. */
import type { CreateEditor } from './editor/contract.ts';

/** Returns what creates an editor. */
export function startedEditor(): CreateEditor {
  if (globalThis.orchsimEditor === undefined) {
    // The policy permits this script by its hash.
    const script = document.createElement('script');
    script.textContent = document.getElementById('editor-program')?.textContent ?? '';
    document.head.append(script);
    script.remove();
  }
  if (globalThis.orchsimEditor === undefined) throw new Error('the editor could not be started');
  return globalThis.orchsimEditor;
}
