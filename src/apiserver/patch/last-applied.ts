/** The annotation of client-side apply. Models: v1.24 pkg/endpoints/handlers/fieldmanager/lastapplied{manager,updater}.go. */
import type { Schema } from '../../schema/shape/index.ts';
import { difference, type FieldSet } from './field-set.ts';
import { goJson } from './go-text.ts';
import { compare } from './typed-compare.ts';
import { fieldsOf } from './typed-fields.ts';
import { misfits } from './typed-validate.ts';
import { deeperThan, isMap, MAX_DEPTH, member, withMember, withoutMember, type JsonMap } from './values.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** The maximum size of all annotations in bytes; beyond it the annotation is removed. */
const MAX_ANNOTATIONS = 256 * 1024;

/** Returns the fields of the annotation that equal the live ones: they cause no conflicts. Undefined without a valid annotation. */
export function fieldsOfLastApplied(schema: Schema, apiVersion: string, live: unknown): FieldSet | undefined {
  const config = parse(annotationOf(live));
  if (!isMap(config) || member(config, 'apiVersion') !== apiVersion || misfits(schema, config) !== undefined) return undefined;
  const changes = compare(schema, config, live);
  if (changes === undefined) return undefined;
  return [changes.modified, changes.added, changes.removed].reduce(difference, fieldsOf(schema, config));
}

function annotationOf(object: unknown): string | undefined {
  const metadata = isMap(object) ? member(object, 'metadata') : undefined;
  const annotations = isMap(metadata) ? member(metadata, 'annotations') : undefined;
  const value = isMap(annotations) ? member(annotations, ANNOTATION) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return deeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Writes the applied configuration into the annotation of an object that has one already. */
export function renewLastApplied(object: unknown, config: JsonMap): unknown {
  if (annotationOf(object) === undefined || !isMap(object)) return object;
  const metadata = member(object, 'metadata');
  const annotations = isMap(metadata) ? member(metadata, 'annotations') : undefined;
  if (!isMap(metadata) || !isMap(annotations)) return object;
  const text = `${goJson(withoutAnnotation(config))}\n`;
  const wanted = withMember(annotations, ANNOTATION, text);
  const renewed = sizeOf(wanted) > MAX_ANNOTATIONS ? withoutMember(annotations, ANNOTATION) : wanted;
  return withMember(object, 'metadata', withMember(metadata, 'annotations', renewed));
}

const encoder = new TextEncoder();
const sizeOf = (annotations: JsonMap): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + encoder.encode(key + String(value)).length, 0);

/** The annotation must not contain itself. */
function withoutAnnotation(config: JsonMap): JsonMap {
  const metadata = member(config, 'metadata');
  const annotations = isMap(metadata) ? member(metadata, 'annotations') : undefined;
  if (!isMap(metadata) || !isMap(annotations)) return config;
  return withMember(config, 'metadata', withMember(metadata, 'annotations', withoutMember(annotations, ANNOTATION)));
}
