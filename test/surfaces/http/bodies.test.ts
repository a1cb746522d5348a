/** Bodies of requests: their types and limits, and what is wrong with those that cannot be read. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { bodyType, BODY_LIMIT, checkSize, patchTypeOf, readBody, Unreadable } from '../../../src/surfaces/http/request/body.ts';
import { refusalOf } from './refusal.ts';

const kinds = kindsFor(namesFor('k8s.io'));

describe('a body', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);

  it('has a type', () => {
    const UNKNOWN =
      '415 the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';
    expect(
      [
        undefined,
        '',
        'application/json',
        'Application/JSON; charset=utf-8',
        ' application/yaml ',
        'application/vnd.kubernetes.protobuf',
        'text/plain',
        'constructor',
      ].map((type) => refusalOf(() => bodyType(type))),
    ).toEqual(['json', 'json', 'json', 'json', 'yaml', 'protobuf', UNKNOWN, UNKNOWN]);
  });

  it('of a patch has a type that its kind takes', () => {
    const pod = kinds.byKind('Pod');
    if (pod === undefined) throw new Error('there are no pods');
    const types = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml', 'json'].map(
      (type) => `application/${type}`,
    );
    const all = (kind: typeof pod) =>
      [...types, undefined, 'application/merge-patch+json; charset=utf-8', 'toString'].map((type) =>
        refusalOf(() => patchTypeOf(type, kind)),
      );
    const none = '415 415: Unsupported Media Type';
    expect(all(pod)).toEqual(['json', 'merge', 'strategic', 'apply', none, none, 'merge', none]);
    const custom =
      '415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
    expect(all({ ...pod, unstructured: true })).toEqual(['json', 'merge', custom, 'apply', custom, custom, 'merge', custom]);
  });

  it('has a limit of three mebibytes', () => {
    expect([
      BODY_LIMIT,
      refusalOf(() => checkSize(new Uint8Array(BODY_LIMIT))),
      refusalOf(() => checkSize(new Uint8Array(BODY_LIMIT + 1))),
    ]).toEqual([3_145_728, undefined, '413 Request entity too large: limit is 3145728']);
  });

  const failure = (type: 'json' | 'yaml', text: string, body = bytesOf(text)): unknown => {
    try {
      return readBody(type, body).value;
    } catch (thrown) {
      return thrown instanceof Unreadable ? [thrown.name, thrown.language, thrown.message, thrown.text === text] : thrown;
    }
  };

  it('in JSON is read with its text and its duplicates', () => {
    expect(readBody('json', bytesOf('{"a":1,"a":2}'))).toEqual({
      value: { a: 2 },
      text: '{"a":1,"a":2}',
      duplicates: [expect.stringContaining('a')],
    });
    expect(readBody('json', new Uint8Array())).toEqual({ value: undefined, text: '', duplicates: [] });
    expect(failure('json', '{"a"')).toEqual(['Unreadable', 'json', expect.any(String), true]);
    // Go names the first byte of a character, and that of no character.
    expect([failure('json', '\ufeff{}'), failure('json', '�', new Uint8Array([0xff]))]).toEqual([
      ['Unreadable', 'json', "invalid character 'ï' looking for beginning of value", true],
      ['Unreadable', 'json', "invalid character 'ÿ' looking for beginning of value", true],
    ]);
    expect([failure('json', 'é'), failure('json', '{"é"é}')]).toEqual([
      ['Unreadable', 'json', "invalid character 'Ã' looking for beginning of value", true],
      ['Unreadable', 'json', "invalid character 'Ã' after object key", true],
    ]);
  });

  it('in YAML is its first document', () => {
    expect([failure('yaml', 'a: 1\n---\nb: 2\n'), failure('yaml', ''), failure('yaml', '# x')]).toEqual([{ a: 1 }, null, null]);
    expect(readBody('yaml', bytesOf('a: 1\na: 2'))).toEqual({ value: { a: 2 }, text: 'a: 1\na: 2', duplicates: [] });
    const long = `{"a":1,"a":2,"b":"${'x'.repeat(9000)}"}`;
    expect(readBody('yaml', bytesOf(long))).toEqual({ value: { a: 2, b: 'x'.repeat(9000) }, text: long, duplicates: [] });
    expect(failure('yaml', `{a: 1, b: "${'x'.repeat(9000)}"}`)).toEqual({ a: 1, b: 'x'.repeat(9000) });
  });

  it.each<[string, string]>([
    ['\ta: b', 'yaml: found character that cannot start any token'],
    ['a:\n\tb: c', 'yaml: line 2: found character that cannot start any token'],
    ['a: |\n\tb', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: >-\n\tb', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: |2-  # c\n  b\n\tc', 'yaml: line 3: found a tab character where an indentation space is expected'],
    ['a: 1\nb: |\n   \n \tc', 'yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: b # c\n\td: e', 'yaml: line 2: found character that cannot start any token'],
    ['- a\n-\n\tb', 'yaml: line 3: found character that cannot start any token'],
    ["a: 'b'\n\tc: d", 'yaml: line 2: found character that cannot start any token'],
    ['a: [b]\n\n\tc: d', 'yaml: line 3: found character that cannot start any token'],
    ['a:\n  b: c\n\td: e', 'yaml: line 3: found a tab character that violates indentation'],
    ['a: {b: c', 'yaml: line 1: did not find expected node content'],
    ['a: b: c', 'yaml: line 1: did not find expected key'],
    ['a: 1\nb: 2\nc: d: e', 'yaml: line 2: did not find expected key'],
  ])('in YAML that is wrong is refused in the words of go-yaml: %j', (text, why) => {
    expect(failure('yaml', text)).toEqual(['Unreadable', 'yaml', why, true]);
  });

  it('has as many values as its reader takes, in each language', () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`;
    const sizes = (type: 'json' | 'yaml', text: string, most: number) =>
      refusalOf(() => readBody(type, bytesOf(text), most).value !== undefined);
    const limit = (most: number) =>
      `413 Request entity too large: limit is ${most} values (members and items); divide it into several objects`;
    expect([sizes('json', list(19), 20), sizes('json', list(20), 20)]).toEqual([true, limit(20)]);
    expect([sizes('yaml', list(19), 20), sizes('yaml', list(20), 20)]).toEqual([true, limit(20)]);
    const long = (count: number) => `{"a":${list(count)},"b":"${'x'.repeat(9000)}"}`;
    expect([sizes('yaml', long(10), 20), sizes('yaml', long(30), 20)]).toEqual([true, limit(20)]);
    expect(sizes('yaml', `a: ${'x'.repeat(512 * 1024)}`, 20)).toBe(
      '413 Request entity too large: limit is 524288 for YAML; send it as JSON',
    );
    expect(sizes('yaml', `a: ${'x'.repeat(512 * 1024 - 3)}`, 20)).toBe(true);
  });
});
