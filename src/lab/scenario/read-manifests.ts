/** Readers of objects, and of the files that contain them. Their fields are judged in judge.ts. */
import { inVersion, kindInGroup } from '../../apiserver/kinds/index.ts';
import type { Domain, Kind } from '../../apiserver/machinery/index.ts';
import { findUnknownFields } from '../../schema/shape/index.ts';
import { nearest } from '../../schema/values/index.ts';
import { type CheckContext, memberAt, quoted, Reading, type MapNode } from './context.ts';
import { readName } from './read-scalars.ts';
import type { Field } from './fields.ts';
import type { Manifest, SourcedManifest } from './values.ts';
import { type Position, joinPath, showValue, positionOf, readYaml, type Located } from '../../schema/yaml/index.ts';

function checkKind(at: Reading, node: MapNode): boolean {
  const kind = at.member('kind');
  if (kind !== undefined) return readName({ type: 'name', of: 'kinds' }, kind) !== undefined;
  refuseMissing(at, node, 'kind', 'a kind');
  return false;
}

/** A member that is not there, unless it is one that is misspelt. */
function refuseMissing(at: Reading, node: MapNode, name: string, expected: string): void {
  const known = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'data'];
  const key = [...node.entries.keys()].find((each) => !known.includes(each) && nearest(each, known) === name);
  if (key === undefined) at.refuseAt(node, joinPath(at.path, name), expected, 'nothing');
  else at.refuseKey(key, joinPath(at.path, key), expected, `the unknown key ${showValue(key)}`, quoted(name));
}

export function readMatch(at: Reading): Manifest | undefined {
  const { node } = at;
  if (node.shape !== 'map') return at.refuse('a partial object with a kind');
  if (!checkKind(at, node)) return undefined;
  const object = named(node.plain, at.context);
  checkMembers(at, object.kind);
  return object;
}

/** An object with its kind as it is called here: a qualified name where that of its group has a name that is taken. */
function named(object: Readonly<Record<string, unknown>>, { vocabulary, domain }: CheckContext): Manifest & { readonly kind: string } {
  const { apiVersion } = object;
  const kind = String(object['kind']);
  const kinds = typeof apiVersion === 'string' ? vocabulary.kindsOf?.(domain) : undefined;
  const found = kinds === undefined ? undefined : kindInGroup(kinds, String(apiVersion).split('/')[0] ?? '', kind);
  return { ...object, kind: found?.kind ?? kind };
}

/** Reports members that the kind does not have: an expectation with one never holds, and an expectation of its absence always does. */
export function checkMembers(at: Reading, kind: string, hint = ''): void {
  const { node, context } = at;
  const given = memberAt(node, 'apiVersion')?.plain;
  const schema =
    (given === undefined ? undefined : kindAs(context, kind, given)?.schema) ?? context.vocabulary.schemaOf?.(kind, context.domain);
  if (schema === undefined) return;
  for (const { steps, known } of findUnknownFields(schema, node.plain)) {
    const key = String(steps.at(-1));
    // Directives of a strategic merge patch: `$patch`, `$setElementOrder/containers`.
    if (key.startsWith('$')) continue;
    const path = steps.reduce<string>(joinPath, at.path);
    const near = quoted(nearest(key, known));
    at.refuseAt(placeOf(node, steps), path, `a field of ${kind}${hint}`, `the unknown key ${showValue(key)}`, near);
  }
}

function placeOf(node: Located, steps: readonly (string | number)[]): Position {
  let at: Located | undefined = node;
  let place = positionOf(node);
  for (const step of steps) {
    if (at?.shape === 'list' && typeof step === 'number') at = at.items[step];
    else if (at?.shape === 'map') {
      const entry = at.entries.get(String(step));
      if (entry !== undefined) place = at.source.at(entry.keyStart);
      at = entry?.value;
    }
  }
  return place;
}

/** Whether something says of itself that it is an object, well spelt or not. */
const isMarked = (node: MapNode): boolean => {
  const marks = ['apiVersion', 'kind'];
  return [...node.entries.keys()].some((key) => marks.includes(key) || nearest(key, marks) !== undefined);
};

/** Returns the kind of an object in its version, which custom resources may have several of. */
export function kindAs({ vocabulary, domain = 'orch.io' }: CheckContext, name: string, apiVersion: unknown): Kind | undefined {
  const kinds = vocabulary.kindsOf?.(domain);
  const kind = kinds?.byKind(name);
  if (kind?.versions === undefined || typeof apiVersion !== 'string') return kind;
  const [group, version = ''] = apiVersion.split('/');
  return group === kinds?.names.group(kind.groupPrefix) ? inVersion(kind, version) : undefined;
}

