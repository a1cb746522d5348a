/** What the functions of expressions return of a cluster: objects, events, the inside of pods and nodes, changes. */
import { describe, expect, it } from 'vitest';
import { compileExpression, type Facts } from '../../../src/lab/scenario/index.ts';

const event = (reason: string, about: object) => ({ kind: 'Event', reason, involvedObject: about });
const events = [
  event('A', { kind: 'Pod', namespace: 'default', name: 'x' }),
  event('B', { kind: 'Pod', namespace: 'other', name: 'x' }),
  event('C', { kind: 'Node', name: 'n' }),
  event('D', { kind: 'Node', namespace: '', name: 'n' }),
  event('E', { kind: 'Node', namespace: 'default', name: 'n' }),
  event('F', { kind: 'Job', namespace: 'default', name: 'x' }),
  { kind: 'Event', reason: 'G' },
];
const pod = {
  kind: 'Pod',
  metadata: { name: 'x', namespace: 'default' },
  list: [{ n: 1 }, { n: 2.5 }],
  plain: ['a', 'b'],
  none: null,
  deep: { big: 9_007_199_254_740_991, half: 0.5 },
};
const facts: Facts = {
  now: 1_000,
  startAt: 0,
  objects: (kind) => (kind === 'Event' ? events : kind === 'Pod' ? [pod] : []),
  object: (kind, namespace, name) => (kind === 'Pod' && name === 'x' && (namespace ?? 'default') === 'default' ? pod : undefined),
  inside: (kind, namespace, name) => (name === 'x' ? { of: `${kind} ${namespace ?? ''}/${name}` } : undefined),
};
const evaluate = (cel: string, about: 'world' | 'self' | 'change' = 'world', ...values: readonly (object | null)[]): unknown => {
  const compiled = compileExpression(cel, { about });
  if ('error' in compiled) return compiled.error.message;
  const found = compiled.expression.evaluate(facts, ...(values as [object]));
  return 'holds' in found ? found.holds : found.error;
};

describe('functions', () => {
  it.each([
    "events('Pod/x').map(e, e.reason) == ['A']",
    "events('Pod/other/x').map(e, e.reason) == ['B']",
    "events('Job/x').map(e, e.reason) == ['F']",
    'events().size() == 7',
    "events('Pod/y').size() == 0",
    "object('Pod/x').metadata.name == 'x'",
    "object('Pod/default/x') != null",
    "object('Pod/other/x') == null",
    "objects('Job').size() == 0",
    "inside('Pod/x').of == 'Pod default/x'",
    "inside('Pod/other/x').of == 'Pod other/x'",
    "inside('Pod/y') == null",
    "elapsed == duration('1s')",
    // Those of rules of custom resources too.
    "object('Pod/x').plain.isSorted() && object('Pod/x').plain[0].replace('a', 'b') == 'b'",
    "objects('Pod').indexOf(object('Pod/x')) == 0 && objects('Pod').map(p, p.list[0].n).sum() == 1",
  ])('%s', (cel) => {
    expect(evaluate(cel)).toBe(true);
  });

  it('find the events of a node, with and without a namespace', () => {
    expect(evaluate("events('Node/n').map(e, e.reason) == ['C', 'D', 'E']")).toBe(true);
    expect(evaluate("events('Node/default/n').map(e, e.reason).size() <= 3")).toBe(true);
  });
});

describe('values', () => {
  it.each([
    'self.list[0].n == 1',
    'self.list[1].n == 2.5',
    "self.plain == ['a', 'b']",
    'self.none == null',
    'self.deep.big == 9007199254740991',
    'self.deep.half == 0.5',
    'self.deep.half + 0.5 == 1.0',
    'self.list.map(i, i.n).size() == 2',
  ])('%s', (cel) => {
    expect(evaluate(cel, 'self', pod)).toBe(true);
  });
});

describe('a change', () => {
  it('has the object and its stored revision, null after a creation', () => {
    expect(evaluate('self.n == 2 && old.n == 1', 'change', { n: 2 }, { n: 1 })).toBe(true);
    expect(evaluate('old == null', 'change', { n: 2 }, null)).toBe(true);
    expect(evaluate('self.n == 2', 'world')).toBe('Unknown variable: self');
    expect(evaluate('old == null', 'self', pod)).toBe('Unknown variable: old');
  });
});
