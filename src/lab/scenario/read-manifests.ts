/** Readers of objects, and of the files that contain them. Their fields are judged in judge-manifests.ts. */
import { inVersion } from '../../apiserver/kinds/index.ts';
import type { Domain, Kind } from '../../apiserver/machinery/index.ts';
import { findUnknownFields } from '../../schema/shape/index.ts';
import { nearest } from '../../schema/values/index.ts';
import { memberAt, note, quoted, type CheckContext, type MapNode } from './context.ts';
import { readName } from './read-scalars.ts';
import type { Field } from './fields.ts';
import type { Manifest, SourcedManifest } from './values.ts';
import { type Position, joinPath, showValue, positionOf, readYaml, type Located } from '../../schema/yaml/index.ts';

function checkKind(node: MapNode, path: string, context: CheckContext): boolean {
  const kind = node.entries.get('kind');
  if (kind !== undefined) return readName({ type: 'name', of: 'kinds' }, kind.value, joinPath(path, 'kind'), context) !== undefined;
  noteMissing(node, 'kind', 'a kind', path, context);
  return false;
}

/** A member that is not there, unless it is one that is misspelt. */
function noteMissing(node: MapNode, name: string, expected: string, path: string, context: CheckContext): void {
  const known = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'data'];
  const [key, entry] = [...node.entries].find(([each]) => !known.includes(each) && nearest(each, known) === name) ?? [];
  if (key === undefined || entry === undefined) note(context, node, joinPath(path, name), expected, 'nothing');
  else note(context, node.source.at(entry.keyStart), joinPath(path, key), expected, `the unknown key ${showValue(key)}`, quoted(name));
}

export function readMatch(node: Located, path: string, context: CheckContext): Manifest | undefined {
  if (node.shape !== 'map') return note(context, node, path, 'a partial object with a kind', showValue(node.plain));
  if (!checkKind(node, path, context)) return undefined;
  checkMembers(node, path, context, String(node.plain['kind']));
  return node.plain;
}

