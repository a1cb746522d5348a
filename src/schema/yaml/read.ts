/**
 * Reads YAML (and so JSON) into values with their positions. A file may have several documents; scalars are read by the rules of
 * scalars.ts; a duplicate key is an error; depth, length and the expansion of aliases are bounded. Nothing here throws.
 */
import type { RawNumber } from '../values/index.ts';
import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, type Document, type ParsedNode, type Scalar, type YAMLMap } from 'yaml';
import { joinPath, showValue, type Position, type Problem } from './problems.ts';
import { negated, syntaxErrorAt, unexplained } from './syntax-errors.ts';
import { isOrdinaryTag, shortTag, tagged } from './scalars.ts';
import { firstTokenBelow, tokensOf } from './tokens.ts';

/** A text, and the conversion of its offsets to positions. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  at(offset: number): Position;
}

export interface LocatedEntry {
  readonly keyStart: number;
  readonly value: Located;
}

/** A value with its position. `plain` is the value as JSON holds it; aliases share it. */
export type Located = { readonly source: SourceText; readonly start: number; readonly plain: unknown } & (
  | {
      readonly shape: 'scalar';
      readonly plain: string | number | boolean | null | RawNumber;
      readonly style: 'plain' | 'quoted' | 'block';
      readonly end: number;
    }
  | { readonly shape: 'list'; readonly plain: readonly unknown[]; readonly items: readonly Located[] }
  | { readonly shape: 'map'; readonly plain: Readonly<Record<string, unknown>>; readonly entries: ReadonlyMap<string, LocatedEntry> }
);

export interface YamlOptions {
  /** A duplicate key is a problem (`refuse`), or its last value counts (`last`), as the API reads bodies. */
  readonly repeatedKeys?: 'refuse' | 'last';
  /** What is no YAML: said as the mistake of its writer (the default), or in the parser's words. */
  readonly errors?: 'explained' | 'parser';
  /** The text may have at most so many values; an alias counts as the values that it stands for. */
  readonly mostValues?: number;
}

export interface YamlFile {
  readonly documents: readonly Located[];
  readonly problems: readonly Problem[];
  readonly tooMany?: true;
}

/** The limits of one file; a file beyond them is refused with a message. */
export const YAML_LIMITS = { characters: 16_000_000, depth: 100, nodes: 2_000_000 } as const;

/** Characters that neither YAML nor JSON texts may contain. Models: go-yaml v2 readerc.go. */
const FORBIDDEN = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export const positionOf = (node: Located): Position => node.source.at(node.start);

