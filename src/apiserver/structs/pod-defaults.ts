/** Defaults of pods and containers that depend on more than one field. Models: v1.24 pkg/apis/core/v1 defaults.go. */
import type { Complete } from '../../schema/shape/index.ts';
import { compareText, memoised } from '../../schema/values/index.ts';

/** Images with a tag other than `latest`, or with a digest, may come from the node's cache. */
const pullPolicyOf = memoised((image: string): string => {
  const parts = IMAGE.exec(image);
  // A text that is not an image reference has no tag, so it is not the latest.
  if (parts === null) return 'IfNotPresent';
  const [, tag, digest] = parts;
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
}, 1024);

const COMPONENT = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
/** `host:port/path/name:tag@digest`. */
const IMAGE = new RegExp(
  `^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9-]+)*(?::\\d+)?)/)?${COMPONENT}(?:/${COMPONENT})*(?::(\\w[\\w.-]{0,127}))?(@[a-z0-9]+:[0-9a-fA-F]{32,})?$`,
);

export const completeContainer: Complete = (value) =>
  value['imagePullPolicy'] === undefined ? { imagePullPolicy: pullPolicyOf(String(value['image'] ?? '')) } : undefined;

type Loose = Readonly<Record<string, unknown>>;
const looseList = (value: unknown): readonly Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);

/** A port without a number has no host port either. */
const hasHostPort = (port: Loose): boolean => port['hostPort'] !== undefined || port['containerPort'] === 0;

/** On the host's network the container port is the host port. */
function hostPorts(containers: unknown): readonly Loose[] | undefined {
  let changed = false;
  const result = looseList(containers).map((container) => {
    const ports = looseList(container['ports']);
    if (ports.every(hasHostPort)) return container;
    changed = true;
    return {
      ...container,
      ports: ports.map(({ name, ...port }) => ({
        ...(name === undefined ? {} : { name }),
        ...(hasHostPort(port) ? {} : { hostPort: port['containerPort'] }),
        ...port,
      })),
    };
  });
  return changed ? result : undefined;
}

export const completeTemplate: Complete = (spec) => {
  const additions: Record<string, unknown> = {};
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  // The two names of one field have the same value in every response.
  if (account !== undefined && (spec['serviceAccountName'] !== account || spec['serviceAccount'] !== account))
    Object.assign(additions, { serviceAccountName: account, serviceAccount: account });
  if (spec['hostNetwork'] === true) {
    for (const field of ['containers', 'initContainers']) {
      const ports = hostPorts(spec[field]);
      if (ports !== undefined) additions[field] = ports;
    }
  }
  for (const _ in additions) return additions;
  return undefined;
};

/** The default request is the limit. */
function requestsFromLimits(containers: unknown): readonly Loose[] | undefined {
  let changed = false;
  const result = looseList(containers).map((container) => {
    const resources = (container['resources'] ?? {}) as { readonly limits?: Loose; readonly requests?: Loose };
    const limits = resources.limits;
    if (limits === undefined) return container;
    const requests = resources.requests ?? {};
    const missing = Object.keys(limits).filter((name) => requests[name] === undefined);
    if (missing.length === 0) return container;
    changed = true;
    const merged: Record<string, unknown> = { ...requests };
    for (const name of missing) merged[name] = limits[name];
    const names = Object.keys(merged).sort(compareText);
    return { ...container, resources: { limits, requests: Object.fromEntries(names.map((name) => [name, merged[name]])) } };
  });
  return changed ? result : undefined;
}

/** Defaults of pods; templates are kept as written. */
export const completePod: Complete = (spec) => {
  const additions: Record<string, unknown> = { ...completeTemplate(spec) };
  if (spec['enableServiceLinks'] === undefined) additions['enableServiceLinks'] = true;
  for (const field of ['containers', 'initContainers']) {
    const requested = requestsFromLimits(additions[field] ?? spec[field]);
    if (requested !== undefined) additions[field] = requested;
  }
  for (const _ in additions) return additions;
  return undefined;
};
