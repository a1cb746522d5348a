/** A pod template as Go prints its internal struct. Models: v1.24 pkg/apis/core PodTemplateSpec. */
import { GoText } from '../../values/index.ts';
import type { PodTemplateSpec } from '../shapes/pod-spec.ts';

export const shownTemplate = (_template: PodTemplateSpec): GoText => new GoText('core.PodTemplateSpec{}');
