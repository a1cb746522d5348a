/** Saves what is shown as files: the page at this moment, the scenario, the trace. Nothing leaves the machine. */
import { redacted, traceLines } from '../../lab/trace/index.ts';
import { pageHtml } from './html.ts';
import { linkedHere } from './links.ts';
import { linkOf } from './model/link.ts';
import type { CarriedScenario, PageData } from './protocol.ts';
import * as state from './state.ts';

/** The file of the page itself, without data and without what it has drawn. */
function shell(): string {
  const copy = document.documentElement.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error('this is not a page');
  for (const name of copy.getAttributeNames()) if (name !== 'lang') copy.removeAttribute(name);
  copy.querySelector('#app')?.replaceChildren();
  copy.querySelector('#data')?.replaceChildren();
  copy.querySelector('title')?.replaceChildren('orchsim');
  const policy = copy.querySelector('meta[http-equiv]');
  policy?.setAttribute('content', policy.getAttribute('content')?.replace("; connect-src 'self'", '') ?? '');
  return `<!doctype html><!-- orchsim -->\n${copy.outerHTML}`;
}

/** Returns a page that opens at what is shown; undefined: nothing that can be opened again is shown. */
async function pageHere(): Promise<string | undefined> {
  const linked = linkedHere();
  const scenario = shownScenario();
  if (linked === undefined || scenario === undefined) return undefined;
  const data = state.data.value;
  const kept: PageData = data.runs === undefined ? { scenarios: [scenario], open: scenario.name } : data;
  return pageHtml(shell(), { ...kept, moment: await linkOf({ ...linked, scenario: scenario.name }) });
}

/** The scenario on its own: not as a lesson of the course. */
function shownScenario(): CarriedScenario | undefined {
  const { card: _, ...scenario } = state.scenario.value ?? { name: '', title: '', file: '', text: '' };
  return scenario.name === '' ? undefined : scenario;
}

export async function saveMoment(): Promise<void> {
  const page = await pageHere();
  if (page !== undefined) download(`${stem()}-step-${state.cursor.value}.html`, page, 'text/html');
}

/** Saves the text of the scenario: of the editor, or of the second run. */
export function saveScenario(): void {
  const text = state.draft.value ?? state.scenario.value?.text ?? '';
  download(`${stem()}.yaml`, state.other.value?.text || text, 'application/yaml');
}

/** Saves the trace, as `run --trace` writes it: without the values of Secrets. */
export function saveTrace(): void {
  const run = state.model.value?.run;
  if (run === undefined) return;
  const { name, seed, trace, domain = 'orch.io' } = run;
  const lines = traceLines({ trace: 'orchsim/v1', scenario: name, seed, startAt: trace.startAt, domain }, redacted(trace));
  download(`${stem()}.trace.jsonl`, `${[...lines].join('\n')}\n`, 'application/jsonl');
}

/** The name of files: that of the scenario, without folders. */
const stem = (): string =>
  (state.scenario.value?.name ?? 'orchsim')
    .split('/')
    .at(-1)
    ?.replaceAll(/[^\w.-]/g, '') || 'orchsim';

function download(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
