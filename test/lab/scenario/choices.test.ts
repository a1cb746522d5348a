/** Faults at points of a run, as a file states them: what each means, how it is written again, and what is refused. */
import { describe, expect, it } from 'vitest';
import { compileInjectedFault, injectedFaultDocument, type InjectedFault } from '../../../src/lab/scenario/choice-format.ts';
import { formatScenario } from '../../../src/lab/scenario/index.ts';
import { readYaml } from '../../../src/schema/yaml/index.ts';
import { messagesOf, scenarioOf, withoutSources, withSpec } from './vocabulary.ts';

const at = (point: string, fault: string): string => withSpec(`choices: [{ at: "${point}", ${fault} }]`);
const [SEE, DECIDE, WRITE, START, ACTOR] = [
  'see m Pod default/a',
  'decide job default/a',
  'write job default/a',
  'start agent/n default/a',
  'actor job',
];

/** Each fault as a file states it, and as it is compiled; the third: how it is written, where that differs. */
const FAULTS: readonly (readonly [point: string, fault: string, compiled: InjectedFault, written?: string | undefined])[] = [
  [SEE, 'hold: 2s', { do: 'hold', ms: 2_000 }],
  [DECIDE, 'hold: 0s', { do: 'hold', ms: 0 }],
  [WRITE, 'late: 1500ms', { do: 'late', ms: 1_500 }],
  [WRITE, 'refuse: 409', { do: 'refuse', code: 409 }],
  [WRITE, 'lose: true', { do: 'lose' }],
  [SEE, 'freeze: 1m', { do: 'freeze', ms: 60_000 }],
  [SEE, 'gap: 3s', { do: 'gap', ms: 3_000 }],
  [DECIDE, 'crash: before', { do: 'crash', when: 'before', restartAfterMs: 1_000 }, 'crash: before, restartAfter: 1s'],
  [WRITE, 'crash: after, restartAfter: 4s, staleBy: 5s', { do: 'crash', when: 'after', restartAfterMs: 4_000, staleByMs: 5_000 }],
  [
    WRITE,
    'crash: during',
    { do: 'crash', when: 'during', arrivesAfterMs: 2_000, restartAfterMs: 1_000 },
    'crash: during, arrivesAfter: 2s, restartAfter: 1s',
  ],
  [
    WRITE,
    'crash: during, arrivesAfter: 7s, restartAfter: 1s, asOf: "before Pod default/a gone #2", frozen: 9s',
    { do: 'crash', when: 'during', arrivesAfterMs: 7_000, restartAfterMs: 1_000, asOf: 'before Pod default/a gone #2', frozenMs: 9_000 },
    'crash: during, arrivesAfter: 7s, restartAfter: 1s, asOf: "before Pod default/a gone #2", frozen: 9s',
  ],
  [DECIDE, 'relist: true', { do: 'relist' }],
  [DECIDE, 'relist: true, staleBy: 5s', { do: 'old-relist', staleByMs: 5_000 }],
  [WRITE, 'meddle: annotate', { do: 'meddle', edit: 'annotate', of: 'object' }, 'meddle: annotate, of: object'],
  [WRITE, 'meddle: finalize, of: target, undo: 3s', { do: 'meddle', edit: 'finalize', of: 'target', undoMs: 3_000 }],
  [WRITE, 'meddle: unlabel, of: object', { do: 'unlabel', of: 'object' }],
  [WRITE, 'meddle: scale, of: target', { do: 'scale', of: 'target' }],
  [WRITE, 'meddle: recreate, of: object, undo: 1s', { do: 'recreate', of: 'object', undoMs: 1_000 }],
  [DECIDE, 'cut: 8s', { do: 'cut', ms: 8_000 }],
  [DECIDE, 'skew: 2s', { do: 'skew', ms: 2_000, forMs: 60_000 }, 'skew: 2s, for: 1m'],
  [DECIDE, 'skew: 2s, behind: true, for: 3s', { do: 'skew', ms: -2_000, forMs: 3_000 }],
  [DECIDE, 'skew: 2s, behind: false', { do: 'skew', ms: 2_000, forMs: 60_000 }, 'skew: 2s, for: 1m'],
  [START, 'hang: true', { do: 'hang' }],
  [ACTOR, 'slow: 1s', { do: 'slow', ms: 1_000 }],
  [ACTOR, 'slow: 1s, until: 9s', { do: 'slow', ms: 1_000, untilMs: 9_000 }],
];

/** The value of a text of YAML. */
const valueOf = (text: string): unknown => readYaml(text, 'x').documents[0]?.plain;

describe('a fault', () => {
  it.each(FAULTS as [string, string, InjectedFault, string | undefined][])('%s: %s', (point, fault, compiled, written) => {
    const scenario = scenarioOf(at(point, fault));
    expect(withoutSources(scenario.choices)).toEqual([{ at: point, injectedFault: compiled }]);
    const text = formatScenario({ name: 'a', ...(scenario.choices === undefined ? {} : { choices: scenario.choices }) });
    expect(valueOf(text)).toMatchObject({ spec: { choices: [valueOf(`{ at: "${point}", ${written ?? fault} }`)] } });
  });

  it('as a document has the names of its values after reading', () => {
    const documents = [...new Map(FAULTS.map(([, , compiled]) => [compiled.do, compiled])).values()].map((fault) => {
      const document = Object.fromEntries(Object.entries(injectedFaultDocument(fault)).filter(([, value]) => value !== undefined));
      return [fault, compileInjectedFault(reread(document) as never)] as const;
    });
    for (const [fault, again] of documents) expect(again).toEqual(fault);
  });
});

