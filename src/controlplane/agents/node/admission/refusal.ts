/** Why an agent refuses a pod. The pod fails with this reason. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}
