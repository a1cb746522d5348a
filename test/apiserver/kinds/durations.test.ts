/** Cells of tables: durations and ages in the short form, lists with further items, points of load balancers, fields. */
import { describe, expect, it } from 'vitest';
import {
  ageColumn,
  ageOf,
  balancerPoints,
  createdAtColumn,
  fieldColumns,
  firstOf,
  humanDuration,
  nameColumn,
} from '../../../src/apiserver/machinery/index.ts';
import { bool, int32, list, obj, str } from '../../../src/schema/shape/index.ts';

const [SECOND, MINUTE, HOUR, DAY, YEAR] = [1000, 60_000, 3_600_000, 86_400_000, 365 * 86_400_000];

describe('a duration', () => {
  // The rows are those of the model's own test and both sides of each bound.
  it.each([
    [-2 * SECOND, '<invalid>'],
    [-1999, '0s'],
    [-SECOND, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [SECOND, '1s'],
    [70 * SECOND, '70s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [190 * SECOND, '3m10s'],
    [10 * MINUTE - SECOND, '9m59s'],
    [10 * MINUTE, '10m'],
    [70 * MINUTE + SECOND, '70m'],
    [3 * HOUR - SECOND, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + 59 * MINUTE, '3h59m'],
    [8 * HOUR - MINUTE, '7h59m'],
    [8 * HOUR, '8h'],
    [47 * HOUR + 59 * MINUTE, '47h'],
    [2 * DAY, '2d'],
    [4 * DAY + 2 * HOUR, '4d2h'],
    [8 * DAY - HOUR, '7d23h'],
    [8 * DAY, '8d'],
    [2 * YEAR - HOUR, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + 23 * HOUR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - DAY, '7y364d'],
    [8 * YEAR, '8y'],
    [9 * YEAR + 300 * DAY, '9y'],
  ])('%i ms is %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it('since an instant is an age, where there is one', () => {
    const now = Date.parse('2024-03-01T00:01:00Z');
    expect(['2024-03-01T00:00:00Z', '', null, undefined].map((instant) => ageOf(instant, now))).toEqual([
      '60s',
      '<unknown>',
      '<unknown>',
      '<unknown>',
    ]);
    const object = { apiVersion: 'v1', kind: 'K', metadata: { name: 'a', creationTimestamp: '2024-03-01T00:00:00Z' } } as never;
    const context = { now } as never;
    expect([ageColumn, nameColumn, createdAtColumn].map(({ name, type, cell }) => [name, type, cell(object, context)])).toEqual([
      ['Age', 'string', '60s'],
      ['Name', 'string', 'a'],
      ['Created At', 'date', '2024-03-01T00:00:00Z'],
    ]);
  });
});

it('a list shows the first of its items, and how many more there are', () => {
  expect([firstOf([], 2), firstOf(['a', 'b'], 2), firstOf(['a', 'b', 'c'], 2), firstOf(['a', 'b', 'c', 'd'], 2, ' ')]).toEqual([
    '',
    'a,b',
    'a,b + 1 more...',
    'a b + 2 more...',
  ]);
});

it('the points of a load balancer are distinct and in order', () => {
  expect(balancerPoints({ ingress: [{ ip: '2' }, { hostname: 'h' }, { ip: '1', hostname: 'x' }, { ip: '2' }, {}, { ip: '' }] })).toEqual([
    '1',
    '2',
    'h',
  ]);
  expect(balancerPoints({})).toEqual([]);
});

it('columns of fields are those of the object, its spec and its status', () => {
  const shown = (column: string | readonly [string, string, 'string'?]) => ({ column, says: 'What it is.' }) as const;
  const shape = obj('K', {
    top: { ...str(), ...shown('Top') },
    spec: obj('KSpec', {
      count: { ...int32, ...shown('Count') },
      flag: { ...bool, ...shown('Flag') },
      plain: str(),
      names: { ...list(str()), ...shown('Names') },
      deep: obj('D', { x: { ...str(), ...shown('X') } }),
    }),
    status: obj('KStatus', { state: { ...str(), ...shown(['State', 'How it is.', 'string']) } }),
    other: obj('O', { y: { ...str(), ...shown('Y') } }),
  } as never);
  const columns = [...fieldColumns(shape)];
  const cells = (object: object) => columns.map(([, { cell }]) => cell(object as never, {} as never));
  expect(columns.map(([path, { name, type, description, priority }]) => [path, name, type, description, priority])).toEqual([
    ['top', 'Top', 'string', 'What it is.', 0],
    ['spec.count', 'Count', 'integer', 'What it is.', 0],
    ['spec.flag', 'Flag', 'boolean', 'What it is.', 0],
    ['spec.names', 'Names', 'string', 'What it is.', 0],
    ['status.state', 'State', 'string', 'How it is.', 0],
  ]);
  expect(cells({ top: 't', spec: { count: 3, flag: true, names: ['a', 'b'] }, status: { state: 's' } })).toEqual([
    't',
    3,
    true,
    'a,b',
    's',
  ]);
  expect([cells({}), cells({ spec: { names: [] } })]).toEqual([
    ['', 0, false, '<none>', ''],
    ['', 0, false, '<none>', ''],
  ]);
});
