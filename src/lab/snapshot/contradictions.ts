/** What objects of a dump say of each other that cannot be: a node that is not there, an owner that is gone. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Problem } from '../../schema/yaml/index.ts';
import { bump, nearest } from '../../schema/values/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { type OwnerRef, ownersOf, problemAt } from './identity.ts';
import { madeUid, type Stored } from './state.ts';

/**
 * The objects without references that would have them collected wrongly. An owner of a kind that the dump does not have is set aside; an
 * owner that is not there although others of its kind are is a problem.
 */
export function contradictions(
  stored: readonly Stored[],
  registry: KindRegistry,
): { readonly stored: readonly Stored[]; readonly problems: readonly Problem[]; readonly notes: readonly string[] } {
  const problems: Problem[] = [];
  const uids = new Set(stored.map(({ object }) => object.metadata.uid));
  const kinds = new Set(stored.map(({ object }) => object.kind));
  const nodes = stored.flatMap(({ object }) => (object.kind === 'Node' ? [object.metadata.name] : []));
  const known = new Set(nodes);
  const identified = withUids(stored);
  for (const uid of identified.uids) uids.add(uid);
  const aside = new Map<string, number>();
  const kept = identified.stored.map((each) => {
    const { named, object } = each;
    const { nodeName } = (object as ApiObject & { readonly spec?: { readonly nodeName?: string } }).spec ?? {};
    if (object.kind === 'Pod' && nodeName !== undefined && nodes.length > 0 && !known.has(nodeName)) {
      const near = nearest(nodeName, nodes);
      problems.push({
        ...problemAt(named.at(), 'spec.nodeName', `one of the ${nodes.length} nodes of the dump`, JSON.stringify(nodeName)),
        ...(near === undefined ? {} : { suggestion: JSON.stringify(near) }),
      });
    }
    const gone = ownersOf(named).filter(({ uid }) => !uids.has(uid));
    if (gone.length === 0) return each;
    for (const owner of gone) {
      if (kinds.has(owner.kind) && registry.byKind(owner.kind) !== undefined) problems.push(ownerProblem(each, owner));
      else bump(aside, owner.kind);
    }
    return { named, object: without(object, new Set(gone.map(({ uid }) => uid))) };
  });
  const notes = [...aside].map(
    ([kind, count]) =>
      `the dump has no ${kind}: ${count === 1 ? '1 reference to an owner' : `${count} references to owners`} of this kind ${count === 1 ? 'is' : 'are'} set aside, so that nothing is collected`,
  );
  return { stored: kept, problems, notes };
}

const ownerProblem = ({ named }: Stored, { kind, name, uid }: OwnerRef): Problem =>
  problemAt(named.at(), 'metadata.ownerReferences', 'an owner that the dump has', `${kind} ${name} with uid ${uid}, which is gone`);

function without(object: ApiObject, gone: ReadonlySet<string>): ApiObject {
  const { ownerReferences = [], ...metadata } = object.metadata;
  const left = ownerReferences.filter(({ uid }) => !gone.has(uid));
  return { ...object, metadata: { ...metadata, ...(left.length === 0 ? {} : { ownerReferences: left }) } };
}

/** Some tools leave uids out: an object then has the one by which its dependents know it, or a new one. */
function withUids(stored: readonly Stored[]): { readonly stored: readonly Stored[]; readonly uids: readonly string[] } {
  if (stored.every(({ named }) => named.uid !== undefined)) return { stored, uids: [] };
  const referred = new Map<string, string>();
  for (const { named } of stored)
    for (const { kind, name, uid } of ownersOf(named))
      for (const namespace of [named.namespace ?? '', ''])
        if (!referred.has(`${kind} ${namespace}/${name}`)) referred.set(`${kind} ${namespace}/${name}`, uid);
  const taken = new Set(stored.map(({ named }) => named.uid));
  const uids: string[] = [];
  const all = stored.map((each, index) => {
    if (each.named.uid !== undefined) return each;
    const { kind, namespace = '', name } = each.named;
    const known = referred.get(`${kind} ${namespace}/${name}`);
    const uid = known === undefined || taken.has(known) ? madeUid(index) : known;
    taken.add(uid);
    uids.push(uid);
    return { ...each, object: { ...each.object, metadata: { ...each.object.metadata, uid } } };
  });
  return { stored: all, uids };
}
