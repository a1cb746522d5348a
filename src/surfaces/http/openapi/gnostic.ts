/** Version 2 in protobuf, the only format that older clients accept. Models: gnostic openapiv2/OpenAPIv2.proto (field numbers). */
import { toYaml } from '../answer/yaml.ts';
import type { Definition } from './common.ts';
import type { DocumentV2 } from './documents.ts';

class Message {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts, this.#length);
  }

  text(number: number, value: string | undefined): this {
    return value === undefined || value === '' ? this : this.raw(number, Buffer.from(value));
  }

  flag(number: number, value: boolean | undefined): this {
    if (value === true) this.#add(Uint8Array.of(...varint(number * 8), 1));
    return this;
  }

  texts(number: number, values: readonly string[] | undefined): this {
    for (const value of values ?? []) this.raw(number, Buffer.from(value));
    return this;
  }

  message(number: number, message: Message | undefined): this {
    return message === undefined ? this : this.raw(number, message.bytes());
  }

  raw(number: number, bytes: Uint8Array): this {
    this.#add(Uint8Array.of(...varint(number * 8 + 2), ...varint(bytes.length)));
    this.#add(bytes);
    return this;
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      bytes.push(rest);
      return bytes;
    }
    bytes.push((rest % 128) | 0x80);
  }
}

const named = (name: string, value: Message): Message => new Message().text(1, name).message(2, value);
const any = (value: unknown): Message => new Message().text(2, toYaml(value));

const marks = (message: Message, number: number, of: object): Message => {
  for (const [key, value] of Object.entries(of)) if (key.startsWith('x-')) message.message(number, named(key, any(value)));
  return message;
};

function schema(definition: Definition): Message {
  const { $ref, format, description, required, type, items, properties, additionalProperties, enum: values } = definition;
  const message = new Message().text(1, $ref).text(2, format).text(4, description).texts(19, required);
  for (const value of values ?? []) message.message(20, any(value));
  if (additionalProperties !== undefined) message.message(21, new Message().message(1, schema(additionalProperties)));
  if (type !== undefined) message.message(22, new Message().text(1, type));
  if (items !== undefined) message.message(23, new Message().message(1, schema(items)));
  if (properties !== undefined) {
    const all = new Message();
    for (const [name, value] of Object.entries(properties)) all.message(1, named(name, schema(value)));
    message.message(25, all);
  }
  return marks(message, 31, definition);
}

interface ParameterV2 {
  readonly name: string;
  readonly in: string;
  readonly type?: string;
  readonly required: boolean;
  readonly schema?: Definition;
}
interface OperationV2 {
  readonly description: string;
  readonly operationId: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly parameters: readonly ParameterV2[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly schema?: Definition }>>;
}

const METHODS: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function parameter({ name, in: place, type, required, schema: body }: ParameterV2): Message {
  if (body !== undefined)
    return new Message().message(1, new Message().text(2, name).text(3, place).flag(4, required).message(5, schema(body)));
  const sub = new Message()
    .flag(1, required)
    .text(2, place)
    .text(place === 'path' ? 3 : 4, '')
    .text(4, name)
    .text(place === 'path' ? 5 : 6, type);
  return new Message().message(2, new Message().message(place === 'path' ? 4 : 3, sub));
}

function operation(of: OperationV2): Message {
  const message = new Message().text(3, of.description).text(5, of.operationId).texts(6, of.produces).texts(7, of.consumes);
  for (const each of of.parameters) message.message(8, new Message().message(1, parameter(each)));
  const responses = new Message();
  for (const [code, response] of Object.entries(of.responses)) {
    const made = new Message().text(1, response.description);
    if (response.schema !== undefined) made.message(2, new Message().message(1, schema(response.schema)));
    responses.message(1, named(code, new Message().message(1, made)));
  }
  message.message(9, responses).texts(10, of.schemes);
  return marks(message, 13, of);
}

export function toGnostic(document: DocumentV2): Uint8Array {
  const paths = new Message();
  for (const [path, operations] of Object.entries(document.paths)) {
    const item = new Message();
    for (const [method, of] of Object.entries(operations)) item.message(METHODS[method] ?? 2, operation(of as OperationV2));
    paths.message(2, named(path, item));
  }
  const definitions = new Message();
  for (const [name, definition] of Object.entries(document.definitions)) definitions.message(1, named(name, schema(definition)));
  return new Message()
    .text(1, document.swagger)
    .message(2, new Message().text(1, document.info.title).text(2, document.info.version))
    .message(8, paths)
    .message(9, definitions)
    .bytes();
}
