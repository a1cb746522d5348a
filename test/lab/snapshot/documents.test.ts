/** The objects in the texts of a dump, each with its place, and what is wrong with the texts. */
import { describe, expect, it } from 'vitest';
import { documentsIn } from '../../../src/lab/snapshot/index.ts';
import { linesOf, offsetsIn } from '../../../src/lab/snapshot/json-places.ts';

const read = (text: string, lenient?: boolean) => {
  const { found, problems } = documentsIn([{ file: 'f', text }], lenient);
  return {
    found: found.map(({ value, at }) => `${at().line}:${at().col} ${JSON.stringify(value)}`),
    problems: problems.map(
      ({ line, col, path, expected, found: instead }) => `${line}:${col} ${path}: expected ${expected}, found ${instead}`,
    ),
  };
};
const CUT = 'found the end of the file (is the dump cut?)';

describe('an object, or the items of a list', () => {
  it.each<[string, string, readonly string[]]>([
    ['JSON', ' {"kind":"Pod"}', ['1:2 {"kind":"Pod"}']],
    ['a list', '{"kind":"List","items":[{"kind":"A"},\n {"kind":"B"}]}', ['1:25 {"kind":"A"}', '2:2 {"kind":"B"}']],
    [
      'a list of a kind',
      '{"apiVersion":"v1","kind":"PodList","items":[{"x":1}, {"kind":"Other","apiVersion":"v2"}]}',
      ['1:46 {"apiVersion":"v1","kind":"Pod","x":1}', '1:55 {"apiVersion":"v2","kind":"Other"}'],
    ],
    ['an empty list of Go', '{"kind":"PodList","items":null}', []],
    ['a kind that ends like a list and has no items', '{"kind":"AllowList","items":"x"}', ['1:1 {"kind":"AllowList","items":"x"}']],
    ['items of what is no list', '{"kind":"Pod","items":[{"kind":"A"}]}', ['1:1 {"kind":"Pod","items":[{"kind":"A"}]}']],
    ['one value after the other', '{"kind":"A"}\n{"kind":"List","items":[\n{"kind":"B"}]}\n', ['1:1 {"kind":"A"}', '3:1 {"kind":"B"}']],
    [
      'values between logs',
      '{"kind":"A"}\n==== START logs for x ====\n{"kind":"log"}\n==== END logs for x ====\n{"kind":"B"}',
      ['1:1 {"kind":"A"}', '5:1 {"kind":"B"}'],
    ],
    ['braces within a line of a log', '{"kind":"A"}\nlog {"kind":"log"}\n{"kind":"B"}', ['1:1 {"kind":"A"}', '3:1 {"kind":"B"}']],
    [
      'YAML',
      'kind: A\n---\n# nothing\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n',
      ['1:1 {"kind":"A"}', '7:1 {"kind":"B"}', '8:1 {"kind":"C"}'],
    ],
    ['YAML in flow style', 'kind: List\nitems:\n- { kind: B }\n- { kind: C }\n', ['3:3 {"kind":"B"}', '4:3 {"kind":"C"}']],
    ['YAML behind a byte order mark', '\ufeffkind: A\n', ['1:2 {"kind":"A"}']],
    ['JSON behind a byte order mark', '\ufeff{"kind":"A"}\n', ['1:2 {"kind":"A"}']],
    ['YAML whose keys are repeated', 'kind: A\nkind: &b B\n', ['1:1 {"kind":"B"}']],
    ['nothing', '', []],
  ])('%s', (_, text, found) => {
    expect(read(text)).toEqual({ found, problems: [] });
  });
});

describe('what is no object', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['a document', 'text\n', [], ['1:1 : expected an object with apiVersion and kind, found "text"']],
    [
      'a list without its kind',
      'apiVersion: v1\nitems:\n- kind: A\n- kind: B\n',
      ['3:1 {"kind":"A"}'],
      [`1:1 kind: expected kind: List behind the items of the list, ${CUT}`],
    ],
    [
      'a value that is cut',
      '{"kind":"A"}\n{"kind":\n"B',
      ['1:1 {"kind":"A"}'],
      [`3:2 : expected the end of the JSON value that begins at line 2, ${CUT}`],
    ],
    [
      'what is no JSON',
      '{"kind":"A"}\n{kind}\n{"kind":"B"}',
      ['1:1 {"kind":"A"}', '3:1 {"kind":"B"}'],
      ['2:1 : expected JSON, found something else'],
    ],
    [
      'YAML that is cut within a line',
      'kind: A\n---\nkind: B\n---\nkind: "C',
      ['1:1 {"kind":"A"}', '3:1 {"kind":"B"}'],
      [`5:1 : expected the end of the object that begins at line 4, ${CUT}`],
    ],
    [
      'a list that is cut within a line',
      'apiVersion: v1\nitems:\n- kind: A\n- kind: B\n- kind: "C',
      ['3:1 {"kind":"A"}', '4:1 {"kind":"B"}'],
      [`5:1 : expected the end of the object that begins at line 5, ${CUT}`],
    ],
  ])('%s', (_, text, found, problems) => {
    expect(read(text)).toEqual({ found, problems });
  });

  it('an item of a list has the position of the list or of an item', () => {
    const { found, problems } = read('{"kind":"List","items":[\n{"kind":"A"},1]}');
    expect([found, problems]).toEqual([['2:1 {"kind":"A"}'], ['1:1 items[1]: expected an object, found 1']]);
  });

  it('whole items of a list that is cut are read where that is asked for', () => {
    const text = '{"kind":"List","items":[{"kind":"A"},\n{"x":1},{"kind":"B"},\n{"kind":"C"';
    expect(read(text).found).toEqual([]);
    expect(read(text, true)).toEqual({
      found: ['1:25 {"kind":"A"}', '2:9 {"kind":"B"}'],
      problems: [`3:11 : expected the end of the JSON value that begins at line 1, ${CUT}`],
    });
  });

  it('of YAML that is wrong in its middle, the position is that of its reader', () => {
    const { problems } = read('kind: A\nx: [1\ny: 2\nkind: B\nz: 1\n');
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain('cut');
  });
});

describe('places in a JSON text', () => {
  it('are the end of a value, and the beginnings of the items of its list', () => {
    const text = 'x {"a":{"items":[{}]},"b\\"]}":["]"],"items":[{"c":[{}]}, {}],"more":[{}]} y';
    const { end, items } = offsetsIn(text, 2);
    expect([end, items]).toEqual([text.length - 2, [text.indexOf('{"c"'), text.indexOf('{}],"more"')]]);
    expect(offsetsIn('{"a":"}', 0)).toEqual({ items: [] });
    expect(offsetsIn('{"a":[', 0)).toEqual({ items: [] });
    expect(offsetsIn('{"a":"\\\\"}', 0)).toEqual({ end: 10, items: [] });
    expect(offsetsIn('{"items":[{', 0)).toEqual({ items: [10] });
  });

  it('are lines and columns of offsets', () => {
    const at = linesOf('ab\n\ncd\n');
    expect([0, 1, 2, 3, 4, 6, 7].map((offset) => Object.values(at(offset)).join(':'))).toEqual([
      '1:1',
      '1:2',
      '1:3',
      '2:1',
      '3:1',
      '3:3',
      '4:1',
    ]);
    expect(linesOf('')(0)).toEqual({ line: 1, col: 1 });
  });
});
