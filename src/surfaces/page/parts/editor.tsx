/** The scenario's text, to be edited and run: with completions, descriptions, search, and problems at their places. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { later, runDraft } from '../actions.ts';
import { consult } from '../consult.ts';
import { counters } from '../counters.ts';
import type { EditorHandle, CreateEditor } from '../editor/contract.ts';
import { many } from '../model/words.ts';
import { canRun, draft, problems, scenario, sought, typing } from '../state.ts';

/** Milliseconds of a pause after which the text is checked. */
const PAUSE = 350;
const ROOM = 12;

export function Editor() {
  counters.renders++;
  const host = useRef<HTMLDivElement>(null);
  const run = useRef<HTMLButtonElement>(null);
  const handle = useRef<EditorHandle>(null);
  const [wraps, setWraps] = useState(true);
  const text = draft.value ?? scenario.value?.text ?? '';
  const readOnly = !canRun.value;
  useEffect(() => {
    if (host.current === null) return undefined;
    const made = startedEditor()({
      host: host.current,
      text,
      readOnly,
      label: "The scenario's text",
      change,
      run: runDraft,
      leave: () => run.current?.focus(),
      assist,
    });
    handle.current = made;
    made.setProblems(problems.value);
    return () => made.destroy();
  }, [readOnly]);
  useEffect(() => {
    // What is typed meanwhile is newer than what this was rendered with.
    handle.current?.setText(draft.value ?? scenario.value?.text ?? '');
    if (draft.value === undefined) return undefined;
    return later(PAUSE, () => void check(text));
  }, [text]);
  useEffect(() => handle.current?.setProblems(problems.value), [problems.value]);
  useEffect(() => handle.current?.setWrap(wraps), [wraps]);
  useEffect(() => {
    if (typing.value) handle.current?.focus();
    typing.value = false;
  }, [typing.value]);
  useEffect(() => {
    if (sought.value !== undefined) handle.current?.goTo(sought.value.line, sought.value.col);
    sought.value = undefined;
  }, [sought.value]);
  return (
    <div class="editor">
      <h1 class="unseen">The scenario as a file</h1>
      <Tools run={run} handle={handle} wraps={wraps} wrap={setWraps} />
      <div class="sheet" id="editor" ref={host} />
      <p class="quiet leave">Esc twice leaves the text. Ctrl with Space completes.</p>
      <ul id="found" class="found" aria-live="polite">
        {problems.value.slice(0, ROOM).map(({ message, line, col }) => (
          <li>
            <button onClick={() => handle.current?.goTo(line, col)}>{placed(message)}</button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ToolsProps {
  readonly run: RefObject<HTMLButtonElement | null>;
  readonly handle: RefObject<EditorHandle | null>;
  readonly wraps: boolean;
  wrap(is: boolean): void;
}

const Tools = ({ run, handle, wraps, wrap }: ToolsProps) => (
  <div class="tools" role="toolbar" aria-label="Editor">
    <button ref={run} class="button primary" onClick={runDraft} title="⌘ or Ctrl with Enter" hidden={!canRun.value}>
      Run
    </button>
    <button class="button" onClick={() => void tidy(handle.current)} hidden={!canRun.value}>
      Format
    </button>
    <button class="button" onClick={() => handle.current?.find()} title="⌘ or Ctrl with F">
      Find
    </button>
    <button class="button" aria-pressed={wraps} onClick={() => wrap(!wraps)}>
      Wrap
    </button>
    <small>
      {problems.value.length > 0 ? many(problems.value.length, 'problem') : draft.value === undefined ? '' : 'changed, not run'}
    </small>
  </div>
);

/** A text as it is shown already, after the run that it was opened with, is no change. */
function change(text: string): void {
  if (text !== (draft.value ?? scenario.value?.text ?? '')) draft.value = text;
}

async function assist(text: string, line: number, col: number) {
  const answer = await consult({ ask: 'assist', text, line, col });
  return answer?.is === 'assistance' ? answer.assistance : undefined;
}

/** The message without the file name: there is only one file. */
const placed = (message: string): string => message.replace(`${scenario.value?.file ?? ''}:`, '');

async function check(text: string): Promise<void> {
  const from = scenario.value;
  if (from === undefined) return;
  const answer = await consult({ ask: 'check', scenario: { ...from, text } });
  if (answer?.is === 'problems' && draft.value === text) problems.value = answer.problems;
}

async function tidy(editor: EditorHandle | null): Promise<void> {
  const text = draft.value ?? scenario.value?.text ?? '';
  const answer = await consult({ ask: 'tidy', text });
  if (answer?.is !== 'tidied' || answer.text === undefined) return;
  editor?.setText(answer.text);
  editor?.focus();
}

function startedEditor(): CreateEditor {
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
