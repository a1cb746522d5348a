/**
 * What a pod may not say while a gate is off that lets it: gates whose fields are judged, not dropped. Models: v1.24 PodValidationOptions of
 * pkg/apis/core/validation, as pkg/api/pod/util.go sets them.
 */
import { GATES } from '../gates.ts';
import type { KindContext } from '../kind.ts';
import type { Container } from '../structs/containers.ts';
import type { PodSpec } from '../structs/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { RESOURCE_PREFIXES, RESOURCES } from './env.ts';
import { forbidden, notSupported } from './field-errors.ts';

type Ref = readonly [field: string, resource: string];
interface Reader {
  readonly resourceFieldRef?: { readonly resource: string } | undefined;
}

/** Every container with its path. */
const containersOf = (spec: PodSpec, field: string): readonly (readonly [Container, string])[] =>
  (['containers', 'initContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).map((one, at) => [one, `${field}.${list}[${at}]`] as const),
  );

const refOf = (reader: Reader | undefined, field: string): readonly Ref[] =>
  reader?.resourceFieldRef === undefined ? [] : [[`${field}.resourceFieldRef.resource`, reader.resourceFieldRef.resource]];

/** The resources of containers that variables and files of volumes hold. A file's errors bear the field of its volume. */
const refsOf = (spec: PodSpec, field: string): readonly Ref[] => [
  ...(spec.volumes ?? []).flatMap(({ downwardAPI, projected }, at) => [
    ...(downwardAPI?.items ?? []).flatMap((file) => refOf(file, `${field}.volumes[${at}].downwardAPI`)),
    ...(projected?.sources ?? []).flatMap((source, i) =>
      (source.downwardAPI?.items ?? []).flatMap((file) => refOf(file, `${field}.volumes[${at}].projected.sources[${i}].downwardAPI`)),
    ),
  ]),
  ...containersOf(spec, field).flatMap(([{ env }, path]) =>
    (env ?? []).flatMap(({ valueFrom }, at) => refOf(valueFrom, `${path}.env[${at}].valueFrom`)),
  ),
];

const GATED: Readonly<Record<string, (spec: PodSpec, field: string) => readonly FieldError[]>> = {
  DownwardAPIHugePages: (spec, field) =>
    refsOf(spec, field).flatMap(([path, resource]) =>
      RESOURCE_PREFIXES.some((prefix) => resource.startsWith(prefix)) ? [notSupported(path, resource, RESOURCES)] : [],
    ),
  AltOSHostProcessContainers: (spec, field) =>
    containersOf(spec, field).some(
      ([{ securityContext }]) => securityContext?.windowsOptions?.hostProcess ?? spec.securityContext.windowsOptions?.hostProcess ?? false,
    )
      ? [forbidden(field, "pod must not contain hostProcess containers when the feature gate 'AltOSHostProcessContainers' is not enabled")]
      : [],
};

const offIn = ({ gates }: KindContext): readonly string[] =>
  Object.keys(GATED).filter((gate) => !(gates[gate] ?? GATES.get(gate)?.default ?? false));

/** What gates that are off forbid of a specification. */
export const gatedSpecErrors = (spec: PodSpec, field: string, context: KindContext): readonly FieldError[] =>
  offIn(context).flatMap((gate) => GATED[gate]?.(spec, field) ?? []);

/** The gates that are off, of those that the above depends on; the empty text: none. */
export const gatesOffForSpecs = (context: KindContext): string => offIn(context).join(' ');
