/** How requests are read: paths, queries, and the formats that they accept. */
import { describe, expect, it } from 'vitest';
import { checkAcceptable, checkStreamable, formatFor, takesAnything } from '../../../src/surfaces/http/request/accept.ts';
import { pathOf, versionPath } from '../../../src/surfaces/http/request/path.ts';
import { booleanText, decodePercent, firstOf, flagOf, integerOf, parseQuery } from '../../../src/surfaces/http/request/query.ts';
import { refusalOf } from './refusal.ts';

describe('a path', () => {
  const at = (group: string, version: string, more: object = {}) => ({
    group,
    version,
    special: undefined,
    namespace: undefined,
    resource: undefined,
    name: undefined,
    subresource: undefined,
    rest: [],
    ...more,
  });
  it.each<[string, object | undefined]>([
    ['/', undefined],
    ['', undefined],
    ['/api', undefined],
    ['/apis/batch', undefined],
    ['/other/v1/pods', undefined],
    ['/api/v1', at('', 'v1')],
    ['/api/v1///', at('', 'v1')],
    ['/apis/batch/v1', at('batch', 'v1')],
    ['/api/v1/pods', at('', 'v1', { resource: 'pods' })],
    ['/api/v1/pods/', at('', 'v1', { resource: 'pods' })],
    ['/apis/batch/v1/jobs/j', at('batch', 'v1', { resource: 'jobs', name: 'j' })],
    ['/api/v1/namespaces', at('', 'v1', { resource: 'namespaces' })],
    ['/api/v1/namespaces/n', at('', 'v1', { resource: 'namespaces', name: 'n' })],
    ['/api/v1/namespaces/n/status', at('', 'v1', { resource: 'namespaces', name: 'n', subresource: 'status' })],
    ['/api/v1/namespaces/n/finalize', at('', 'v1', { resource: 'namespaces', name: 'n', subresource: 'finalize' })],
    ['/api/v1/namespaces/n/pods', at('', 'v1', { namespace: 'n', resource: 'pods' })],
    ['/api/v1/namespaces/n/pods/p/log', at('', 'v1', { namespace: 'n', resource: 'pods', name: 'p', subresource: 'log' })],
    [
      '/api/v1/namespaces/n/pods/p/proxy/a/b',
      at('', 'v1', { namespace: 'n', resource: 'pods', name: 'p', subresource: 'proxy', rest: ['a', 'b'] }),
    ],
    ['/api/v1/namespaces//pods', at('', 'v1', { namespace: '', resource: 'pods' })],
    ['/api/v1/watch/pods', at('', 'v1', { special: 'watch', resource: 'pods' })],
    ['/api/v1/proxy/nodes/n', at('', 'v1', { special: 'proxy', resource: 'nodes', name: 'n' })],
    ['/apis/batch/v1/watch/namespaces/n/jobs/j', at('batch', 'v1', { special: 'watch', namespace: 'n', resource: 'jobs', name: 'j' })],
  ])('%s is divided once', (path, expected) => {
    expect(versionPath(path)).toEqual(expected);
  });

  it('is decoded, unless an escape is invalid', () => {
    expect(['/a%2Fb', '/%e2%98%83', '/a%zz', '/a%2', '/%', '/plain'].map(pathOf)).toEqual([
      '/a/b',
      '/☃',
      undefined,
      undefined,
      undefined,
      '/plain',
    ]);
    // Bytes that are no UTF-8 are replaced, as in JSON.
    expect(['%ff', 'é%ff', '%e2%98', 'a%41b'].map(decodePercent)).toEqual(['\ufffd', 'é\ufffd', '\ufffd', 'aAb']);
  });
});