/** Checks the version: each kind has one, and its group depends on the domain. */
function checkVersion(kind: string, apiVersion: string, at: Reading): void {
  const { domain = 'orch.io', vocabulary } = at.context;
  const other: Domain = domain === 'orch.io' ? 'k8s.io' : 'orch.io';
  const [group = '', version = ''] = apiVersion.split('/');
  const kinds = vocabulary.kindsOf?.(domain);
  const known = kinds?.byKind(kind);
  const served = known === undefined ? undefined : kinds?.apiVersionOf(known);
  if (group.endsWith(`.${other}`)) {
    const own = served ?? `${group.slice(0, -other.length)}${domain}/${version}`;
    const names = domain === 'orch.io' ? 'neutral names' : 'real names';
    at.refuse(`${own}, because this scenario uses ${names} (spec.domain: ${other} uses the others)`, undefined, quoted(own));
    return;
  }
  const isServed = known?.versions !== undefined && kindAs(at.context, kind, apiVersion) !== undefined;
  if (served !== undefined && served !== apiVersion && !isServed)
    at.refuse(`${served}, the version of ${kind} here`, undefined, quoted(served));
}

/** The hint for an author who means it. */
export const UNLESS_ALLOWED = ' (spec.allowUnknownFields: true lets the server drop others)';

type ManifestsAre = Pick<Field & { readonly type: 'manifests' }, 'lenient' | 'partial'>;

/** Reads one manifest: its kind, version and field names; its values are judged when the whole file has been read. */
export function readManifest(at: Reading, are: ManifestsAre = {}): readonly SourcedManifest[] {
  const { node, path, context } = at;
  if (node.shape !== 'map' || !isMarked(node)) return at.refuse('an object with apiVersion and kind') ?? [];
  const items = at.member('items');
  if (node.plain['kind'] === 'List' && items?.node.shape === 'list') return items.items().flatMap((item) => readManifest(item, are));
  const known = checkKind(at, node);
  const object = named(node.plain, context);
  const manifest: SourcedManifest = { object, source: positionOf(node) };
  if (are.lenient === true) return known ? [manifest] : [];
  const version = at.member('apiVersion');
  const expected = 'an apiVersion such as batch/v1';
  if (version === undefined) refuseMissing(at, node, 'apiVersion', expected);
  else if (typeof version.plain !== 'string') version.refuse(expected);
  if (!known || typeof version?.plain !== 'string') return [];
  checkVersion(object.kind, version.plain, version);
  if (context.allowUnknown !== true) checkMembers(at, object.kind, UNLESS_ALLOWED);
  context.written.push({ ...manifest, node, path, partial: are.partial === true });
  return [manifest];
}

export function readManifests(at: Reading, are: ManifestsAre): readonly SourcedManifest[] | undefined {
  if (at.node.shape === 'list') {
    if (at.node.items.length === 0) return at.refuse('at least one object', 'an empty list');
    return at.items().flatMap((item) => readManifests(item, are) ?? []);
  }
  const file = fileReference(at);
  if (file === undefined) return readManifest(at, are);
  return readOther(file)?.flatMap((document) => readManifest(new Reading(document, '', at.context), are));
}

export function readDocument(at: Reading): Manifest | undefined {
  const file = fileReference(at);
  if (file !== undefined) {
    const first = readOther(file)?.[0];
    return first === undefined || first.shape === 'map' ? first?.plain : file.refuse('a file with a mapping', showValue(first.plain));
  }
  return at.node.shape === 'map' ? at.node.plain : at.refuse('a mapping or { file: path }');
}

/** Returns the path of `{ file: path }`; undefined: it is an object, which has a kind. */
const fileReference = (at: Reading): Reading | undefined =>
  at.node.shape === 'map' && at.node.entries.size === 1 ? at.member('file') : undefined;

function readOther(file: Reading): readonly Located[] | undefined {
  const { plain: name, context, node } = file;
  if (typeof name !== 'string' || name === '') return file.refuse('the path of a file');
  const text = context.readFile?.(name, node.source.file);
  if (text === undefined)
    return file.refuse(
      context.readFile === undefined ? 'everything in one file (other files cannot be read here)' : 'a file that can be read',
    );
  const { documents, problems } = readYaml(text, besides(node.source.file, name));
  context.problems.push(...problems);
  if (documents.length === 0 && problems.length === 0)
    return file.refuse('a file with something in it', `${showValue(name)}, which is empty`);
  return documents;
}

/** Resolves a path relative to the file that names it: `m/b.yaml` in `scenarios/a.yaml` is `scenarios/m/b.yaml`. */
export function besides(from: string, path: string): string {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(path)) return path;
  const parts = from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    const above = parts.at(-1);
    if (part === '..' && above !== undefined && above !== '..' && above !== '') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