/** Returns all well-formed documents of a text, without empty ones, and every problem of the others. */
export function readYaml(
  text: string,
  file: string,
  { repeatedKeys = 'refuse', errors = 'explained', mostValues = YAML_LIMITS.nodes }: YamlOptions = {},
): YamlFile {
  const lines = new LineCounter();
  const source: SourceText = {
    file,
    text,
    at: (offset) => {
      const { line, col } = lines.linePos(Math.min(offset, text.length));
      return { file, line: Math.max(1, line), col: Math.max(1, col) };
    },
  };
  const problems: Problem[] = [];
  const refuse = (offset: number, expected: string, found: string) => problems.push({ ...source.at(offset), path: '', expected, found });
  if (text.length > YAML_LIMITS.characters) {
    refuse(0, `at most ${YAML_LIMITS.characters} characters in a file`, String(text.length));
    return { documents: [], problems };
  }
  const tokens = tokensOf(text, lines, { mostValues, depth: YAML_LIMITS.depth });
  if (tokens === undefined) return { documents: [], problems, tooMany: true };
  const tooDeep = firstTokenBelow(tokens, YAML_LIMITS.depth);
  if (tooDeep !== undefined) {
    refuse(tooDeep, `at most ${YAML_LIMITS.depth} levels of nesting`, 'more');
    return { documents: [], problems };
  }
  const forbidden = text.search(FORBIDDEN);
  if (forbidden >= 0) {
    const code = text.codePointAt(forbidden) ?? 0;
    refuse(forbidden, 'no control characters', `U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
    return { documents: [], problems };
  }
  const documents: Located[] = [];
  const budget = { nodes: mostValues };
  // Scalars are resolved by scalars.ts, so the library must return them as text.
  const composer = new Composer({
    schema: 'failsafe',
    uniqueKeys: false,
    resolveKnownTags: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  for (const document of composer.compose(tokens, false, text.length)) {
    const [error] = document.errors;
    if (error !== undefined) {
      const fault = { code: error.code, offset: error.pos[0], message: firstLine(error.message) };
      const { offset, ...problem } = errors === 'parser' ? unexplained(fault) : syntaxErrorAt(text, fault, tokens);
      problems.push({ ...source.at(offset), path: '', ...problem });
    }
    if (error !== undefined || isEmpty(document)) continue;
    const reader = new Reader(source, budget, problems, repeatedKeys);
    const node = reader.read(document.contents, '', 0);
    // The rest of the text would have errors that its author did not make.
    if (node !== undefined && !reader.hasLost) documents.push(node);
    if (budget.nodes < 0) break;
  }
  return { documents, problems, ...(budget.nodes < 0 ? { tooMany: true } : {}) };
}

const firstLine = (message: string) => message.split('\n', 1)[0] ?? message;

function isEmpty(document: Document.Parsed): boolean {
  const { contents } = document;
  return (
    contents === null ||
    (isScalar(contents) && contents.value === '' && contents.type === 'PLAIN' && contents.range[0] === contents.range[1])
  );
}

type Anchored = { readonly node: Located; readonly nodes: number };

class Reader {
  readonly #source: SourceText;
  readonly #budget: { nodes: number };
  readonly #problems: Problem[];
  readonly #anchors = new Map<string, Anchored | 'open'>();
  readonly #repeatedKeys: 'refuse' | 'last';
  /** Whether a value could not be read, and is not there. */
  hasLost = false;

  constructor(source: SourceText, budget: { nodes: number }, problems: Problem[], repeatedKeys: 'refuse' | 'last') {
    this.#repeatedKeys = repeatedKeys;
    this.#source = source;
    this.#budget = budget;
    this.#problems = problems;
  }

  /** Returns undefined if the node is not usable; the problem has been recorded. */
  read(node: ParsedNode | null, path: string, fallback: number): Located | undefined {
    const read = this.#read(node, path, fallback);
    if (read === undefined) this.hasLost = true;
    return read;
  }

  #read(node: ParsedNode | null, path: string, fallback: number): Located | undefined {
    if (this.#budget.nodes < 0) return undefined;
    const start = node === null ? fallback : node.range[0];
    if (--this.#budget.nodes < 0)
      return this.#refuse(start, path, `at most ${YAML_LIMITS.nodes} values in a file, aliases expanded`, 'more');
    if (node === null) return { source: this.#source, start, shape: 'scalar', plain: null, style: 'plain', end: start };
    if (isAlias(node)) return this.#alias(node.source, start, path);
    const before = this.#budget.nodes;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, 'open');
    const read = isMap(node)
      ? this.#map(node.items, node.tag, start, path)
      : isSeq(node)
        ? this.#list(node.items, node.tag, start, path)
        : this.#scalar(node, start, path);
    if (node.anchor !== undefined) {
      if (read === undefined) this.#anchors.delete(node.anchor);
      else this.#anchors.set(node.anchor, { node: read, nodes: before - this.#budget.nodes + 1 });
    }
    return read;
  }

  #refuse(offset: number, path: string, expected: string, found: string): undefined {
    this.#problems.push({ ...this.#source.at(offset), path, expected, found });
  }

  #alias(name: string, start: number, path: string): Located | undefined {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) return this.#refuse(start, path, 'an alias of an anchor above it', `*${name}`);
    if (anchored === 'open') return this.#refuse(start, path, 'an alias of a finished value', `*${name} inside itself`);
    // An alias costs as much as the value that it stands for: otherwise ten lines could expand to a billion values.
    this.#budget.nodes -= anchored.nodes;
    if (this.#budget.nodes < 0) return this.#refuse(start, path, `at most ${YAML_LIMITS.nodes} values in a file, aliases expanded`, 'more');
    return anchored.node;
  }

  #scalar(node: Scalar.Parsed, start: number, path: string): Located | undefined {
    const text = String(node.value);
    const end = node.range[1];
    const style = node.type === 'PLAIN' ? 'plain' : node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 'quoted' : 'block';
    const value = tagged(text, style === 'plain', node.tag);
    const expression = value === undefined ? negated(this.#source.text, start) : undefined;
    if (expression !== undefined) {
      const { offset, ...slip } = expression;
      this.#problems.push({ ...this.#source.at(offset), path, ...slip });
      return undefined;
    }
    if (value === undefined)
      return this.#refuse(
        start,
        path,
        'a tag of JSON values (!!str, !!int, !!float, !!bool, !!null)',
        `${shortTag(node.tag ?? '')} ${showValue(text)}`,
      );
    if (typeof value === 'number' && !Number.isFinite(value)) return this.#refuse(start, path, 'a number that JSON can hold', text);
    return { source: this.#source, start, shape: 'scalar', plain: value, style, end };
  }

  #list(nodes: readonly ParsedNode[], tag: string | undefined, start: number, path: string): Located | undefined {
    if (!isOrdinaryTag(tag, 'seq')) return this.#refuse(start, path, 'a list without a tag', shortTag(tag ?? ''));
    const items: Located[] = [];
    for (const [index, node] of nodes.entries()) {
      const item = this.read(node, joinPath(path, index), start);
      if (item !== undefined) items.push(item);
    }
    return { source: this.#source, start, shape: 'list', plain: items.map((item) => item.plain), items };
  }

  #map(pairs: YAMLMap.Parsed['items'], tag: string | undefined, start: number, path: string): Located | undefined {
    if (!isOrdinaryTag(tag, 'map')) return this.#refuse(start, path, 'a mapping without a tag', shortTag(tag ?? ''));
    const entries = new Map<string, LocatedEntry>();
    const merged: Located[] = [];
    for (const { key: keyNode, value: valueNode } of pairs) {
      const [keyStart, keyEnd] = keyNode.range;
      const key = this.#key(keyNode, keyStart, path);
      if (key === undefined) continue;
      const value = this.read(valueNode, joinPath(path, key.text), keyEnd);
      if (value === undefined) continue;
      if (key.merges) merged.push(value);
      else if (this.#repeatedKeys === 'refuse' && entries.has(key.text))
        this.#refuse(
          keyStart,
          joinPath(path, key.text),
          'each key once',
          `${showValue(key.text)} again (first at line ${this.#source.at(entries.get(key.text)?.keyStart ?? 0).line})`,
        );
      else entries.set(key.text, { keyStart, value });
    }
    for (const value of merged) this.#merge(entries, value, path);
    // `fromEntries` defines properties, so a key such as __proto__ is an ordinary key.
    const plain = Object.fromEntries([...entries].map(([key, entry]) => [key, entry.value.plain]));
    return { source: this.#source, start, shape: 'map', plain, entries };
  }

  #key(node: ParsedNode, start: number, path: string): { readonly text: string; readonly merges: boolean } | undefined {
    const located = this.read(node, path, start);
    if (located === undefined) return undefined;
    if (located.shape !== 'scalar' || located.plain === null) return this.#refuse(start, path, 'a text as key', showValue(located.plain));
    return { text: String(located.plain), merges: located.plain === '<<' && located.style === 'plain' };
  }

  /** `<<: *defaults`: existing keys win, then the first of several merged mappings. */
  #merge(entries: Map<string, LocatedEntry>, value: Located, path: string): void {
    for (const part of value.shape === 'list' ? value.items : [value]) {
      if (part.shape !== 'map') this.#refuse(part.start, joinPath(path, '<<'), 'mappings to merge', showValue(part.plain));
      else for (const [key, entry] of part.entries) if (!entries.has(key)) entries.set(key, entry);
    }
  }
}
