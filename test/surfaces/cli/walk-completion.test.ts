/** Completion in a walk: commands, objects of the moment, processes, moments, faults with their parameters. */
import { describe, expect, it } from 'vitest';
import type { ObjectChange } from '../../../src/lab/trace/index.ts';
import { openHistory } from '../../../src/surfaces/cli/question/history.ts';
import { changeLines } from '../../../src/surfaces/cli/walk/changes.ts';
import { createWalker, type Walker } from '../../../src/surfaces/cli/walk/walker.ts';
import { WORDS } from '../../../src/surfaces/cli/walk/words.ts';
import { MARKED } from '../report/samples.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { folderWith, silentIo } from './cli.ts';

const SMALL = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: small }
spec:
  cluster: { nodes: { count: 1 } }
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web } }
    - { at: 1s, note: Nothing else. }
    - at: 2s
      apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
    - { at: 3s, note: It has an account. }
    - { at: 4s, note: It ends. }
`;
const KINDS = ['Namespace', 'ServiceAccount', 'ConfigMap', 'Node', 'Lease'];
const OBJECTS = KINDS.map((kind) => `${kind}/`);
const PROCESSES = ['controller-manager', 'scheduler', 'agent/node-0'];
const MAPS = [
  'orch-root-ca.crt',
  'orch-node-lease/orch-root-ca.crt',
  'orch-public/orch-root-ca.crt',
  'orch-system/orch-root-ca.crt',
  'web',
];
const AT_THE_END = [...MAPS, 'shop/orch-root-ca.crt'].map((name) => `ConfigMap/${name}`);
const CRASH = ['restartAfter=', 'afterWrites=', 'beforeWrite=', 'arrivesAfter=', 'ifPossible='];

let walker: Walker | undefined;

it.each<[at: string, line: string, hits: readonly string[], last?: string]>([
  ['end', '', WORDS.map(({ name }) => name)],
  ['end', '  wh', ['why'], 'wh'],
  ['end', 'next ', []],
  ['end', 'nothing ', []],
  // Before a name is begun there are kinds only, and events are of no interest.
  ['end', 'why ', ['not', ...OBJECTS]],
  ['end', 'w not ', OBJECTS],
  ['end', 'why not x ', []],
  ['end', 'why ConfigMap/web ', []],
  ['start', 'why ConfigMap/', MAPS.slice(0, -1).map((name) => `ConfigMap/${name}`), 'ConfigMap/'],
  ['end', 'why ConfigMap/', AT_THE_END, 'ConfigMap/'],
  ['end', 'why conf', AT_THE_END, 'conf'],
  ['end', 'diff configmap/shop/', ['ConfigMap/shop/orch-root-ca.crt'], 'configmap/shop/'],
  ['end', 'diff x ', []],
  ['end', 'state ', ['as', ...KINDS.slice(0, -1), 'Event', 'Lease', ...OBJECTS]],
  ['end', 'state as ', PROCESSES],
  ['end', 'state as scheduler ', []],
  ['end', 'state Node ', ['as']],
  ['end', 'state Node as ', PROCESSES],
  ['end', 'state Node as scheduler ', []],
  ['end', 'state Node x as ', []],
  ['end', 'goto ', ['start', 'end', '0.000s', '1.000s', '2.000s', '3.000s']],
  ['end', 'goto x ', []],
  ['end', 'fork ', ['fault', 'delete', 'evict', 'drain', 'cordon', 'uncordon', 'scale', 'patch:', 'apply:', 'create:', 'first', 'later']],
  ['end', 'fork scale ', OBJECTS],
  ['end', 'fork delete x ', []],
  ['end', 'fork first ', []],
  ['end', 'fork fault re', ['restart', 'relist'], 're'],
  ['end', 'fork fault crash ', [...PROCESSES, 'node-0']],
  ['end', 'fork fault crash x ', CRASH],
  ['end', 'fork fault crash x ifPossible=true ', CRASH],
  ['end', 'fork fault nothing x ', []],
])('at the %s, %j is completed to %j', (at, line, hits, last = '') => {
  // Where it stands is said by each row.
  walker ??= createWalker(openHistory('a.yaml', {}, silentIo(folderWith({ 'a.yaml': SMALL }))), { palette: PLAIN, save: (name) => name });
  walker.execute(`goto ${at}`);
  expect(walker.complete(line)).toEqual([hits, last]);
});

describe('changes', () => {
  const object = (kind: string, key: string, data?: object) => ({ kind, metadata: { name: key.split('/')[1] }, data });
  const changes = (many: number, what: '+' | '~' | '-', kind = 'ConfigMap') =>
    Array.from({ length: many }, (_, at): ObjectChange => {
      const key = `default/${kind[0]}${at}`;
      const sides = { before: what === '+' ? undefined : object(kind, key), after: what === '-' ? undefined : object(kind, key) };
      return { kind, key, summary: 'data.a 1 → 2', ...sides } as never;
    });

  it('of one kind are counted beyond four, and events are left out', () => {
    expect(changeLines([...changes(4, '+'), ...changes(2, '+', 'Event'), ...changes(1, '-', 'Secret')], MARKED)).toEqual([
      '  <good>+ ConfigMap C0</good>',
      '  <good>+ ConfigMap C1</good>',
      '  <good>+ ConfigMap C2</good>',
      '  <good>+ ConfigMap C3</good>',
      '  <bad>- Secret S0</bad>',
    ]);
    expect(changeLines([...changes(5, '-'), ...changes(1, '+', 'Secret')], MARKED)).toEqual([
      '  <good>+ Secret S0</good>',
      '  <bad>- 5 ConfigMaps</bad>: C0, C1, C2, C3, …',
    ]);
    expect(changeLines(changes(1, '+', 'Event'), MARKED)).toEqual(['<dim>  nothing changed</dim>']);
  });

  it('are cut after twelve lines', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `  <warn>~</warn> ConfigMap <strong>C${at}</strong>: data.a 1 → 2`);
    expect(changeLines(changes(12, '~'), MARKED)).toEqual(lines);
    expect(changeLines(changes(14, '~'), MARKED)).toEqual([...lines, '<dim>  and 2 more; state and diff show them</dim>']);
  });
});
