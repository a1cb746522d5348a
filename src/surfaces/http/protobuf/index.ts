import type { Kind } from '../../../cluster/api/index.ts';
import type { Backend } from '../backend.ts';
import { unknownBodyType } from '../refusals.ts';
import type { ReadBody } from '../request/body.ts';

export function decodeProtobuf(_body: Uint8Array, _kind: Kind | string, _backend?: Backend): ReadBody {
  throw unknownBodyType();
}
