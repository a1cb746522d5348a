/** Bytes of responses: integers beyond 2^53 unchanged, escapes like Go's, empty tables. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const pods = '/api/v1/namespaces/default/pods';
const LONG = '9007199254740993';
const MOST = '9223372036854775807';
const pod = (name: string, seconds: string, more = '') =>
  `{"metadata":{"name":"${name}"},"spec":{"activeDeadlineSeconds":5,"terminationGracePeriodSeconds":${seconds},"containers":[{"name":"c","image":"i"}]${more}}}`;
const GRACE = /"terminationGracePeriodSeconds":(-?\d+)/;

describe('integers of 64 bits are exact', () => {
  it.each([LONG, MOST, `-${LONG}`, '-9223372036854775808', '9007199254740992', '30'])('%s', async (seconds) => {
    const { ask } = setup();
    const made = await ask('POST', pods, pod('p', seconds));
    expect(made.status, made.text).toBe(201);
    expect(GRACE.exec(made.text)?.[1]).toBe(seconds);
    expect(GRACE.exec((await ask('GET', `${pods}/p`)).text)?.[1]).toBe(seconds);
    expect(GRACE.exec((await ask('GET', pods)).text)?.[1]).toBe(seconds);
    const yaml = await ask('GET', `${pods}/p`, undefined, { accept: 'application/yaml' });
    expect(yaml.text).toContain(`terminationGracePeriodSeconds: ${seconds}\n`);
    // Writing back what was read changes nothing.
    const again = await ask('PUT', `${pods}/p`, made.text);
    expect(again.text).toBe(made.text);
  });

  it('beyond 64 bits are refused', async () => {
    const { ask } = setup();
    expect((await ask('POST', pods, pod('p', '9223372036854775808'))).json).toMatchObject({
      code: 400,
      message: expect.stringContaining('json: cannot unmarshal number 9223372036854775808 into Go struct field'),
    });
  });

  it('in patches of every language', async () => {
    const leases = '/apis/batch/v1/namespaces/default/jobs';
    const { ask } = setup();
    const job = '{"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}';
    await ask('POST', leases, job);
    const said = async (type: string, body: string) => {
      const answer = await ask('PATCH', `${leases}/j?fieldManager=m&force=${type.includes('apply')}`.replace('&force=false', ''), body, {
        'content-type': `application/${type}`,
      });
      return /"activeDeadlineSeconds":(\d+)/.exec(answer.text)?.[1] ?? answer.text;
    };
    expect(await said('merge-patch+json', `{"spec":{"activeDeadlineSeconds":${LONG}}}`)).toBe(LONG);
    expect(await said('strategic-merge-patch+json', `{"spec":{"activeDeadlineSeconds":${MOST}}}`)).toBe(MOST);
    expect(await said('strategic-merge-patch+json', '{"spec":{"suspend":true}}')).toBe(MOST);
    expect(await said('json-patch+json', `[{"op":"replace","path":"/spec/activeDeadlineSeconds","value":${LONG}}]`)).toBe(LONG);
    expect(await said('json-patch+json', `[{"op":"test","path":"/spec/activeDeadlineSeconds","value":${LONG}}]`)).toBe(LONG);
    expect(await said('json-patch+json', `[{"op":"test","path":"/spec/activeDeadlineSeconds","value":9007199254740992}]`)).not.toBe(LONG);
    const applied = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"activeDeadlineSeconds":${MOST}}}`;
    expect(await said('apply-patch+yaml', applied)).toBe(MOST);
    expect(await said('apply-patch+yaml', applied)).toBe(MOST);
  });

  it('in errors, and in fields without a shape', async () => {
    const { ask } = setup();
    const made = await ask('POST', pods, pod('p', '1', `,"securityContext":{"runAsUser":${LONG}}`));
    expect(made.text).toContain(`Invalid value: ${LONG}: must be between 0 and 2147483647, inclusive`);
    const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const revision = await ask('POST', revisions, `{"metadata":{"name":"r"},"revision":${LONG},"data":{"a":[${MOST}]}}`);
    expect(revision.text).toContain(`"data":{"a":[${MOST}]},"revision":${LONG}`);
    const body = `metadata:\n  name: yml\nrevision: ${LONG}\ndata:\n  a: ${MOST}\n`;
    expect(
      (await ask('POST', revisions, `${body.replace(': yml', ': zml')}# ${'x'.repeat(10_000)}\n`, { 'content-type': 'application/yaml' }))
        .text,
    ).toContain(`"data":{"a":${MOST}},"revision":${LONG}`);
    const yaml = await ask('POST', revisions, body, { 'content-type': 'application/yaml' });
    expect(yaml.text).toContain(`"data":{"a":${MOST}},"revision":${LONG}`);
  });

  it('in protobuf', async () => {
    const { ask, api } = setup();
    // Lease: metadata.name and metadata.generation.
    const varint = (value: bigint): number[] => (value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]);
    const bytes = (field: number, of: readonly number[]) => [(field << 3) | 2, of.length, ...of];
    const text = (value: string) => [...new TextEncoder().encode(value)];
    const meta = [...bytes(1, text('l')), 7 << 3, ...varint(BigInt(LONG))];
    const unknown = [...bytes(1, [...bytes(1, text('coordination.k8s.io/v1')), ...bytes(2, text('Lease'))]), ...bytes(2, bytes(1, meta))];
    const target = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf', 'user-agent': 'test' };
    const reply = await api({ method: 'POST', target, headers, body: new Uint8Array([0x6b, 0x38, 0x73, 0, ...unknown]) });
    expect(reply.status).toBe(201);
    expect((await ask('GET', `${target}/l`)).text).toContain(`"generation":${LONG}`);
  });

  it('texts of digits stay texts', async () => {
    const { ask } = setup();
    const annotations = JSON.stringify({ a: LONG, b: `#${LONG}`, c: `##${MOST}"`, d: '#' });
    const answer = await ask('POST', pods, pod('p', LONG).replace('"name":"p"', `"name":"p","annotations":${annotations}`));
    expect(answer.text).toContain(`"annotations":${annotations}`);
    expect(GRACE.exec(answer.text)?.[1]).toBe(LONG);
  });
});

it('HTML characters and control characters are escaped like Go does', async () => {
  const { ask, stream } = setup();
  const watching = await stream(`${pods}?watch=true`);
  const annotations = '{"a":"<b> & \u2028\u2029 \\b\\f\\n\\u0001 \\\\b \u007f"}';
  const answer = await ask('POST', pods, pod('p', '1').replace('"name":"p"', `"name":"p","annotations":${annotations}`));
  const written = String.raw`{"a":"\u003cb\u003e \u0026 \u2028\u2029 \u0008\u000c\n\u0001 \\b ${'\u007f'}"}`;
  expect(answer.text).toContain(`"annotations":${written}`);
  expect((await ask('GET', `${pods}/p?pretty=true`)).text).toContain(String.raw`\u003cb\u003e`);
  expect((await ask('GET', `${pods}/p`, undefined, { accept: 'application/yaml' })).text).toContain('<b> &');
  expect(watching.lines()).toMatchObject([{ object: { metadata: { annotations: JSON.parse(annotations) } } }]);
  expect((await ask('GET', '/api/v1/nodes/%3Cx%3E')).text).toContain(String.raw`nodes \"\u003cx\u003e\" not found`);
});

it('an empty table of a kind without a printer has no list of rows', async () => {
  const { ask } = setup();
  const rows = async (path: string) =>
    ((await ask('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })).json as { rows: unknown }).rows;
  expect(await rows('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles')).toBeNull();
  expect(await rows('/apis/storage.k8s.io/v1/csistoragecapacities')).toBeNull();
  expect(await rows('/api/v1/namespaces/default/limitranges')).toBeNull();
  expect(await rows(pods)).toEqual([]);
});

it('the table of a scale has what is wanted, and what is there', async () => {
  const { ask } = setup();
  const sets = '/apis/apps/v1/namespaces/default/replicasets';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await ask('POST', sets, { metadata: { name: 's' }, spec: { replicas: 3, selector: { matchLabels: { a: 'b' } }, template } });
  await ask('PATCH', `${sets}/s/status`, { status: { replicas: 2 } }, { 'content-type': 'application/merge-patch+json' });
  const table = await ask('GET', `${sets}/s/scale`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  expect(table.json).toMatchObject({ rows: [{ cells: ['s', 3, 2, expect.any(String)] }] });
});
