/** Writes JSON values as YAML that reads back as the same values (see read.ts), laid out for readers. */
import { Document, isCollection, isMap, isScalar, parseAllDocuments, visit } from 'yaml';
import type { Node, Scalar } from 'yaml';
import { resolvePlain } from './scalars.ts';

/** Returns any JSON value as one YAML document in the style of Kubernetes tools. Small mappings are on one line. */
export const formatYaml = (value: unknown): string => written(value, false);

/** Returns any JSON value on one line, in the same style: `{ kind: Job, metadata: { name: pi } }`. */
export const formatFlow = (value: unknown): string => written(value, true).replace(/\n$/, '');

function written(value: unknown, onOneLine: boolean): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => quoteIfNeeded(node, onOneLine),
    Collection: (_, node, path) => {
      if (onOneLine || (path.length > SHALLOW && isShort(node))) node.flow = true;
    },
  });
  // The library escapes only what JSON escapes.
  return document
    .toString({ lineWidth: 0, flowCollectionPadding: true })
    .replaceAll(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The path length of the document itself, which is never put on one line. */
const SHALLOW = 2;
const LINE = 76;

/** Quotes texts that a YAML 1.1 reader would take for another type, such as yes or 0644. */
function quoteIfNeeded(node: Scalar, onOneLine: boolean): void {
  const { value } = node;
  if (typeof value !== 'string') return;
  const isOther = value === '<<' || value === '=' || resolvePlain(value) !== value || LOOKS_LIKE_TIME.test(value);
  if (value.search(UNPRINTABLE) >= 0 || (value.includes('\n') ? onOneLine : isOther)) node.type = 'QUOTE_DOUBLE';
}

// YAML 1.2, 5.1: characters that are not printable are escaped, and escapes need double quotes. Direction marks are escaped, too, because
// they are invisible.
const UNPRINTABLE =
  /[^\t\n\u0020-\u007e\u00a0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu;

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

/** Returns the normalised text, with each scalar as it is written; undefined: the text is not well-formed YAML. */
export function tidyYaml(text: string): string | undefined {
  const documents = parseAllDocuments(text, { schema: 'failsafe', uniqueKeys: false });
  if (documents.length === 0 || documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toString({ lineWidth: 0, flowCollectionPadding: true })).join('');
}