describe('a query', () => {
  it('has its pairs in order; those that cannot be read are dropped', () => {
    expect([...parseQuery('a=1&b&=c&a=2&&d=x=y&e+f=g+h&i%3d=%26&j;k=l&m=n;o&p=%zz&%z=q')]).toEqual([
      ['a', ['1', '2']],
      ['b', ['']],
      ['', ['c']],
      ['d', ['x=y']],
      ['e f', ['g h']],
      ['i=', ['&']],
    ]);
    expect([...parseQuery('')]).toEqual([]);
    const many = (count: number) => parseQuery(Array.from({ length: count }, (_, nth) => `k${nth}`).join('&')).size;
    expect([many(1000), many(1001)]).toEqual([1000, 1000]);
  });

  it('has flags: everything but 0 and false is true', () => {
    const query = parseQuery('a=0&b=false&c=FALSE&d=&e=1&f=no&g=true');
    expect([...'abcdefgh'].map((name) => flagOf(query, name))).toEqual([false, false, false, true, true, true, true, undefined]);
    expect([firstOf(query, 'e'), firstOf(query, 'x')]).toEqual(['1', undefined]);
  });

  it.each<[string, unknown]>([
    ['0', 0],
    ['+5', 5],
    ['-7', -7],
    ['007', 7],
    ['9223372036854775807', 9223372036854775807],
    ['-9223372036854775808', -9223372036854775808],
    ['9223372036854775808', '400 strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['-9223372036854775809', '400 strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
    ['', '400 strconv.ParseInt: parsing "": invalid syntax'],
    ['1.5', '400 strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['x1', '400 strconv.ParseInt: parsing "x1": invalid syntax'],
    ['1x', '400 strconv.ParseInt: parsing "1x": invalid syntax'],
    ['+-1', '400 strconv.ParseInt: parsing "+-1": invalid syntax'],
  ])('has the integer %s', (value, expected) => {
    expect(refusalOf(() => integerOf(new Map([['n', [value]]]), 'n'))).toEqual(expected);
  });

  it('has truth in the words of Go', () => {
    for (const yes of ['1', 't', 'T', 'true', 'TRUE', 'True']) expect(booleanText(yes), yes).toBe(true);
    for (const no of ['0', 'f', 'F', 'false', 'FALSE', 'False']) expect(booleanText(no), no).toBe(false);
    for (const other of [undefined, '', 'tRUE', 'yes', '11', '00', 'xtrue', 'truex', 'xfalse', 'falsex'])
      expect(booleanText(other), other).toBeUndefined();
    expect(integerOf(new Map(), 'n')).toBeUndefined();
  });
});

describe('the format of an answer', () => {
  const meta = new Set(['meta.k8s.io']);
  const format = (accept: string | undefined, query = '', agent?: string): unknown =>
    refusalOf(() =>
      formatFor(
        { ...(accept === undefined ? {} : { accept }), ...(agent === undefined ? {} : { 'user-agent': agent }) },
        parseQuery(query),
        meta,
      ),
    );
  const json = { media: 'json', pretty: false };
  const yaml = { media: 'yaml', pretty: false };
  const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const ONLY = '406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
  const PROTOBUF =
    '406 application/vnd.kubernetes.protobuf is read but not written here: accept application/json as well, as in "Accept: application/vnd.kubernetes.protobuf,application/json"';

  it.each<[string | undefined, unknown]>([
    [undefined, json],
    ['', json],
    ['  ', json],
    ['*/*', json],
    ['application/*', json],
    ['application/json', json],
    ['application/yaml', yaml],
    ['application/yaml;q=0.5,application/json;q=0.4', yaml],
    ['application/yaml;q=0.4,application/json;q=0.5', json],
    ['application/yaml;q=0.4, */*', json],
    ['*/*,application/yaml', yaml],
    ['application/yaml,*/*', yaml],
    ['application/yaml;q=x,application/json;q=0.1', json],
    ['application/json;pretty=1', { ...json, pretty: true }],
    ['application/json;pretty=0', json],
    ['application/json;pretty', json],
    [' application/yaml ; pretty = 1', yaml],
    ['text/html,application/yaml', yaml],
    ['text/html', ONLY],
    ['__proto__', ONLY],
    ['application/vnd.kubernetes.protobuf', PROTOBUF],
    ['application/vnd.kubernetes.protobuf,application/json', json],
    [TABLE, { ...json, as: 'Table', asVersion: 'meta.k8s.io/v1' }],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', { ...json, as: 'Table', asVersion: 'meta.k8s.io/v1beta1' }],
    ['application/yaml;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', { ...yaml, as: 'PartialObjectMetadata', asVersion: 'meta.k8s.io/v1' }],
    [
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      { ...json, as: 'PartialObjectMetadataList', asVersion: 'meta.k8s.io/v1' },
    ],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', ONLY],
    ['application/json;as=Table;v=v1;g=other.io', ONLY],
    ['application/json;as=Table;v=v1', ONLY],
    ['application/json;as=Table;g=meta.k8s.io', ONLY],
    ['application/json;as=Nothing;v=v1;g=meta.k8s.io', ONLY],
    [`application/json;as=Nothing;v=v1;g=meta.k8s.io,${TABLE}`, { ...json, as: 'Table', asVersion: 'meta.k8s.io/v1' }],
    [`${TABLE},application/json`, { ...json, as: 'Table', asVersion: 'meta.k8s.io/v1' }],
    [`${'text/html,'.repeat(99)}application/json`, json],
    [`${'text/html,'.repeat(100)}application/json`, ONLY],
  ])('for %j', (accept, expected) => {
    expect(format(accept)).toEqual(expected);
  });

  it('is indented for people, unless they ask otherwise', () => {
    const pretty = (query: string, agent?: string): unknown =>
      (format('application/json', query, agent) as { readonly pretty: unknown }).pretty;
    for (const agent of ['curl/8', 'Wget/1', 'Mozilla/5.0 (X)'])
      expect([pretty('', agent), pretty('pretty=0', agent), pretty('pretty=x', agent)]).toEqual([true, false, true]);
    for (const agent of [undefined, 'kubectl/v1', 'xcurl', 'Mozilla/4'])
      expect([pretty('', agent), pretty('pretty=true', agent)]).toEqual([false, true]);
  });

  it('is checked before, by its types alone', () => {
    const checked = (accept: string | undefined) => refusalOf(() => checkAcceptable(accept));
    for (const accept of [
      undefined,
      '',
      ' ',
      '*/*',
      'text/html, */*;q=0.1',
      'application/json',
      'application/yaml;x=y',
      'a/b,application/vnd.kubernetes.protobuf',
    ])
      expect(checked(accept), accept).toBeUndefined();
    for (const accept of ['text/html', 'application/*', 'x', ',']) expect(checked(accept), accept).toBe('406 406: Not Acceptable');
    expect([takesAnything(), takesAnything('text/html'), takesAnything('text/html, */*')]).toEqual([true, false, true]);
  });

  it('of a stream is JSON, and no list', () => {
    const streamed = (more: object) => refusalOf(() => checkStreamable({ media: 'json', pretty: false, ...more } as never));
    expect([streamed({}), streamed({ as: 'Table' }), streamed({ as: 'PartialObjectMetadata' })]).toEqual([undefined, undefined, undefined]);
    const only =
      '406 only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
    expect([streamed({ media: 'yaml' }), streamed({ as: 'PartialObjectMetadataList' })]).toEqual([only, only]);
  });
});
