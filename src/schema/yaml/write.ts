/** Writes JSON values as YAML that reads back as the same values (see read.ts), laid out for readers. */
import { Document, isCollection, isMap, isScalar, parseAllDocuments, visit } from 'yaml';
import type { Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { resolvePlain } from './scalars.ts';

/** Returns any JSON value as one YAML document in the style of Kubernetes tools. Small mappings are on one line. */
export const formatYaml = (value: unknown): string => written(value, (node, depth) => depth > SHALLOW && isShort(node));

/** Returns any JSON value on one line, in the same style: `{ kind: Job, metadata: { name: pi } }`. */
export const formatFlow = (value: unknown): string => written(value, () => true).trimEnd();

function written(value: unknown, isOnOneLine: (node: YAMLMap | YAMLSeq, depth: number) => boolean): string {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false, merge: false });
  visit(document, {
    Scalar: (_, node) => quoteIfNeeded(node),
    Collection: (_, node, path) => {
      if (isOnOneLine(node, path.length)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** The path length of the document itself, which is never put on one line. */
const SHALLOW = 2;
const LINE = 76;

/** Quotes texts that a YAML 1.1 reader would take for another type, such as yes or 0644. */
function quoteIfNeeded(node: Scalar): void {
  const { value } = node;
  if (typeof value !== 'string') return;
  if (!PRINTABLE.test(value)) node.type = 'QUOTE_DOUBLE';
  if (value.includes('\n')) return;
  if (value === '<<' || value === '=' || resolvePlain(value) !== value || LOOKS_LIKE_TIME.test(value)) node.type = 'QUOTE_DOUBLE';
}

// YAML 1.2, 5.1: characters that are not printable are escaped, and escapes need double quotes. Direction marks are escaped, too, because
// they are invisible.
const PRINTABLE = /^[\t\n\u0020-\u007e\u00a0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ufefe\uff00-\ufffd]*$/;

// Other readers of YAML 1.1 take these for dates and for sexagesimal numbers.
const LOOKS_LIKE_TIME = /^[-+]?\d+(?:-\d|:\d)/;

/** Whether a collection is small and shallow enough to be read on one line. */
function isShort(node: Node): boolean {
  return widthOf(node, 3) <= LINE;
}

function widthOf(node: unknown, levels: number): number {
  if (isScalar(node))
    return typeof node.value === 'string' && node.value.includes('\n') ? Number.POSITIVE_INFINITY : String(node.value).length + 2;
  if (!isCollection(node) || levels === 0) return Number.POSITIVE_INFINITY;
  if (isMap(node)) return node.items.reduce((sum, pair) => sum + widthOf(pair.key, levels - 1) + widthOf(pair.value, levels - 1) + 2, 2);
  return node.items.reduce((sum: number, item) => sum + widthOf(item, levels - 1) + 2, 2);
}

/** Returns the normalised text; undefined: the text is not well-formed YAML. */
export function tidyYaml(text: string): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: false, uniqueKeys: false });
  if (!Array.isArray(documents) || documents.length === 0 || documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toString({ lineWidth: 0, flowCollectionPadding: true })).join('');
}
