/** Redacts the values of Secrets in a text, and leaves every other character. */
import { isMap, isScalar, parseAllDocuments, visit, type YAMLMap } from 'yaml';

const FIELDS = ['data', 'stringData'] as const;
const BLANK = '"<redacted>"';

/** Returns a Secret, or the patch of one in a step of a scenario; undefined: the mapping is neither. */
function secretIn(node: YAMLMap): YAMLMap | undefined {
  if (node.get('kind') === 'Secret') return node;
  const patch = /^Secret\//i.test(String(node.get('target'))) ? node.get('patch', true) : undefined;
  return isMap(patch) ? patch : undefined;
}

export function withoutSecrets(text: string): string {
  // Most texts have no Secret, and a text search is cheaper than parsing.
  if (!text.includes('Secret')) return text;
  const cuts: (readonly [from: number, to: number])[] = [];
  for (const document of parseAllDocuments(text))
    visit(document, {
      Map(_, node) {
        for (const field of FIELDS) {
          const values = secretIn(node)?.get(field, true) as unknown;
          if (!isMap(values)) continue;
          for (const { value } of values.items) if (isScalar(value) && value.range) cuts.push([value.range[0], value.range[1]]);
        }
      },
    });
  let [shown, at] = ['', 0];
  for (const [from, to] of cuts.sort(([a], [b]) => a - b)) {
    if (from < at) continue;
    shown += text.slice(at, from) + BLANK + (text.slice(from, to).endsWith('\n') ? '\n' : '');
    at = to;
  }
  return shown + text.slice(at);
}
