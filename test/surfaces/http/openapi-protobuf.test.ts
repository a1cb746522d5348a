/** `/openapi/v2` in protobuf: read by the field numbers of gnostic, it is the JSON document. */
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { wireFields, type WireField } from '../../../src/surfaces/http/protobuf/wire.ts';
import { setup } from './setup.ts';

type Json = Record<string, unknown>;
/** Reads one field into the JSON of its message. */
type Read = (into: Json, value: WireField['value']) => void;
/** A reader for each field. */
type Message = Readonly<Record<number, Read>>;

const textOf = (value: WireField['value']): string => new TextDecoder().decode(value as Uint8Array);
/** Throws for a field that the message does not have. */
function messageOf(fields: Message, value: WireField['value']): Json {
  const made: Json = {};
  for (const each of wireFields(value as Uint8Array, { left: 1e6 })) {
    const read = fields[each.number];
    if (read === undefined) throw new Error(`field ${each.number}`);
    read(made, each.value);
  }
  return made;
}
const text =
  (name: string): Read =>
  (into, value) =>
    (into[name] = textOf(value));
const flag =
  (name: string): Read =>
  (into, value) =>
    (into[name] = value === 1n);
const texts =
  (name: string): Read =>
  (into, value) =>
    (into[name] = [...((into[name] as string[] | undefined) ?? []), textOf(value)]);
/** An embedded message. */
const part =
  (name: string, fields: () => Message): Read =>
  (into, value) =>
    (into[name] = messageOf(fields(), value));
/** A value that a message of one field wraps. */
const wrapped =
  (name: string, number: number, read: (value: WireField['value']) => unknown): Read =>
  (into, value) =>
    (into[name] = messageOf({ [number]: (inner, given) => (inner['of'] = read(given)) }, value)['of']);
/** Pairs of a name and a value, which are the members of the object itself. */
const members =
  (fields: () => Message): Read =>
  (into, value) => {
    const { name, of } = messageOf({ 1: text('name'), 2: part('of', fields) }, value);
    into[name as string] = of;
  };
/** A value of no fixed type is YAML. */
const anyOf = (value: WireField['value']): unknown => parse(messageOf({ 2: text('yaml') }, value)['yaml'] as string);
const marks: Read = (into, value) => {
  const { name, of } = messageOf({ 1: text('name'), 2: (inner, given) => (inner['of'] = anyOf(given)) }, value);
  into[name as string] = of;
};

const SCHEMA: Message = {
  1: text('$ref'),
  2: text('format'),
  4: text('description'),
  19: texts('required'),
  20: (into, value) => (into['enum'] = [...((into['enum'] as unknown[] | undefined) ?? []), anyOf(value)]),
  21: wrapped('additionalProperties', 1, (value) => messageOf(SCHEMA, value)),
  22: wrapped('type', 1, textOf),
  23: wrapped('items', 1, (value) => messageOf(SCHEMA, value)),
  25: part('properties', () => ({ 1: members(() => SCHEMA) })),
  31: marks,
};
const BODY: Message = { 2: text('name'), 3: text('in'), 4: flag('required'), 5: part('schema', () => SCHEMA) };
const QUERY: Message = { 1: flag('required'), 2: text('in'), 4: text('name'), 6: text('type'), 20: flag('uniqueItems') };
const PATH: Message = { 1: flag('required'), 2: text('in'), 4: text('name'), 5: text('type'), 19: flag('uniqueItems') };
/** An embedded message whose members are those of the object around it. */
const itself =
  (fields: Message): Read =>
  (into, value) =>
    Object.assign(into, messageOf(fields, value));
const PARAMETER: Message = { 1: itself(BODY), 2: itself({ 3: itself(QUERY), 4: itself(PATH) }) };
const RESPONSE: Message = { 1: text('description'), 2: wrapped('schema', 1, (value) => messageOf(SCHEMA, value)) };
const OPERATION: Message = {
  3: text('description'),
  5: text('operationId'),
  6: texts('produces'),
  7: texts('consumes'),
  8: (into, value) =>
    (into['parameters'] = [
      ...((into['parameters'] as unknown[] | undefined) ?? []),
      // A flag that is not set is not written.
      { required: false, ...messageOf({ 1: itself(PARAMETER) }, value) },
    ]),
  9: part('responses', () => ({ 1: members(() => ({ 1: itself(RESPONSE) })) })),
  10: texts('schemes'),
  13: marks,
};
const operation = (method: string): Read => part(method, () => OPERATION);
const METHODS: Message = { 2: operation('get'), 3: operation('put'), 4: operation('post'), 5: operation('delete'), 8: operation('patch') };
const DOCUMENT: Message = {
  1: text('swagger'),
  2: part('info', () => ({ 1: text('title'), 2: text('version') })),
  8: part('paths', () => ({ 2: members(() => METHODS) })),
  9: part('definitions', () => ({ 1: members(() => SCHEMA) })),
};

it('the document in protobuf is the one in JSON', async () => {
  const { api, ask } = setup();
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const reply = await api({ method: 'GET', target: '/openapi/v2', headers: { accept }, body: new Uint8Array() });
  if ('open' in reply) throw new Error('a stream');
  const document = (await ask('GET', '/openapi/v2')).json as { paths: Record<string, Record<string, Json>> };
  expect(messageOf(DOCUMENT, reply.body as Uint8Array)).toEqual(document);
});
