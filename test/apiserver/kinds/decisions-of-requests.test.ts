/** The status of a CertificateSigningRequest: which conditions it may have, and what a change may not do. */
import { describe, expect, it } from 'vitest';
import { changedStatusErrors, conditionsErrors, timedConditions } from '../../../src/apiserver/kinds/certificate-signing-request/index.ts';
import type { CertificateSigningRequest } from '../../../src/apiserver/kinds/certificate-signing-request/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type FieldError, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { problemText } from '../../../src/schema/values/index.ts';

type Condition = Partial<NonNullable<CertificateSigningRequest['status']['conditions']>[number]>;
const kind = kindsFor(namesFor('k8s.io')).byKind('CertificateSigningRequest');
const context = { names: namesFor('k8s.io'), gates: {}, now: 0 };

const request = (conditions?: readonly Condition[], certificate?: string) =>
  ({
    spec: { signerName: 'a.b/c', username: 'u' },
    status: { ...(conditions === undefined ? {} : { conditions }), ...(certificate === undefined ? {} : { certificate }) },
  }) as unknown as CertificateSigningRequest;
const condition = (type: string, status = 'True', more: Condition = {}): Condition => ({ type, status, ...more });
const texts = (errors: readonly FieldError[]): readonly string[] => errors.map(problemText);

describe('conditions', () => {
  it.each<[conditions: readonly Condition[] | undefined, errors: readonly string[]]>([
    [undefined, []],
    [[], []],
    [[condition('Approved'), condition('Failed'), condition('Other', 'Unknown'), condition('More', 'False')], []],
    [[condition('', '')], ['status.conditions[0].type: Required value', 'status.conditions[0].status: Required value']],
    [[condition('Approved', 'False')], ['status.conditions[0].status: Unsupported value: "False": supported values: "True"']],
    [[condition('Denied', 'Unknown')], ['status.conditions[0].status: Unsupported value: "Unknown": supported values: "True"']],
    [[condition('Failed', 'x')], ['status.conditions[0].status: Unsupported value: "x": supported values: "True"']],
    [[condition('Other', 'x')], ['status.conditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"']],
    [[condition('Other'), condition('Other')], ['status.conditions[1].type: Duplicate value: "Other"']],
    [
      [condition('Approved'), condition('Other'), condition('Denied'), condition('Approved')],
      [
        'status.conditions[2].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
        'status.conditions[3].type: Duplicate value: "Approved"',
        'status.conditions[3].type: Invalid value: "Approved": Approved and Denied conditions are mutually exclusive',
      ],
    ],
  ])('%j', (conditions, errors) => {
    expect(texts(conditionsErrors(request(conditions)))).toEqual(errors);
  });

  it('have the time of the change where they are new or different', () => {
    const [then, at] = ['2024-03-01T00:00:00Z', '2024-03-01T00:00:05Z'];
    const times = { lastUpdateTime: then, lastTransitionTime: then };
    const given = [
      condition('New'),
      condition('Same', 'True', { lastUpdateTime: then }),
      condition('Other', 'False'),
      condition('Own', 'True', times),
    ];
    const before = [condition('Same', 'True', times), condition('Other', 'True', times), condition('Old', 'True', times)];
    const timed = timedConditions(request(given).status.conditions, request(before).status.conditions, Date.parse(at));
    expect(timed?.map(({ type, lastUpdateTime, lastTransitionTime }) => [type, lastUpdateTime, lastTransitionTime])).toEqual([
      ['New', at, at],
      ['Same', then, then],
      ['Other', at, at],
      ['Own', then, then],
    ]);
    expect(timedConditions(undefined, undefined, 0)).toBeUndefined();
    expect(timedConditions(request([condition('A')]).status.conditions, undefined, Date.parse(at))).toHaveLength(1);
  });
});

describe('a change', () => {
  const forbidden = (what: string) => `status.conditions: Forbidden: updates may not ${what}`;
  const decided = request([condition('Approved')]);
  it.each<
    [
      what: string,
      now: CertificateSigningRequest,
      before: CertificateSigningRequest,
      ofStatus: readonly string[],
      ofApproval: readonly string[],
    ]
  >([
    ['of nothing', decided, decided, [], []],
    ['that approves', decided, request(), [forbidden('add a condition of type "Approved"')], []],
    ['that denies', request([condition('Denied')]), request([]), [forbidden('add a condition of type "Denied"')], []],
    ['that fails', request([condition('Failed')]), request(), [], []],
    [
      'that takes a decision back',
      request(),
      decided,
      [forbidden('remove a condition of type "Approved"')],
      [forbidden('remove a condition of type "Approved"')],
    ],
    [
      'that takes a failure back',
      request(),
      request([condition('Failed')]),
      [forbidden('remove a condition of type "Failed"')],
      [forbidden('remove a condition of type "Failed"')],
    ],
    [
      'of a decision',
      request([condition('Approved', 'True', { reason: 'r' })]),
      decided,
      [forbidden('modify a condition of type "Approved"')],
      [],
    ],
    ['of another condition', request([condition('Approved'), condition('Other')]), decided, [], []],
    [
      'that issues',
      request([condition('Approved')], 'x'),
      decided,
      [],
      ['status.certificate: Forbidden: updates may not set certificate content'],
    ],
    [
      'that issues again',
      request(undefined, 'y'),
      request(undefined, 'x'),
      ['status.certificate: Forbidden: updates may not modify existing certificate content'],
      ['status.certificate: Forbidden: updates may not set certificate content'],
    ],
    [
      'that takes a certificate back',
      request(undefined, ''),
      request(undefined, 'x'),
      ['status.certificate: Forbidden: updates may not modify existing certificate content'],
      ['status.certificate: Forbidden: updates may not set certificate content'],
    ],
  ])('%s', (_, now, before, ofStatus, ofApproval) => {
    expect(texts(changedStatusErrors(now, before, false))).toEqual(ofStatus);
    expect(texts(changedStatusErrors(now, before, true))).toEqual(ofApproval);
  });
});

it.each<[conditions: readonly Condition[], certificate: string, shown: string]>([
  [[], '', 'Pending'],
  [[condition('Approved')], '', 'Approved'],
  [[condition('Denied')], '', 'Denied'],
  [[condition('Approved'), condition('Denied')], '', 'Denied'],
  [[condition('Approved'), condition('Failed')], '', 'Approved,Failed'],
  [[condition('Approved')], 'x', 'Approved,Issued'],
  [[condition('Failed')], 'x', 'Pending,Failed,Issued'],
])('a table shows %j and a certificate %j as %s', (conditions, certificate, shown) => {
  const cells = Object.fromEntries(
    kind?.columns.map(({ name, cell }) => [
      name,
      name === 'Name' || name === 'Age' ? '' : cell(request(conditions, certificate), context),
    ]) ?? [],
  );
  expect(cells).toEqual({ Name: '', Age: '', SignerName: 'a.b/c', Requestor: 'u', RequestedDuration: '<none>', Condition: shown });
});
