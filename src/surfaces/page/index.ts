/**
 * The page: one HTML file that opens from disk, with the engine inside. This face is Node's: it fills the file that the build made with
 * scenarios. What runs in the browser begins at `main.tsx` (the page) and `worker/main.ts` (the engine).
 */
import type { CarriedScenario, PageData } from './protocol.ts';

export type { CarriedRun, CarriedScenario, PageData, RunData } from './protocol.ts';
export { runOfTrace, whyNotBeside } from './from-trace.ts';
export { recordingText } from './recording.ts';
export { LONGEST, runDataOf, stretchFor, type Span } from './run-data.ts';

const PLACE = '<script type="application/json" id="data">';

/** Scenarios, and the same packed. */
export interface Shipped {
  readonly of: readonly CarriedScenario[];
  readonly packed: string;
}

/**
 * The file: `shell` is what the build made (`dist/page.html`), `data` what this page shows, `shipped` what the build packed of its
 * scenarios.
 */
export function pageHtml(shell: string, data: PageData, shipped?: Shipped): string {
  const at = shell.indexOf(PLACE);
  if (at < 0) throw new Error('this is no page of orchsim: it has no place for scenarios');
  const title = data.scenarios.find(({ name }) => name === data.open)?.title ?? 'orchsim';
  const from = at + PLACE.length;
  const filled = `${shell.slice(0, from)}${asScript(shipped === undefined ? data : lighter(data, shipped))}${shell.slice(shell.indexOf('</script>', from))}`;
  // Nothing may be requested from anywhere, but where a server shows its own cluster.
  const open = data.live === undefined ? filled : filled.replace("default-src 'none'", "default-src 'none'; connect-src 'self'");
  return open.replace('<title>orchsim</title>', () => `<title>${asText(title)} · orchsim</title>`);
}

/** Without what is packed. */
const lighter = (data: PageData, { of, packed }: Shipped): PageData => ({
  ...data,
  scenarios: data.scenarios.filter((scenario) => !of.includes(scenario)),
  shipped: packed,
});

/** JSON that no parser of HTML takes for markup. */
const asScript = (data: PageData): string => JSON.stringify(data).replaceAll('<', '\\u003c');
const asText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
