/** Field sets as `metadata.managedFields[].fieldsV1`, cached in both directions. Models: structured-merge-diff v4 serialize.go. */
import { memo } from '../../engine/index.ts';
import { lasting, LEAF, NO_FIELDS, nodeOf, sortedElements, union, type FieldNode, type FieldSet } from './field-set.ts';
import { parsePathElement } from './path-element.ts';
import { isMap, MAX_DEPTH, put, type JsonMap } from './values.ts';

const encoded = memo(new WeakMap<FieldSet, JsonMap>());
const encodedNodes = memo(new WeakMap<FieldNode, JsonMap>());
const decoded = memo(new WeakMap<JsonMap, FieldSet>());

/** Returns the encoded form: members in upstream's order, `.` first where a field with children is itself a member. */
export function toFieldsV1(set: FieldSet): JsonMap {
  let json = encoded.get(set);
  if (json === undefined) {
    json = encode(set, false);
    encoded.set(set, json);
    decoded.set(json, set);
  }
  return json;
}

function encode(set: FieldSet, self: boolean): JsonMap {
  const out: Record<string, unknown> = self ? { '.': EMPTY } : {};
  for (const element of sortedElements(set)) {
    const node = set.get(element);
    if (node !== undefined) put(out, element, encodeNode(node));
  }
  return Object.freeze(out);
}

const EMPTY: JsonMap = Object.freeze({});

function encodeNode(node: FieldNode): JsonMap {
  if (node.children.size === 0) return EMPTY;
  let json = encodedNodes.get(node);
  if (json === undefined) encodedNodes.set(node, (json = encode(node.children, node.member)));
  return json;
}

/** Returns the set; undefined where the JSON is not a field set. */
export function fromFieldsV1(json: unknown): FieldSet | undefined {
  if (json === undefined || json === null) return NO_FIELDS;
  if (!isMap(json)) return undefined;
  const known = decoded.get(json);
  if (known !== undefined) return known;
  const node = decode(json, 0);
  if (node === undefined) return undefined;
  if (Object.isFrozen(json)) decoded.set(json, lasting(node.children));
  return node.children;
}

function decode(json: unknown, depth: number): FieldNode | undefined {
  if (json === null) return LEAF;
  if (!isMap(json) || depth > MAX_DEPTH) return undefined;
  let self = false;
  const children = new Map<string, FieldNode>();
  for (const [key, value] of Object.entries(json)) {
    if (key === '.') {
      self = true;
      continue;
    }
    const parsed = parsePathElement(key);
    if ('unknown' in parsed) continue;
    const child = 'error' in parsed ? undefined : decode(value, depth + 1);
    if ('error' in parsed || child === undefined) return undefined;
    const twin = children.get(parsed.element);
    children.set(
      parsed.element,
      twin === undefined ? child : { member: twin.member || child.member, children: union(twin.children, child.children) },
    );
  }
  return nodeOf(self || children.size === 0, children);
}
