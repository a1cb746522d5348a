/** Redacts the values of Secrets in a text, and leaves every other character. */
import { isMap, isScalar, isSeq, parseAllDocuments, visit, type YAMLMap } from 'yaml';

const BLANK = '"<redacted>"';
/** `kubectl apply` stores the whole manifest in this annotation. */
const APPLIED = ['metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration'];
/** The paths of a JSON patch that are redacted. */
const OF_VALUES = /^\/(?:data|stringData)(?:\/|$)|last-applied-configuration$/;

const namesSecret = (target: unknown): boolean =>
  isMap(target) ? target.get('kind') === 'Secret' : /^Secret(?:\/|$)/.test(String(target));

/** What a mapping says of the values of a Secret: as the object itself, or as the patch of one in a step of a scenario. */
function valuesIn(node: YAMLMap): readonly unknown[] {
  const patch: unknown = namesSecret(node.get('target')) ? node.get('patch', true) : undefined;
  if (isSeq(patch))
    return patch.items.map((each) => (isMap(each) && OF_VALUES.test(String(each.get('path'))) ? each.get('value', true) : undefined));
  const secret = node.get('kind') === 'Secret' ? node : patch;
  return isMap(secret) ? [secret.get('data', true), secret.get('stringData', true), secret.getIn(APPLIED, true)] : [];
}

export function withoutSecrets(text: string): string {
  // Most texts have no Secret, and a text search is cheaper than parsing.
  if (!text.includes('Secret')) return text;
  const cuts: (readonly [from: number, to: number])[] = [];
  for (const document of parseAllDocuments(text))
    visit(document, {
      Map(_, node) {
        for (const values of valuesIn(node))
          for (const value of isMap(values) ? values.items.map((item) => item.value) : [values])
            if (isScalar(value) && value.range && value.range[0] < value.range[1]) cuts.push([value.range[0], value.range[1]]);
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
