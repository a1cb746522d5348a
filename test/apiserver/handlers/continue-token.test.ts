/** Continue tokens: what they hold, and what is wrong with those of a client, in Go's words. */
import { describe, expect, it } from 'vitest';
import { readToken, writeToken } from '../../../src/apiserver/handlers/continue-token.ts';

describe('a token', () => {
  it('has a revision and a key', () => {
    for (const place of [
      { revision: 7, start: 'a\0' },
      { revision: -1, start: 'ns/é?>\0' },
    ])
      expect(readToken(writeToken(place))).toEqual(place);
    expect(Buffer.from(writeToken({ revision: 7, start: 'a\0' }), 'base64url').toString()).toBe(
      String.raw`{"v":"meta.k8s.io/v1","rv":7,"start":"a\u0000"}`,
    );
    expect(writeToken({ revision: 7, start: '???>>>\0' })).toMatch(/^[\w-]+$/);
  });

  const encoded = (text: string): string => Buffer.from(text).toString('base64url');
  it.each<[string, string]>([
    ['a!', 'illegal base64 data at input byte 1'],
    ['abcde', 'illegal base64 data at input byte 4'],
    ['a=', 'illegal base64 data at input byte 1'],
    [encoded('x'), "invalid character 'x' looking for beginning of value"],
    [encoded(' \u0001'), String.raw`invalid character '\x01' looking for beginning of value`],
    [encoded('\u007f'), String.raw`invalid character '\x7f' looking for beginning of value`],
    [encoded('nux'), "invalid character 'x' in literal null (expecting 'l')"],
    [encoded('tru'), 'unexpected end of JSON input'],
    [encoded('fa1'), "invalid character '1' in literal false (expecting 'l')"],
    [encoded('{"v"'), 'unexpected end of JSON input'],
    [encoded('['), 'unexpected end of JSON input'],
    [encoded('"'), 'unexpected end of JSON input'],
    [encoded('  '), 'unexpected end of JSON input'],
    [encoded('{}'), 'server does not recognize this encoded version ""'],
    [encoded('null'), 'server does not recognize this encoded version ""'],
    [encoded('7'), 'server does not recognize this encoded version ""'],
    [encoded('{"v":"v2"}'), 'server does not recognize this encoded version "v2"'],
    [encoded('{"v":7}'), 'json: cannot unmarshal number 7 into Go struct field continueToken.v of type string'],
    [encoded('{"v":true}'), 'json: cannot unmarshal bool into Go struct field continueToken.v of type string'],
    [encoded('{"v":[]}'), 'json: cannot unmarshal array into Go struct field continueToken.v of type string'],
    [encoded('{"v":{}}'), 'json: cannot unmarshal object into Go struct field continueToken.v of type string'],
    [encoded('{"rv":"7"}'), 'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'],
    [encoded('{"rv":1.5}'), 'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
    [encoded('{"start":7}'), 'json: cannot unmarshal number 7 into Go struct field continueToken.start of type string'],
    [encoded('{"v":"meta.k8s.io/v1"}'), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded('{"v":"meta.k8s.io/v1","rv":null}'), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded('{"v":"meta.k8s.io/v1","rv":0}'), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [encoded('{"v":"meta.k8s.io/v1","rv":7}'), 'encoded start key empty (version meta.k8s.io/v1)'],
    [encoded('{"v":"meta.k8s.io/v1","rv":7,"start":""}'), 'encoded start key empty (version meta.k8s.io/v1)'],
    ...['../a', 'a/./b', 'a//b', 'a/', './a', 'a/../b'].map((start): [string, string] => [
      encoded(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 7, start })),
      start,
    ]),
  ])('%s is refused', (token, why) => {
    let message = '';
    try {
      readToken(token);
    } catch (thrown) {
      ({ message } = thrown as Error);
    }
    expect(message).toBe(`invalid continue token: continue key is not valid: ${why}`);
  });
});
