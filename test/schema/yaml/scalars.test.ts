/** Which type a plain scalar has, at the edges of each form; what an explicit tag makes of it. */
import { describe, expect, it } from 'vitest';
import { readYaml, resolvePlain } from '../../../src/schema/yaml/index.ts';
import { RawNumber } from '../../../src/schema/values/index.ts';

const long = (text: string) => new RawNumber(text);
const words = (text: string) => text.split(' ');

describe('a plain scalar', () => {
  it.each<[value: unknown, texts: string]>([
    [true, 'y Y yes Yes YES true True TRUE on On ON'],
    [false, 'n N no No NO false False FALSE off Off OFF'],
    [null, '~ null Null NULL'],
    [Number.NaN, '.nan .NaN .NAN'],
    [Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF'],
    [Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF'],
  ])('is %s', (value, texts) => {
    for (const text of words(texts)) expect([text, resolvePlain(text)]).toStrictEqual([text, value]);
  });

  it('is a text where it only resembles a word or a number', () => {
    const texts = [
      ...words('tRUE oN nULL .InF +.nan yes. = e3 +e3 -a + - . +. -- --1 +-1 1a a1 1.2.3 1e 1e+ 1e1.5 _1 ._5 .5_0'),
      ...words('0x 0x1g 0b 0b102 0o 0o8 0o2777777777777777777777 0x10000000000000000 -0xffffffffffffffff 1e309 -1e309'),
      '1 ',
      ' 1',
      `0b1${'0'.repeat(64)}`,
      '1'.repeat(310),
    ];
    for (const text of texts) expect(resolvePlain(text)).toBe(text);
  });

  it.each([
    ['0', 0],
    ['-0', 0],
    ['+0', 0],
    ['00', 0],
    ['0_0', 0],
    ['10', 10],
    ['-10', -10],
    ['1__0', 10],
    ['1_', 1],
    ['017', 15],
    ['+017', 15],
    ['-017', -15],
    ['0o17', 15],
    ['0O7', 7],
    ['-0o17', -15],
    ['018', 18],
    ['0b11', 3],
    ['-0b11', -3],
    ['0B1', 1],
    ['0X1f', 31],
    ['0x_1F', 31],
    ['+0x10', 16],
    ['5.', 5],
    ['-.5', -0.5],
    ['+.5', 0.5],
    ['5_0.5', 50.5],
    ['1e3', 1000],
    ['1e+3', 1000],
    ['1E-2', 0.01],
    ['.5e1', 5],
    ['1.5e3', 1500],
    ['1e308', 1e308],
    ['1'.repeat(309), Number('1'.repeat(309))],
  ])('%s is a number', (text, value) => {
    expect(resolvePlain(text)).toStrictEqual(value);
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', long('9007199254740993')],
    ['-9007199254740993', long('-9007199254740993')],
    ['0x20000000000001', long('9007199254740993')],
    ['9223372036854775807', long('9223372036854775807')],
    ['-9223372036854775808', long('-9223372036854775808')],
    ['-0x8000000000000000', long('-9223372036854775808')],
    ['9223372036854775808', 2 ** 63],
    ['-9223372036854775809', -(2 ** 63)],
    ['0xffffffffffffffff', 2 ** 64],
    ['01777777777777777777777', 2 ** 64],
    // An octal number that is too large for an integer is read as a decimal fraction, like 08.
    ['02777777777777777777777', 2777777777777777777777],
    ['18446744073709551616', 2 ** 64],
  ])('%s keeps what an integer of 64 bits can hold', (text, value) => {
    expect(resolvePlain(text)).toStrictEqual(value);
  });
});

describe('an explicit tag', () => {
  const read = (value: string) => {
    const { documents, problems } = readYaml(`- ${value}\n`, 'f');
    return problems.length === 0 ? documents.map(({ plain }) => plain) : problems.map(({ path, found }) => `${path} ${found}`);
  };

  it.each<[text: string, value: unknown]>([
    ['! 5', '5'],
    ['!!str 5', '5'],
    ['!!str true', 'true'],
    ['!!int 5', 5],
    ['!!int "5"', 5],
    ['!!int 9223372036854775807', long('9223372036854775807')],
    ['!!float 5', 5],
    ['!!float 1.5', 1.5],
    ['!!bool yes', true],
    ['!!bool "off"', false],
    ['!!null ~', null],
    ['!!null ""', null],
    ['!!null', null],
    ['!!seq [1]', [1]],
    ['!!map {a: 1}', { a: 1 }],
    ['! [1]', [1]],
    ['! {a: 1}', { a: 1 }],
  ])('%s is a value of its type', (text, value) => {
    expect(read(text)).toStrictEqual([[value]]);
  });

  it.each([
    ['!!int 1.5', '[0] !!int "1.5"'],
    ['!!int x', '[0] !!int "x"'],
    ['!!int true', '[0] !!int "true"'],
    ['!!float x', '[0] !!float "x"'],
    ['!!float true', '[0] !!float "true"'],
    ['!!bool 1', '[0] !!bool "1"'],
    ['!!bool null', '[0] !!bool "null"'],
    ['!!null 0', '[0] !!null "0"'],
    ['!!null false', '[0] !!null "false"'],
    ['!!binary aGk=', '[0] !!binary "aGk="'],
    ['!<tag:yaml.org,2002:set> x', '[0] !!set "x"'],
    ['!own x', '[0] !own "x"'],
    ['!<tag:example.org:x> y', '[0] tag:example.org:x "y"'],
    ['!!map [1]', '[0] !!map'],
    ['!own [1]', '[0] !own'],
    ['!!seq {a: 1}', '[0] !!seq'],
    ['!own {a: 1}', '[0] !own'],
  ])('%s is a problem', (text, problem) => {
    expect(read(text)).toEqual([problem]);
  });
});
