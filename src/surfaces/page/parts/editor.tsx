/**
 * The scenario's text, to be edited and run: with completions, descriptions, and marked errors. It is a native text field over a painted
 * copy, so undo, selection and screen readers work natively.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { consult, runDraft } from '../actions.ts';
import { counters } from '../counters.ts';
import { many } from '../model/words.ts';
import { canRun, draft, problems, scenario } from '../state.ts';
import { Completions, hoverAt, useAssistance } from './assistance.tsx';
import { insert, keepInView, LINE } from './typing.ts';
import { Painted } from './painted.tsx';

/** Milliseconds of a pause after which the text is checked. */
const PAUSE = 350;

export function Editor() {
  counters.renders++;
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.value ?? scenario.value?.text ?? '';
  const assistance = useAssistance(field);
  const [hint, setHint] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (draft.value === undefined) return undefined;
    const timer = setTimeout(() => void check(text), PAUSE);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <div class="editor">
      <div class="tools" hidden={!canRun.value} role="toolbar" aria-label="Editor">
        <button class="button primary" onClick={runDraft} title="⌘ or Ctrl with Enter">
          Run
        </button>
        <button class="button" onClick={() => void tidy(field.current, text)}>
          Format
        </button>
        <small>
          {problems.value.length > 0 ? many(problems.value.length, 'problem') : draft.value === undefined ? '' : 'changed, not run'}
        </small>
      </div>
      <div class="sheet">
        <div class="page" onMouseMove={(event) => hoverAt(event, text, setHint)} onMouseLeave={() => setHint(undefined)}>
          <Painted text={text} problems={problems.value} />
          <textarea
            id="editor"
            ref={field}
            value={text}
            wrap="off"
            readOnly={!canRun.value}
            spellcheck={false}
            autocomplete="off"
            aria-label="The scenario's text"
            aria-describedby="found"
            title={hint ?? ''}
            onInput={({ currentTarget }) => {
              draft.value = currentTarget.value;
              keepInView(currentTarget);
              void assistance.ask(true);
            }}
            onKeyDown={(event) => pressed(event, assistance.key)}
            onKeyUp={({ currentTarget }) => keepInView(currentTarget)}
            onBlur={assistance.close}
            onClick={assistance.close}
          />
          <Completions of={assistance} />
        </div>
      </div>
      <p class="quiet meaning">{assistance.meaning ?? hint ?? ''}</p>
      <ul id="found" class="found" aria-live="polite">
        {problems.value.slice(0, 12).map(({ message, line, col }) => (
          <li>
            <button onClick={() => goTo(field.current, line, col)}>{placed(message)}</button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The message without the file name: there is only one file. */
const placed = (message: string): string => message.replace(`${scenario.value?.file ?? ''}:`, '');

async function check(text: string): Promise<void> {
  const from = scenario.value;
  if (from === undefined) return;
  const answer = await consult({ ask: 'check', scenario: { ...from, text } });
  if (answer?.is === 'problems' && draft.value === text) problems.value = answer.problems;
}

async function tidy(field: HTMLTextAreaElement | null, text: string): Promise<void> {
  const answer = await consult({ ask: 'tidy', text });
  if (field === null || answer?.is !== 'tidied' || answer.text === undefined || answer.text === text) return;
  field.focus();
  field.select();
  insert(answer.text);
}

function pressed(event: KeyboardEvent, offered: (event: KeyboardEvent) => boolean): void {
  const field = event.currentTarget;
  if (!(field instanceof HTMLTextAreaElement)) return;
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    runDraft();
    return;
  }
  if (offered(event)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const line = field.value.slice(0, field.selectionStart).split('\n').at(-1) ?? '';
  const indent = /^ *(?:- )?/.exec(line)?.[0].replace('-', ' ') ?? '';
  insert(`\n${indent}${/:\s*$/.test(line) ? '  ' : ''}`);
}

function goTo(field: HTMLTextAreaElement | null, line: number, col: number): void {
  if (field === null) return;
  const lines = field.value.split('\n');
  const at = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + col - 1;
  field.focus();
  field.setSelectionRange(at, at);
  field.closest('.sheet')?.scrollTo({ top: Math.max(0, (line - 6) * LINE) });
}
