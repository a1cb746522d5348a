/** Reads CEL from a file and maps its errors to positions in the text. */
import type { Schema } from '../../schema/shape/index.ts';
import { type CheckContext, quoted, Reading } from './context.ts';
import type { About } from './cel.ts';
import { compileExpression } from './expressions.ts';
import type { Expression } from './values.ts';
import { type Located, needsQuotes, type Position, positionOf, wholeValue } from '../../schema/yaml/index.ts';
import { TEMPORALS } from './format.ts';

/** Reads an expression. `self`: the kind of the object of the condition, where it is known. */
export function readExpression(about: About, at: Reading, self?: string): Expression | undefined {
  const { node, context } = at;
  if (node.shape !== 'scalar' || typeof node.plain !== 'string') return at.refuse('a CEL expression');
  if (endOfCut(node) !== undefined) {
    const { expected, found, suggestion } = needsQuotes(wholeValue(node.source.text, node.start));
    return at.refuse(expected, found, suggestion);
  }
  const compiled = compileExpression(node.plain, { about, kinds: context.vocabulary.kinds, schemaOf: schemaIn(context), self });
  if ('expression' in compiled) return { cel: node.plain, source: positionOf(node) };
  const { message, offset, suggestion } = compiled.error;
  return at.refuseAt(positionInside(node, offset), at.path, 'a CEL condition', message.replace(/^found /, ''), quoted(suggestion));
}

/** Returns the end of an unquoted expression that YAML cuts at a comma or a colon; undefined: it is complete. */
export function endOfCut(node: Located): number | undefined {
  if (node.shape !== 'scalar' || node.style !== 'plain') return undefined;
  const { text } = node.source;
  const rest = /^\s*[,:#]/.test(text.slice(node.end, node.end + 2)) ? wholeValue(text, node.start) : '';
  return rest.length > node.end - node.start ? node.start + rest.length : undefined;
}

/** Returns the schemas of kinds in the scenario's domain. */
function schemaIn({ vocabulary: { schemaOf }, domain }: CheckContext): ((kind: string) => Schema | undefined) | undefined {
  return schemaOf === undefined ? undefined : (kind) => schemaOf(kind, domain);
}

/**
 * Returns the position of an offset in a text: exact where the file contains the text unchanged, by line in a literal block, otherwise its
 * start.
 */
function positionInside(node: Located & { readonly shape: 'scalar' }, offset: number): Position {
  const raw = node.source.text.slice(node.start, node.end);
  const value = String(node.plain);
  const verbatim = raw.indexOf(value);
  if (node.style !== 'block') return node.source.at(verbatim < 0 ? node.start : node.start + verbatim + offset);
  const before = value.slice(0, offset).split('\n');
  const lineStarts = raw.split('\n');
  const line = lineStarts[before.length];
  if (raw[0] !== '|' || line === undefined) return positionOf(node);
  const skipped = lineStarts.slice(0, before.length).reduce((sum, each) => sum + each.length + 1, 0);
  const indent = /^ */.exec(lineStarts[1] ?? '')?.[0].length ?? 0;
  return node.source.at(node.start + skipped + indent + (before.at(-1) ?? '').length);
}

/** Reports what no single field of an invariant can express: duplicate names, conditions about an object without `foreach`. */
export function checkInvariants(scenario: Reading): void {
  const names = new Set(scenario.context.vocabulary.invariants);
  for (const item of scenario.member('spec', 'invariants')?.items() ?? []) {
    const name = item.member('name');
    if (name !== undefined && names.has(String(name.plain))) name.refuse('a name that no other invariant has');
    if (name !== undefined) names.add(String(name.plain));
    if (item.member('foreach') !== undefined) continue;
    item.member('where')?.refuse('foreach beside it', 'where alone', quoted('foreach'));
    for (const temporal of TEMPORALS) checkWorld(item.member(temporal));
  }
}

/** Reports `self` and `old` in a condition without `foreach`, which is about the cluster. */
function checkWorld(at: Reading | undefined): void {
  if (at === undefined) return;
  const about = (kind: 'world' | 'change') => {
    const problems: CheckContext['problems'] = [];
    readExpression(kind, new Reading(at.node, at.path, { ...at.context, problems }));
    return problems;
  };
  // An error in both readings was reported when the condition was read.
  if (about('change').length > 0) return;
  for (const problem of about('world'))
    at.context.problems.push({
      ...problem,
      expected: 'a condition over objects(), object() and time; self and old need foreach',
      suggestion: 'foreach: Job',
    });
}
