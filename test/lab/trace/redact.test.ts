/** What a redacted trace shows of Secrets: which values are the same, and nothing else. */
import { expect, it } from 'vitest';
import { createRedaction, redacted } from '../../../src/lab/trace/index.ts';
import { objectOf, other, traceOf, wrote } from './made.ts';

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const secret = (members: object, annotations?: object) =>
  objectOf('Secret', 's', 1, members, annotations === undefined ? {} : { annotations });

it('equal values of Secrets have one number, through all of a trace; other objects are the same', () => {
  const map = objectOf('ConfigMap', 'm', 1, { data: { a: 'x' } });
  const first = secret({ data: { a: 'x', b: 'y' }, stringData: { c: 'x' }, type: 'Opaque', immutable: true });
  const second = secret({ data: { a: 'z', b: 'y' } }, { [APPLIED]: 'y', kept: 'words' });
  const trace = traceOf([wrote(1, map), wrote(2, second, { previous: first }), other(3, { type: 'note', text: 'y' })], {
    prologue: [wrote(-1, first)(0)],
  });
  const hidden = secret({
    data: { a: '<redacted 1>', b: '<redacted 2>' },
    stringData: { c: '<redacted 1>' },
    type: 'Opaque',
    immutable: true,
  });
  const after = secret({ data: { a: '<redacted 3>', b: '<redacted 2>' } }, { [APPLIED]: '<redacted 2>', kept: 'words' });
  const shown = redacted(trace);
  expect(shown).toEqual(
    traceOf([wrote(1, map), wrote(2, after, { previous: hidden }), other(3, { type: 'note', text: 'y' })], {
      prologue: [wrote(-1, hidden)(0)],
    }),
  );
  expect(shown.entries[0]).toBe(trace.entries[0]);
  expect(shown.entries[2]).toBe(trace.entries[2]);
});

it('a trace without Secrets is the same trace', () => {
  const trace = traceOf([wrote(1, objectOf('ConfigMap', 'm', 1, { data: { a: 'x' } })), other(2, { type: 'note', text: 'Secret' })]);
  expect(redacted(trace)).toBe(trace);
  const late = traceOf([wrote(1, secret({ data: { a: 'x' } }))]);
  expect(redacted(late).entries).toEqual(traceOf([wrote(1, secret({ data: { a: '<redacted 1>' } }))]).entries);
  const early = traceOf([], { prologue: [wrote(-1, secret({ data: { a: 'x' } }))(1)] });
  expect(redacted(early).prologue).toEqual([wrote(-1, secret({ data: { a: '<redacted 1>' } }))(1)]);
});

it('an object is redacted once, and data that is no mapping stays', () => {
  const { object, entry } = createRedaction();
  const given = secret({ data: { a: 'x' } });
  expect(object(given)).toBe(object(given));
  expect(object(secret({ data: { a: 'x', b: 'other' }, stringData: null, extra: { data: 'x' } }))).toEqual(
    secret({ data: { a: '<redacted 1>', b: '<redacted 2>' }, stringData: null, extra: { data: 'x' } }),
  );
  expect(object(secret({}, { kept: 'words' }))).toEqual(secret({}, { kept: 'words' }));
  const map = objectOf('ConfigMap', 'm', 1, { data: { a: 'x' } }, { annotations: { [APPLIED]: 'x' } });
  expect(object(map)).toBe(map);
  const written = wrote(1, given)(1);
  expect(entry(written)).toEqual(wrote(1, secret({ data: { a: '<redacted 1>' } }))(1));
  expect(JSON.stringify(entry(written))).not.toContain('previous');
});