/** Reports members that the kind does not have: an expectation with one never holds, and an expectation of its absence always does. */
export function checkMembers(node: Located, path: string, context: CheckContext, kind: string, hint = ''): void {
  const given = memberAt(node, 'apiVersion')?.plain;
  const schema =
    (given === undefined ? undefined : kindAs(context, kind, given)?.schema) ?? context.vocabulary.schemaOf?.(kind, context.domain);
  if (schema === undefined) return;
  for (const { steps, known } of findUnknownFields(schema, node.plain)) {
    const key = String(steps.at(-1));
    // Directives of a strategic merge patch: `$patch`, `$setElementOrder/containers`.
    if (key.startsWith('$')) continue;
    note(
      context,
      placeOf(node, steps),
      steps.reduce<string>(joinPath, path),
      `a field of ${kind}${hint}`,
      `the unknown key ${showValue(key)}`,
      quoted(nearest(key, known)),
    );
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
function checkVersion(kind: string, apiVersion: string, at: Located, path: string, context: CheckContext): void {
  const { domain = 'orch.io' } = context;
  const other: Domain = domain === 'orch.io' ? 'k8s.io' : 'orch.io';
  const [group = '', version = ''] = apiVersion.split('/');
  const kinds = context.vocabulary.kindsOf?.(domain);
  const known = kinds?.byKind(kind);
  const served = known === undefined ? undefined : kinds?.apiVersionOf(known);
  if (group.endsWith(`.${other}`)) {
    const own = served ?? `${group.slice(0, -other.length)}${domain}/${version}`;
    const names = domain === 'orch.io' ? 'neutral names' : 'real names';
    const expected = `${own}, because this scenario uses ${names} (spec.domain: ${other} uses the others)`;
    note(context, at, path, expected, showValue(apiVersion), quoted(own));
  } else if (
    served !== undefined &&
    served !== apiVersion &&
    (known?.versions === undefined || kindAs(context, kind, apiVersion) === undefined)
  )
    note(context, at, path, `${served}, the version of ${kind} here`, showValue(apiVersion), quoted(served));
}

/** The hint for an author who means it. */
export const UNLESS_ALLOWED = ' (spec.allowUnknownFields: true lets the server drop others)';

export type ManifestsAre = Pick<Field & { readonly type: 'manifests' }, 'lenient' | 'partial'>;

/** Reads one manifest: its kind, version and field names; its values are judged when the whole file has been read. */
export function readManifest(node: Located, path: string, context: CheckContext, are: ManifestsAre): readonly SourcedManifest[] {
  if (node.shape !== 'map') {
    note(context, node, path, 'an object with apiVersion and kind', showValue(node.plain));
    return [];
  }
  if (!isMarked(node)) {
    note(context, node, path, 'an object with apiVersion and kind', showValue(node.plain));
    return [];
  }
  const items = node.entries.get('items')?.value;
  if (node.plain['kind'] === 'List' && items?.shape === 'list')
    return items.items.flatMap((item, index) => readManifest(item, joinPath(joinPath(path, 'items'), index), context, are));
  const known = checkKind(node, path, context);
  const version = node.entries.get('apiVersion')?.value;
  const manifest: SourcedManifest = { object: node.plain, source: positionOf(node) };
  if (are.lenient === true) return known ? [manifest] : [];
  const expected = 'an apiVersion such as batch/v1';
  if (version === undefined) {
    noteMissing(node, 'apiVersion', expected, path, context);
    return [];
  }
  if (typeof version.plain !== 'string') {
    note(context, version, joinPath(path, 'apiVersion'), expected, showValue(version.plain));
    return [];
  }
  if (!known) return [];
  const kind = String(node.plain['kind']);
  checkVersion(kind, version.plain, version, joinPath(path, 'apiVersion'), context);
  if (context.allowUnknown !== true) checkMembers(node, path, context, kind, UNLESS_ALLOWED);
  context.written.push({ ...manifest, node, path, partial: are.partial === true });
  return [manifest];
}

export function readManifests(
  node: Located,
  path: string,
  context: CheckContext,
  are: ManifestsAre,
): readonly SourcedManifest[] | undefined {
  if (node.shape === 'list') {
    if (node.items.length === 0) return note(context, node, path, 'at least one object', 'an empty list');
    return node.items.flatMap((item, index) => readManifests(item, joinPath(path, index), context, are) ?? []);
  }
  const file = fileReference(node);
  if (file === undefined) return readManifest(node, path, context, are);
  return readOther(file, path, context)?.flatMap((document) => readManifest(document, '', context, are));
}

export function readDocument(node: Located, path: string, context: CheckContext): Manifest | undefined {
  const file = fileReference(node);
  if (file !== undefined) {
    const documents = readOther(file, path, context);
    const first = documents?.[0];
    if (documents === undefined) return undefined;
    return first?.shape === 'map'
      ? first.plain
      : note(context, file, joinPath(path, 'file'), 'a file with a mapping', first === undefined ? 'nothing' : showValue(first.plain));
  }
  return node.shape === 'map' ? node.plain : note(context, node, path, 'a mapping or { file: path }', showValue(node.plain));
}

/** Returns the path of `{ file: path }`; undefined: it is an object, which has a kind. */
function fileReference(node: Located): Located | undefined {
  if (node.shape !== 'map' || node.entries.size !== 1) return undefined;
  return node.entries.get('file')?.value;
}

function readOther(file: Located, path: string, context: CheckContext): readonly Located[] | undefined {
  const inner = joinPath(path, 'file');
  const name = file.plain;
  if (typeof name !== 'string' || name === '') return note(context, file, inner, 'the path of a file', showValue(name));
  const text = context.readFile?.(name, file.source.file);
  if (text === undefined)
    return note(
      context,
      file,
      inner,
      context.readFile === undefined ? 'everything in one file (other files cannot be read here)' : 'a file that can be read',
      showValue(name),
    );
  const { documents, problems } = readYaml(text, besides(file.source.file, name));
  context.problems.push(...problems);
  if (documents.length === 0 && problems.length === 0)
    return note(context, file, inner, 'a file with something in it', `${showValue(name)}, which is empty`);
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
