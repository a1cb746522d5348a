/** Puts data into the file of a page. Node does so with the built page, and the page with itself, to be saved at a moment. */
import type { CarriedScenario, PageData } from './protocol.ts';

const PLACE = '<script type="application/json" id="data">';

/** Scenarios, and their packed form. */
export interface Shipped {
  readonly of: readonly CarriedScenario[];
  readonly packed: string;
}

/**
 * Returns the file. `shell`: the built page (`dist/page.html`); `data`: what the page shows; `shipped`: scenarios that the build has
 * packed.
 */
export function pageHtml(shell: string, data: PageData, shipped?: Shipped): string {
  const at = shell.indexOf(PLACE);
  if (at < 0) throw new Error('this is not a page of orchsim: it has no place for scenarios');
  const only = data.scenarios.length === 1 && shipped === undefined ? data.scenarios[0]?.title : undefined;
  const from = at + PLACE.length;
  const filled = `${shell.slice(0, from)}${asScript(shipped === undefined ? data : lighter(data, shipped))}${shell.slice(shell.indexOf('</script>', from))}`;
  // The page must not send requests, except to the server whose cluster it shows.
  const open = data.live === undefined ? filled : filled.replace("default-src 'none'", "default-src 'none'; connect-src 'self'");
  return only === undefined ? open : open.replace('<title>orchsim</title>', () => `<title>${asText(only)} · orchsim</title>`);
}

const lighter = (data: PageData, { of, packed }: Shipped): PageData => ({
  ...data,
  scenarios: data.scenarios.filter((scenario) => !of.includes(scenario)),
  shipped: packed,
});

/** JSON without characters that an HTML parser could treat as markup. */
const asScript = (data: PageData): string => JSON.stringify(data).replaceAll('<', '\\u003c');
const asText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
