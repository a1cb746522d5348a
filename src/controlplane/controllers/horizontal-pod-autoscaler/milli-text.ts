/** A number of thousandths as a quantity in its shortest form. Models: v1.24 apimachinery pkg/api/resource NewMilliQuantity. */
import { formatQuantity, makeQuantity } from '../../../schema/values/index.ts';

/** `90000` is `90`, `90` is `90m`. */
export const milliText = (thousandths: number): string => formatQuantity(makeQuantity(BigInt(thousandths), -3, 'DecimalSI', false));
