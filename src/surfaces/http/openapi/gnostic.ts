/** Version 2 in protobuf, the only format that older clients accept. Models: gnostic openapiv2/OpenAPIv2.proto (field numbers). */
import { toYaml } from '../answer/yaml.ts';
import type { Definition } from './definitions.ts';
import type { DocumentV2 } from './documents.ts';

/** A message, or a part of one: fields in the order of their numbers. */
const message = (...fields: readonly Uint8Array[]): Uint8Array => Buffer.concat(fields);
const raw = (number: number, bytes: Uint8Array): Uint8Array => message(varint(number * 8 + 2), varint(bytes.length), bytes);
const texts = (number: number, values: readonly string[] = []): Uint8Array =>
  message(...values.map((value) => raw(number, Buffer.from(value))));
/** Empty values are not written. */
const text = (number: number, value = ''): Uint8Array => texts(number, value === '' ? [] : [value]);

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.of(...bytes, rest);
    bytes.push((rest % 128) | 0x80);
  }
}

const named = (name: string, value: Uint8Array): Uint8Array => message(text(1, name), raw(2, value));
const any = (value: unknown): Uint8Array => text(2, toYaml(value));

/** A field for each member. */
const each = <T>(number: number, members: Readonly<Record<string, T>>, of: (member: T) => Uint8Array): Uint8Array =>
  message(...Object.entries(members).map(([name, member]) => raw(number, named(name, of(member)))));

const marks = (number: number, of: object): Uint8Array =>
  each(number, Object.fromEntries(Object.entries(of).filter(([key]) => key.startsWith('x-'))), any);

const field = <T>(number: number, value: T | undefined, of: (value: T) => Uint8Array): Uint8Array =>
  value === undefined ? message() : raw(number, of(value));
const first = (bytes: Uint8Array): Uint8Array => raw(1, bytes);
const inner = (definition: Definition): Uint8Array => first(schema(definition));

function schema(definition: Definition): Uint8Array {
  const { $ref, format, description, required, type, items, properties, additionalProperties, enum: values = [] } = definition;
  return message(
    text(1, $ref),
    text(2, format),
    text(4, description),
    texts(19, required),
    ...values.map((value) => raw(20, any(value))),
    field(21, additionalProperties, inner),
    field(22, type, (name) => text(1, name)),
    field(23, items, inner),
    field(25, properties, (all) => each(1, all, schema)),
    marks(31, definition),
  );
}

type OperationV2 = DocumentV2['paths'][string][string];

const METHODS: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function parameter(given: OperationV2['parameters'][number]): Uint8Array {
  const { name, in: place, required } = given;
  const flag = (number: number, value: boolean): Uint8Array => (value ? message(varint(number * 8), varint(1)) : message());
  if ('schema' in given) return first(message(text(2, name), text(3, place), flag(4, required), raw(5, schema(given.schema))));
  const [kind, typeAt, uniqueAt] = place === 'path' ? [4, 5, 19] : [3, 6, 20];
  const written = [flag(1, required), text(2, place), text(4, name), text(typeAt, given.type), flag(uniqueAt, given.uniqueItems)];
  return raw(2, raw(kind, message(...written)));
}

const operation = (of: OperationV2): Uint8Array =>
  message(
    text(3, of.description),
    text(5, of.operationId),
    texts(6, of.produces),
    texts(7, of.consumes),
    ...of.parameters.map((one) => raw(8, first(parameter(one)))),
    raw(
      9,
      each(1, of.responses, (response) =>
        first(message(text(1, response.description), 'schema' in response ? raw(2, inner(response.schema as Definition)) : message())),
      ),
    ),
    texts(10, of.schemes),
    marks(13, of),
  );

const path = (operations: Readonly<Record<string, OperationV2>>): Uint8Array =>
  message(...Object.entries(operations).map(([method, of]) => raw(METHODS[method] ?? 2, operation(of))));

export const toGnostic = ({ swagger, info, paths, definitions }: DocumentV2): Uint8Array =>
  message(
    text(1, swagger),
    raw(2, message(text(1, info.title), text(2, info.version))),
    raw(8, each(2, paths, path)),
    raw(9, each(1, definitions, schema)),
  );
