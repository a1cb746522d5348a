/** Conditions, and members that a document must have. */
import { describe, expect, it } from 'vitest';
import {
  absentErrors,
  absentListErrors,
  conditionErrors,
  conditionStates,
  oneConditionOfAType,
  reasonErrors,
  validateConditions,
  withCondition,
} from '../../../../src/apiserver/machinery/index.ts';
import { lines, NAME_PART } from './causes.ts';

describe('conditions', () => {
  const condition = (more: object = {}) => ({ type: 'Ready', status: 'True', lastTransitionTime: 't', reason: 'R', message: '', ...more });

  it('have a type, a state and a reason in one word', () => {
    const stated = [
      { type: '', status: '' },
      { type: 'A', status: 'Maybe' },
      { type: 'B', status: 'Unknown' },
    ];
    expect([
      lines(conditionErrors(stated)),
      lines(conditionErrors(stated, ['A'])),
      conditionErrors(null),
      conditionErrors(undefined),
    ]).toEqual([
      [
        'status.conditions[0].type Required - ',
        'status.conditions[0].status Required - ',
        'status.conditions[1].status NotSupported "Maybe" supported values: "False", "True", "Unknown"',
      ],
      [
        'status.conditions[0].type Required - ',
        'status.conditions[0].status Required - ',
        'status.conditions[1].status NotSupported "Maybe" supported values: "False", "True", "Unknown"',
        'status.conditions[2].type NotSupported "B" supported values: "A"',
      ],
      [],
      [],
    ]);
    expect([
      lines(reasonErrors([{ reason: 'AbC1' }, {}, { reason: '' }, { reason: 'two words' }, { reason: 'lower' }])),
      reasonErrors(null),
    ]).toEqual([
      [
        'status.conditions[3].reason Invalid "two words" must be one word in CamelCase, such as FailedDiscoveryCheck',
        'status.conditions[4].reason Invalid "lower" must be one word in CamelCase, such as FailedDiscoveryCheck',
      ],
      [],
    ]);
    const object = {
      status: {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'A', status: '' },
        ],
      },
    } as never;
    expect([lines(conditionStates('pod').check(object)), lines(oneConditionOfAType('pod').check(object))]).toEqual([
      ['status.conditions[1].status Required - '],
      ['status.conditions[1].type Duplicate "A" '],
    ]);
    expect([conditionStates('pod').name, oneConditionOfAType('pod').name]).toEqual(['pod/condition-states', 'pod/one-condition-of-a-type']);
  });

  it('of the common type have limits', () => {
    expect([
      validateConditions(),
      lines(
        validateConditions([
          condition({ type: 'a.b/C', status: 'Unknown', observedGeneration: 0, reason: 'aB_,:c_', message: 'x'.repeat(32 * 1024) }),
          condition({ reason: 'r'.repeat(1024) }),
        ]),
      ),
    ]).toEqual([[], []]);
    expect(
      lines(
        validateConditions([
          condition(),
          condition({ type: 'a b', status: 'Yes', observedGeneration: -1, lastTransitionTime: null, reason: '' }),
          condition({ reason: '1' }),
          condition({ type: 'X', reason: 'r:', message: 'x'.repeat(32 * 1024 + 1) }),
          condition({ type: 'Y', reason: 'r'.repeat(1025) }),
        ]),
      ).map((each) => each.replaceAll(/r{100,}/g, 'rr…').replaceAll(/x{100,}/g, 'xx…')),
    ).toEqual([
      `status.conditions[1].type Invalid "a b" ${NAME_PART}`,
      'status.conditions[1].status NotSupported "Yes" supported values: "False", "True", "Unknown"',
      'status.conditions[1].observedGeneration Invalid -1 must be greater than or equal to zero',
      'status.conditions[1].lastTransitionTime Required - must be set',
      'status.conditions[1].reason Required - must be set',
      'status.conditions[2].type Duplicate "Ready" ',
      "status.conditions[2].reason Invalid \"1\" a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
      "status.conditions[3].reason Invalid \"r:\" a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
      'status.conditions[3].message TooLong "xx…" must have at most 32768 bytes',
      'status.conditions[4].reason TooLong "rr…" must have at most 1024 bytes',
    ]);
  });

  it('are replaced, and their time changes with their state', () => {
    const [now, old] = [Date.parse('2024-03-01T00:00:00Z'), condition({ lastTransitionTime: '2024-01-01T00:00:00Z' })];
    const found = (more: object) => ({ type: 'Ready', status: 'True', reason: 'R', message: '', ...more });
    const all = [condition({ type: 'Other' }), old];
    expect(withCondition(all, found({}), now)).toBe(all);
    expect([
      withCondition(all, found({ status: 'False' }), now),
      withCondition(all, found({ reason: 'S' }), now),
      withCondition(all, found({ message: 'm' }), now),
      withCondition(undefined, found({}), now),
    ]).toEqual([
      [
        { type: 'Other', status: 'True', lastTransitionTime: 't', reason: 'R', message: '' },
        { type: 'Ready', status: 'False', lastTransitionTime: '2024-03-01T00:00:00Z', reason: 'R', message: '' },
      ],
      [
        { type: 'Other', status: 'True', lastTransitionTime: 't', reason: 'R', message: '' },
        { type: 'Ready', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z', reason: 'S', message: '' },
      ],
      [
        { type: 'Other', status: 'True', lastTransitionTime: 't', reason: 'R', message: '' },
        { type: 'Ready', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z', reason: 'R', message: 'm' },
      ],
      [{ type: 'Ready', status: 'True', lastTransitionTime: '2024-03-01T00:00:00Z', reason: 'R', message: '' }],
    ]);
  });
});

describe('members of a document', () => {
  const document = { spec: { a: 1, list: [{ x: 1 }, { x: null }, {}], none: null, deep: {} } };
  const of = (...way: readonly string[]) => lines(absentErrors(document, way));

  it('are there where they must be', () => {
    expect([
      of('spec', 'a'),
      of('spec', 'b'),
      of('spec', 'none'),
      of('spec', 'list[]', 'x'),
      of('spec', 'deep?', 'y'),
      of('spec', 'none?', 'y'),
      of('spec', 'gone?', 'y'),
      of('spec', 'gone', 'y'),
      of('spec', 'a[]', 'y'),
      of('toString'),
    ]).toEqual([
      [],
      ['spec.b Required - '],
      ['spec.none Required - '],
      ['spec.list[1].x Required - ', 'spec.list[2].x Required - '],
      ['spec.deep.y Required - '],
      [],
      [],
      ['spec.gone.y Required - '],
      [],
      ['toString Required - '],
    ]);
    expect([absentErrors(undefined, ['spec']), lines(absentErrors(undefined, ['y'], 'spec')), absentErrors(document, [])]).toEqual([
      [],
      ['spec.y Required - '],
      [],
    ]);
  });

  it('may be empty lists', () => {
    const list = (way: readonly string[], stored: readonly unknown[] | null | undefined) => lines(absentListErrors(document, way, stored));
    expect([
      list(['spec', 'none'], []),
      list(['spec', 'none'], null),
      list(['spec', 'none'], ['x']),
      list(['spec', 'none'], undefined),
      list(['spec', 'gone'], []),
      list(['gone', 'none'], []),
    ]).toEqual([[], [], ['spec.none Required - '], ['spec.none Required - '], ['spec.gone Required - '], ['gone.none Required - ']]);
  });
});