/** A document as the format reads it: a member of milliseconds has the name of a duration. */
const reread = (document: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      typeof value === 'number' && name !== 'refuse' && !name.endsWith('Ms') ? `${name}Ms` : name,
      value,
    ]),
  );

describe('what no point has', () => {
  const PATH = 'spec.choices[0]';
  it.each<[string, string, string]>([
    [SEE, 'late: 1s', `${PATH}.at: expected a point at which late can be injected (write), found see`],
    [START, 'hold: 1s', `${PATH}.at: expected a point at which hold can be injected (see or decide), found start`],
    [DECIDE, 'refuse: 409', `${PATH}.at: expected a point at which refuse can be injected (write), found decide`],
    [DECIDE, 'lose: true', `${PATH}.at: expected a point at which lose can be injected (write), found decide`],
    [SEE, 'crash: before', `${PATH}.at: expected a point at which crash can be injected (decide or write), found see`],
    [WRITE, 'relist: true', `${PATH}.at: expected a point at which relist can be injected (decide), found write`],
    [WRITE, 'freeze: 1s', `${PATH}.at: expected a point at which freeze can be injected (see), found write`],
    [WRITE, 'gap: 1s', `${PATH}.at: expected a point at which gap can be injected (see), found write`],
    [SEE, 'meddle: scale', `${PATH}.at: expected a point at which meddle can be injected (write), found see`],
    [SEE, 'cut: 1s', `${PATH}.at: expected a point at which cut can be injected (decide), found see`],
    [SEE, 'skew: 1s', `${PATH}.at: expected a point at which skew can be injected (decide), found see`],
    [SEE, 'hang: true', `${PATH}.at: expected a point at which hang can be injected (start), found see`],
    [SEE, 'slow: 1s', `${PATH}.at: expected a point at which slow can be injected (actor), found see`],
    [DECIDE, 'crash: after', `${PATH}.crash: expected before: after a decision come its writes, found after`],
    [DECIDE, 'crash: during', `${PATH}.crash: expected before: after a decision come its writes, found during`],
    [WRITE, 'crash: after, arrivesAfter: 1s', `${PATH}.arrivesAfter: expected crash: during beside it, found none`],
    [WRITE, 'lose: true, staleBy: 1s', `${PATH}.staleBy: expected crash or relist beside it, found lose`],
    [WRITE, 'lose: false', `${PATH}.lose: expected true, found false`],
    [DECIDE, 'relist: false', `${PATH}.relist: expected true, found false`],
    [START, 'hang: false', `${PATH}.hang: expected true, found false`],
    [
      WRITE,
      'crash: before, staleBy: 1s, asOf: "after Pod a created #1"',
      `${PATH}: expected only one of staleBy, asOf, found staleBy and asOf`,
    ],
    [
      WRITE,
      'crash: before, asOf: "at Pod a created #1"',
      `${PATH}.asOf: expected before or after, kind, object, what happened to it and which time: before ConfigMap default/web gone #1, found "at Pod a created #1"`,
    ],
    [
      WRITE,
      'crash: before, asOf: "after Pod a created #0"',
      `${PATH}.asOf: expected before or after, kind, object, what happened to it and which time: before ConfigMap default/web gone #1, found "after Pod a created #0"`,
    ],
    [WRITE, 'refuse: 399', `${PATH}.refuse: expected a whole number from 400 to 599, found 399`],
    [WRITE, 'refuse: 600', `${PATH}.refuse: expected a whole number from 400 to 599, found 600`],
    [DECIDE, 'restartAfter: 1s, relist: true', `${PATH}: expected crash beside restartAfter, found restartAfter alone`],
    [DECIDE, 'frozen: 1s, crash: before', `${PATH}: expected asOf beside frozen, found frozen alone`],
    [DECIDE, 'behind: true, cut: 1s', `${PATH}: expected skew beside behind, found behind alone`],
    [DECIDE, 'for: 1s, cut: 1s', `${PATH}: expected skew beside for, found for alone`],
    [DECIDE, 'until: 1s, cut: 1s', `${PATH}: expected slow beside until, found until alone`],
    [WRITE, 'of: target, lose: true', `${PATH}: expected meddle beside of, found of alone`],
    [WRITE, 'undo: 1s, lose: true', `${PATH}: expected meddle beside undo, found undo alone`],
    [
      WRITE,
      'late: 1s, lose: true',
      `${PATH}: expected only one of hold, freeze, gap, late, refuse, lose, crash, relist, cut, skew, hang, slow, meddle, found late and lose`,
    ],
  ])('%s: %s', (point, fault, message) => {
    expect(messagesOf(at(point, fault)).map((each) => each.replace(/^\d+:\d+: /, ''))).toEqual([message]);
  });

  it('is also a point without its sort, or one that another choice names', () => {
    const wanted = 'the address of a point: see, decide, write, start, actor with process and object, as a search writes it';
    expect(messagesOf(at('look at this', 'lose: true'))).toEqual([
      `5:19: spec.choices[0].at: expected ${wanted}, found "look at this"`,
      '5:19: spec.choices[0].at: expected a point at which lose can be injected (write), found look',
    ]);
    const twice = withSpec(`choices:\n- { at: ${WRITE}, lose: true }\n- { at: ${WRITE}, late: 1s }\n- { at: ${WRITE} two, late: 1s }`);
    expect(messagesOf(twice)).toEqual(['7:11: spec.choices[1].at: expected a point that no other choice names, found it twice']);
  });
});
